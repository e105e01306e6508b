import { ArgumentError, DimsError, RankError } from '../errors/index.js'
import { checkList } from './check-list.js'

/** Neighbours of a rank along one dimension; `undefined` where the grid ends. */
export interface Neighbours {
  readonly source: number | undefined
  readonly dest: number | undefined
}

/** The part of a grid that keeps some dimensions, as one rank sees it. */
export interface SubGrid {
  /** Equal for the ranks that are in the same part. */
  readonly color: number
  /** Rank in the part. */
  readonly key: number
  readonly grid: CartesianGrid
}

/**
 * Ranks laid out as a grid in row-major order, the last coordinate varying fastest; along a
 * periodic dimension the end meets the beginning (MPI 4.1, section 8.5). A grid without dimensions
 * is one rank.
 *
 *   dims [2, 3]      coordinates 0,0  0,1  0,2     ranks 0 1 2
 *                                1,0  1,1  1,2           3 4 5
 */
export class CartesianGrid {
  readonly dims: readonly number[]
  readonly periods: readonly boolean[]
  /** Number of ranks in it. */
  readonly size: number

  /**
   * @param dims number of ranks along each dimension, 1 or more
   * @param periods whether each is periodic; none is, if left out
   * @throws DimsError, ArgumentError
   */
  constructor(dims: readonly number[], periods?: readonly boolean[]) {
    checkDims(dims)
    if (periods !== undefined) checkFlags('periods', periods, dims.length)
    this.dims = Object.freeze([...dims])
    this.periods = Object.freeze(periods === undefined ? dims.map(() => false) : [...periods])
    this.size = dims.reduce((product, extent) => product * extent, 1)
    if (!Number.isSafeInteger(this.size)) {
      const expected = 'a grid of at most 2^53 - 1 ranks'
      throw new DimsError({ argument: 'dims', seen: dims, expected })
    }
  }

  /** @throws DimsError when a communicator has not ranks enough for it */
  checkFits(communicator: { readonly name: string; readonly size: number }): void {
    const { name, size } = communicator
    if (this.size <= size) return
    const expected = `a grid of at most ${size}, the size of \`${name}\``
    throw new DimsError({ argument: 'dims', seen: this.dims, expected })
  }

  /** @param communicator name for the error, which is a RankError */
  coordsOf(rank: number, communicator: string): number[] {
    this.#checkRank(rank, communicator)
    return place(this.dims, rank)
  }

  /**
   * The rank at these coordinates, one for each dimension. Periodic ones may be any integer.
   *
   * @throws ArgumentError
   */
  rankAt(coords: readonly number[]): number {
    const count = this.dims.length
    checkList('coords', coords, `a list of ${count} coordinates`)
    if (coords.length !== count) {
      throw new ArgumentError({ argument: 'coords', seen: coords, expected: `a list of ${count}` })
    }
    return number(
      this.dims,
      this.dims.map((_, dimension) => this.#inside(coords[dimension]!, dimension)),
    )
  }

  /**
   * Who sends to `rank` and to whom it sends, when all send `displacement` further along.
   *
   * @throws DimsError when there is no such dimension, ArgumentError
   */
  shift(rank: number, dimension: number, displacement: number): Neighbours {
    this.#checkDimension(dimension)
    if (!Number.isSafeInteger(displacement)) {
      const expected = 'an integer'
      throw new ArgumentError({ argument: 'displacement', seen: displacement, expected })
    }
    return {
      source: this.#moved(rank, dimension, -displacement),
      dest: this.#moved(rank, dimension, displacement),
    }
  }

  /**
   * What remains of the grid for `rank` with only the dimensions that are kept: each combination of
   * coordinates in the others makes a grid of its own.
   *
   * @throws ArgumentError
   */
  sub(rank: number, keep: readonly boolean[]): SubGrid {
    checkFlags('keep', keep, this.dims.length)
    const coords = place(this.dims, rank)
    const kept = <T>(list: readonly T[]): T[] => list.filter((_, dimension) => keep[dimension])
    const dropped = <T>(list: readonly T[]): T[] => list.filter((_, dimension) => !keep[dimension])
    return {
      color: number(dropped(this.dims), dropped(coords)),
      key: number(kept(this.dims), kept(coords)),
      grid: new CartesianGrid(kept(this.dims), kept(this.periods)),
    }
  }

  #moved(rank: number, dimension: number, displacement: number): number | undefined {
    const coords = place(this.dims, rank)
    const extent = this.dims[dimension]!
    const from = coords[dimension]!
    if (this.periods[dimension]) {
      coords[dimension] = wrapped(from + (displacement % extent), extent)
    } else {
      const to = from + displacement
      if (to < 0 || to >= extent) return undefined
      coords[dimension] = to
    }
    return number(this.dims, coords)
  }

  #inside(coordinate: number, dimension: number): number {
    const extent = this.dims[dimension]!
    const periodic = this.periods[dimension]!
    if (Number.isSafeInteger(coordinate)) {
      if (periodic) return wrapped(coordinate, extent)
      if (coordinate >= 0 && coordinate < extent) return coordinate
    }
    const last = extent - 1
    const expected = periodic ? 'an integer' : last === 0 ? '0' : `an integer from 0 to ${last}`
    throw new ArgumentError({ argument: `coords[${dimension}]`, seen: coordinate, expected })
  }

  #checkRank(rank: number, communicator: string): void {
    const { size } = this
    if (Number.isInteger(rank) && rank >= 0 && rank < size) return
    throw new RankError({ argument: 'rank', rank, communicator, size })
  }

  #checkDimension(dimension: number): void {
    const last = this.dims.length - 1
    if (Number.isInteger(dimension) && dimension >= 0 && dimension <= last) return
    const several = last === 0 ? '0, as there is one dimension' : `an integer from 0 to ${last}`
    const expected = last < 0 ? 'a dimension of the grid, which has none' : several
    throw new DimsError({ argument: 'dimension', seen: dimension, expected })
  }
}

/** Row-major coordinates of a rank. */
function place(dims: readonly number[], rank: number): number[] {
  const coords: number[] = []
  let rest = rank
  for (const extent of dims.toReversed()) {
    coords.push(rest % extent)
    rest = Math.floor(rest / extent)
  }
  return coords.reverse()
}

/** Row-major rank at coordinates that are all inside. */
function number(dims: readonly number[], coords: readonly number[]): number {
  return dims.reduce((rank, extent, dimension) => rank * extent + coords[dimension]!, 0)
}

/** The remainder as mathematics has it, 0 or positive, where `%` takes the sign of the dividend. */
function wrapped(coordinate: number, extent: number): number {
  return ((coordinate % extent) + extent) % extent
}

function checkDims(dims: readonly number[]): void {
  checkList('dims', dims, 'a list of the numbers of ranks along each dimension')
  for (const [dimension, extent] of dims.entries()) {
    if (Number.isSafeInteger(extent) && extent >= 1) continue
    const expected = 'an integer of at least 1'
    const advice = extent === 0 ? { advice: '`createDims` fills in zeros' } : {}
    throw new DimsError({ argument: `dims[${dimension}]`, seen: extent, expected, ...advice })
  }
}

function checkFlags(argument: string, flags: readonly boolean[], count: number): void {
  const expected = `a list of ${count}, true or false for each dimension`
  checkList(argument, flags, expected)
  if (flags.length !== count) throw new ArgumentError({ argument, seen: flags, expected })
  for (const [dimension, seen] of flags.entries()) {
    if (typeof seen === 'boolean') continue
    const one = `${argument}[${dimension}]`
    throw new ArgumentError({ argument: one, seen, expected: 'true or false' })
  }
}
