import { Datatype, type BlocksByRank, type Memory, type Mpi, type TypedArray } from '@commworld/mpi'
import { placed } from '../arbitraries/counts.js'
import { classOf, type KindName, type Scalar } from '../arbitraries/element-types.js'
import type { PlaceLayout, PlaceShape } from '../arbitraries/places.js'
import { drawing } from '../arbitraries/seeded.js'
import { ArrayPool } from './array-pool.js'

/** What a buffer is to hold. */
export interface Extents {
  readonly kind: KindName
  /** Elements of an item of the datatype, for layouts that have one. */
  readonly item: number
  /** Items of each block. */
  readonly lengths: readonly number[]
  /** Whether the blocks have counts and displacements of their own. */
  readonly listed: boolean
}

/** Where the elements of one item lie, and how far it is to the next. */
interface Geometry {
  readonly datatype?: Datatype
  readonly extent: number
  readonly at: (element: number) => number
}

const MARGIN = 5

/** A buffer of one call that knows, without the library, which of its elements are whose. */
export class Place {
  readonly argument: Memory | BlocksByRank
  readonly #data: TypedArray
  /** Where the elements of each block lie, in order. */
  readonly #positions: readonly Int32Array[]
  /** Of as many items as there are, from the beginning. */
  readonly #front: Int32Array
  readonly #release: () => void
  /** What the whole of it must hold. */
  #image: TypedArray

  constructor(mpi: Mpi, shape: PlaceShape, extents: Extents) {
    const { kind, item, lengths, listed } = extents
    const { layout, registered } = shape
    const starts = listed ? strew(shape, lengths) : packed(lengths)
    const span = Math.max(0, ...lengths.map((length, block) => starts[block]! + length))
    const geometry = geometryOf(layout, item, span)
    const base = listed || layout === 'whole' || layout === 'part' ? 0 : 2 * item + MARGIN
    // Of a part the array begins behind a margin of its own.
    const before = layout === 'part' ? MARGIN : 0
    const items = lengths.reduce((sum, length) => sum + length, 0)
    const from = before + base
    this.#positions = lengths.map((length, block) =>
      positionsOf(geometry, from, starts[block]!, length, item),
    )
    this.#front = positionsOf(geometry, from, 0, items, item)
    const margin = layout === 'whole' && !listed ? 0 : MARGIN
    const last = this.#positions.reduce((most, block) => block.reduce(larger, most), -1)
    const length = Math.max(last + 1, from, listed ? before + items * item : 0) + margin
    const pool = ArrayPool.of(mpi)
    this.#data = registered ? pool.take(kind, length) : new (classOf(kind))(length)
    this.#image = this.#data
    const data = before === 0 ? this.#data : pool.view(this.#data, before, length)
    this.argument = listed
      ? blocksOf(data, geometry, shape, { item, lengths, starts })
      : memoryOf(pool, data, geometry, layout, { base, items, item })
    this.#release = () => registered && pool.giveBack(kind, this.#data)
  }

  /** Puts blocks where they belong, and something else everywhere around them. */
  fill(blocks: readonly (readonly Scalar[] | undefined)[], seed: number): void {
    const data = this.#data as unknown as Scalar[]
    const isBig = typeof data[0] === 'bigint'
    for (let i = 0; i < data.length; i++) {
      const guard = (7 * i + seed) % 61
      data[i] = isBig ? BigInt(guard) : guard
    }
    this.#set(this.#data, blocks)
    this.#image = this.#data.slice()
  }

  /** Says what some blocks must hold in the end; everything else must stay. */
  expect(blocks: readonly (readonly Scalar[] | undefined)[]): void {
    this.#set(this.#image, blocks)
  }

  /** The same of what lies at the very beginning. */
  expectFront(block: readonly Scalar[]): void {
    setAt(this.#image, this.#front, block)
  }

  /** What is wrong, if anything. */
  get wrong(): string | undefined {
    const seen = this.#data
    const right = this.#image
    for (let at = 0; at < seen.length; at++) {
      if (Object.is(seen[at], right[at])) continue
      const block = this.#positions.findIndex((positions) => positions.includes(at))
      const where = block < 0 ? 'in a gap' : `in block ${block}`
      return `element ${at} of ${seen.length}, ${where}, is ${seen[at]} instead of ${right[at]}`
    }
    return undefined
  }

  release(): void {
    this.#release()
  }

  #set(target: TypedArray, blocks: readonly (readonly Scalar[] | undefined)[]): void {
    blocks.forEach((block, index) => {
      if (block !== undefined) setAt(target, this.#positions[index]!, block)
    })
  }
}

