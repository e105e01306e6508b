import { ArgumentError, CountError, DatatypeError, describe } from '../errors/index.js'
import type { Loop } from './flat.js'
import { Layout } from './layout.js'

/**
 * A pattern of elements in an array: what a message takes, and where.
 *
 * Use one as `{ data, datatype, count, offset }` wherever memory is asked for: a column of a matrix,
 * every other element, a box out of a grid. The element type comes from the array it is used with,
 * so one datatype serves every kind, and all numbers (strides, sizes, bounds) are in elements of
 * that array. There is nothing to commit.
 *
 * Only the number and kind of elements must be equal on both sides: what is sent as a column can be
 * received as a row. Datatypes are local to a rank and cannot be sent.
 *
 * @example
 * // the second column of a matrix of 4 rows and 6 columns
 * const column = Datatype.vector({ count: 4, blockLength: 1, stride: 6 })
 * world.send({ data: matrix, datatype: column, offset: 1 }, { dest: 1 })
 *
 * MPI 4.1, 5.1.
 */
export class Datatype {
  #layout: Layout | undefined

  private constructor(layout: Layout) {
    if (!Number.isSafeInteger(layout.size) || !Number.isSafeInteger(layout.extent)) {
      const expected = 'a type of at most 2^53 - 1 elements'
      throw new CountError({ argument: 'datatype', seen: layout.size, expected })
    }
    this.#layout = layout
  }

  /**
   * `count` items one after the other, each an extent of `base` apart.
   *
   * @param count - 0 or more
   * @param base - what is repeated; an element of the array where it is left out
   * @throws {CountError} when `count` is negative or no integer
   * @throws {DatatypeError} when `base` was freed or is no datatype
   * @example const triple = Datatype.contiguous(3)
   *
   * MPI 4.1, 5.1.2 (MPI_Type_contiguous).
   */
  static contiguous(count: number, base?: Datatype): Datatype {
    checkCount('count', count)
    const layout = baseLayout(base)
    const loops = [{ count, stride: layout?.extent ?? 1 }]
    return new Datatype(new Layout({ base: layout, loops, offset: 0 }))
  }

  /**
   * `count` blocks of `blockLength` items, their starts `stride` items apart.
   *
   * A negative stride walks backwards. Blocks may lie on each other in a type that is only sent from.
   *
   * @throws {CountError} when `count` or `blockLength` is negative or no integer
   * @throws {ArgumentError} when `stride` is no integer
   * @throws {DatatypeError} when `base` was freed or is no datatype
   * @example const evens = Datatype.vector({ count: 5, blockLength: 1, stride: 2 })
   *
   * MPI 4.1, 5.1.2 (MPI_Type_vector).
   */
  static vector(
    shape: { count: number; blockLength: number; stride: number },
    base?: Datatype,
  ): Datatype {
    const { count, blockLength, stride } = shape
    checkCount('count', count)
    checkCount('blockLength', blockLength)
    checkInteger('stride', stride)
    const layout = baseLayout(base)
    const extent = layout?.extent ?? 1
    const loops = [
      { count, stride: stride * extent },
      { count: blockLength, stride: extent },
    ]
    return new Datatype(new Layout({ base: layout, loops, offset: 0 }))
  }

  /**
   * A box of `subsizes` items at `starts` in an array of `sizes` items; one number for each dimension.
   *
   * In order `'C'` (the default) the last dimension lies densest in memory, in `'Fortran'` the first.
   * The extent is that of the whole array, so several items are boxes of arrays one after the other.
   *
   * @throws {ArgumentError} when the lists differ in length, are empty, or the box leaves the array
   * @throws {DatatypeError} when `base` was freed or is no datatype
   * @example
   * // rows 1..2, columns 2..4 of a matrix of 4 by 6
   * const box = Datatype.subarray({ sizes: [4, 6], subsizes: [2, 3], starts: [1, 2] })
   *
   * MPI 4.1, 5.1.3 (MPI_Type_create_subarray).
   */
  static subarray(
    shape: {
      sizes: readonly number[]
      subsizes: readonly number[]
      starts: readonly number[]
      order?: 'C' | 'Fortran'
    },
    base?: Datatype,
  ): Datatype {
    const { sizes, subsizes, starts, order = 'C' } = shape
    checkBox(sizes, subsizes, starts)
    if (order !== 'C' && order !== 'Fortran') {
      throw new ArgumentError({ argument: 'order', seen: order, expected: "'C' or 'Fortran'" })
    }
    const layout = baseLayout(base)
    const loops: Loop[] = [] // built from the densest dimension outwards
    let stride = layout?.extent ?? 1
    let offset = 0
    for (let i = 0; i < sizes.length; i++) {
      const dimension = order === 'C' ? sizes.length - 1 - i : i
      loops.unshift({ count: subsizes[dimension]!, stride })
      offset += starts[dimension]! * stride
      stride *= sizes[dimension]!
    }
    const bounds = { lowerBound: 0, extent: stride }
    return new Datatype(new Layout({ base: layout, loops, offset, bounds }))
  }