function setAt(target: TypedArray, positions: Int32Array, block: readonly Scalar[]): void {
  const elements = target as unknown as Scalar[]
  for (let i = 0; i < block.length; i++) elements[positions[i]!] = block[i]!
}

const larger = (a: number, b: number): number => (a > b ? a : b)

/** Where the elements of some items lie. */
function positionsOf(
  { extent, at }: Geometry,
  base: number,
  first: number,
  count: number,
  item: number,
): Int32Array {
  const positions = new Int32Array(count * item)
  let next = 0
  for (let i = first; i < first + count; i++) {
    for (let k = 0; k < item; k++) positions[next++] = base + i * extent + at(k)
  }
  return positions
}

function geometryOf(layout: PlaceLayout, item: number, span: number): Geometry {
  const line = (stride: number): Datatype =>
    Datatype.vector({ count: item, blockLength: 1, stride })
  switch (layout) {
    case 'whole':
    case 'part':
    case 'window':
      return { extent: item, at: (i) => i }
    case 'packed':
      return { datatype: Datatype.contiguous(item), extent: item, at: (i) => i }
    case 'spread':
      return { datatype: line(2), extent: 2 * item - 1, at: (i) => 2 * i }
    case 'resized': {
      const datatype = Datatype.contiguous(item).resized(0, item + 2)
      return { datatype, extent: item + 2, at: (i) => i }
    }
    case 'columns': {
      const datatype = line(span + 1).resized(0, 1)
      return { datatype, extent: 1, at: (i) => i * (span + 1) }
    }
    case 'backwards':
      return { datatype: line(-2), extent: 2 * item - 1, at: (i) => -2 * i }
  }
}

function memoryOf(
  pool: ArrayPool,
  data: TypedArray,
  { datatype }: Geometry,
  layout: PlaceLayout,
  { base, items, item }: { base: number; items: number; item: number },
): Memory {
  if (datatype !== undefined) return { data, datatype, offset: base, count: items }
  if (layout === 'window') return { data, offset: base, count: items * item }
  return layout === 'part' ? pool.view(data, 0, items * item) : data
}

function blocksOf(
  data: TypedArray,
  { datatype }: Geometry,
  { strewn, layout }: PlaceShape,
  blocks: { item: number; lengths: readonly number[]; starts: readonly number[] },
): BlocksByRank {
  const unit = datatype === undefined ? blocks.item : 1
  const counts = blocks.lengths.map((length) => length * unit)
  const junk = [-7, 0, 2 ** 40]
  const displacements = blocks.starts.map((start, block) =>
    counts[block] === 0 && strewn > 0 ? junk[block % 3]! : start * unit,
  )
  return {
    data,
    counts,
    ...(isPacked(layout, strewn) ? {} : { displacements }),
    ...(datatype === undefined ? {} : { datatype }),
  }
}

function isPacked(layout: PlaceLayout, strewn: number): boolean {
  return strewn === 0 && layout !== 'backwards'
}

function packed(lengths: readonly number[], first = 0): number[] {
  let end = first
  return lengths.map((length) => (end += length) - length)
}

/** Blocks in any order, with gaps between them. */
function strew({ strewn, layout }: PlaceShape, lengths: readonly number[]): readonly number[] {
  if (strewn === 0) return packed(lengths, isPacked(layout, strewn) ? 0 : 1)
  const draw = drawing(strewn)
  const keys = lengths.map(() => draw(1000))
  const order = lengths.map((_, block) => block).sort((a, b) => keys[a]! - keys[b]! || a - b)
  // Something lies before the first block, too.
  const { displacements } = placed(
    lengths,
    order,
    (block) => (block === order[0] ? 1 : 0) + draw(3),
  )
  return displacements
}