  /**
   * The same elements with other bounds: `extent` is the distance from one item to the next when
   * several are used. Both may be negative.
   *
   * @throws {ArgumentError} when a bound is no integer
   * @throws {DatatypeError} when this type was freed
   * @example
   * // columns side by side: `count` of them start one element apart
   * const columns = Datatype.vector({ count: 4, blockLength: 1, stride: 6 }).resized(0, 1)
   *
   * MPI 4.1, 5.1.7 (MPI_Type_create_resized).
   */
  resized(lowerBound: number, extent: number): Datatype {
    checkInteger('lowerBound', lowerBound)
    checkInteger('extent', extent)
    const bounds = { lowerBound, extent }
    return new Datatype(new Layout({ base: this.layout, loops: [], offset: 0, bounds }))
  }

  /** A handle of its own on the same type. MPI 4.1, 5.1.10 (MPI_Type_dup). */
  dup(): Datatype {
    return new Datatype(this.layout)
  }

  /** Elements of one item that travel. MPI 4.1, 5.1.5. */
  get size(): number {
    return this.layout.size
  }

  /** Where an item begins, in elements from the place it is used at. MPI 4.1, 5.1.7. */
  get lowerBound(): number {
    return this.layout.lowerBound
  }

  /** Distance from one item to the next, in elements. MPI 4.1, 5.1.7. */
  get extent(): number {
    return this.layout.extent
  }

  /** First element that is touched, whatever bounds were given by hand. MPI 4.1, 5.1.8. */
  get trueLowerBound(): number {
    return this.layout.flat.trueLowerBound
  }

  /** Elements from the first that is touched to the last. MPI 4.1, 5.1.8. */
  get trueExtent(): number {
    const { trueLowerBound, trueEnd } = this.layout.flat
    return trueEnd - trueLowerBound
  }

  /**
   * Gives the handle up. Types derived from it and messages under way are not touched.
   *
   * @throws {DatatypeError} when it was freed before
   *
   * MPI 4.1, 5.1.9 (MPI_Type_free).
   */
  free(): void {
    if (this.#layout === undefined) throw freed()
    this.#layout = undefined
  }

  /** Where the elements lie; not changed by anything that happens to the handle. @internal */
  get layout(): Layout {
    if (this.#layout === undefined) throw freed()
    return this.#layout
  }
}

function freed(): DatatypeError {
  return new DatatypeError('this datatype was freed')
}

/** The layout behind an optional datatype argument. */
export function baseLayout(datatype: unknown): Layout | undefined {
  if (datatype === undefined) return undefined
  if (datatype instanceof Datatype) return datatype.layout
  throw new DatatypeError(`a Datatype was expected, but here is ${describe(datatype)}`)
}

function checkBox(
  sizes: readonly number[],
  subsizes: readonly number[],
  starts: readonly number[],
): void {
  const lists = { sizes, subsizes, starts }
  for (const [argument, list] of Object.entries(lists)) {
    if (!Array.isArray(list) || list.length === 0) {
      const expected = 'a list with one integer for each dimension'
      throw new ArgumentError({ argument, seen: list, expected })
    }
    if (list.length !== sizes.length) {
      const expected = `a list of ${sizes.length}, one for each of \`sizes\``
      throw new ArgumentError({ argument, seen: list, expected })
    }
  }
  for (let dimension = 0; dimension < sizes.length; dimension++) {
    const size = sizes[dimension]!
    const subsize = subsizes[dimension]!
    checkRange(`sizes[${dimension}]`, size, 1, Number.MAX_SAFE_INTEGER)
    checkRange(`subsizes[${dimension}]`, subsize, 1, size)
    checkRange(`starts[${dimension}]`, starts[dimension]!, 0, size - subsize)
  }
}

function checkRange(argument: string, seen: number, first: number, last: number): void {
  if (Number.isSafeInteger(seen) && seen >= first && seen <= last) return
  const expected =
    last === Number.MAX_SAFE_INTEGER
      ? `an integer of at least ${first}`
      : `an integer from ${first} to ${last}`
  throw new ArgumentError({ argument, seen, expected })
}

function checkCount(argument: string, seen: number): void {
  if (Number.isSafeInteger(seen) && seen >= 0) return
  throw new CountError({ argument, seen, expected: 'an integer of at least 0' })
}

function checkInteger(argument: string, seen: number): void {
  if (Number.isSafeInteger(seen)) return
  throw new ArgumentError({ argument, seen, expected: 'an integer' })
}
