import type { WorldMemory } from '@commworld/transport'
import { ListedBlocks } from '../../coll/plan/block-map.js'
import {
  bytesOf,
  type Datatype,
  type ElementKind,
  kindOf,
  type Memory,
  NO_KIND,
  overlapsItself,
  type ResolvedMemory,
  resolveMemory,
  type Span,
  spanOf,
  spanOfAll,
  TouchedElements,
  type TypedArray,
  unpackElements,
} from '../../datatype/index.js'
import { ArgumentError, BufferError, CountError, OverlapError } from '../../errors/index.js'
import type { OwnedMemory } from '../../p2p/ownership.js'
import type { Payloads } from '../messages/payloads.js'

/** Blocks by rank for the v-forms: counts and displacements in items of the datatype, or in elements. */
export interface BlocksByRank {
  readonly data: TypedArray
  /** An array of numbers, or a typed array of integers. */
  readonly counts: ArrayLike<number>
  /** Where each block begins; one behind the other when left out. */
  readonly displacements?: ArrayLike<number>
  readonly datatype?: Datatype
}

/** The memory argument of a collective, checked. */
export interface CallMemory {
  readonly kind: ElementKind
  readonly data: TypedArray
  /** Whole items, which are not torn apart, and the packed bytes of one. */
  readonly items: number
  readonly itemBytes: number
  /** Packed. */
  readonly bytes: number
  /** Address when it lies, in order and without gaps, in registered memory; else 0. */
  readonly address: number
  /** Of blocks by rank where they lie from `address` on; `undefined` of memory that is one piece. */
  readonly blocks: ListedBlocks | undefined
  /** What operations under way must not share; `undefined` where gaps belong to others. */
  readonly owned: OwnedMemory | undefined
  /** The memory of each block, or of all. */
  readonly parts: readonly ResolvedMemory[]
  /** Copies all that travels to packed memory at `at`. */
  pack(memory: WorldMemory, at: number): void
  /** The other way round. */
  unpack(memory: WorldMemory, at: number): void
}

/** Memory that is one piece, or a part of it seen through a datatype. */
export class WholeMemory implements CallMemory {
  readonly kind: ElementKind
  readonly data: TypedArray
  readonly items: number
  readonly itemBytes: number
  readonly bytes: number
  readonly address: number
  readonly blocks: undefined
  readonly owned: OwnedMemory | undefined
  readonly #resolved: ResolvedMemory | undefined
  readonly #payloads: Payloads
  readonly #memory: Memory

  constructor(payloads: Payloads, memory: Memory, argument: string) {
    const known = payloads.known(memory)
    this.#payloads = payloads
    this.#memory = memory
    if (known !== undefined) {
      const elementBytes = bytesOf(known.kind)
      this.kind = known.kind
      this.data = memory as TypedArray
      this.items = known.bytes / elementBytes
      this.itemBytes = elementBytes
      this.bytes = known.bytes
      this.address = known.address
      this.owned = { address: known.address, bytesMax: known.bytes, data: memory as TypedArray }
      return
    }
    const resolved = resolveMemory(memory, argument)
    const { data, kind, count, layout, contiguous, bytes } = resolved
    const elementBytes = bytesOf(kind)
    this.#resolved = resolved
    this.kind = kind
    this.data = data
    this.items = count
    this.itemBytes = elementBytes * (layout?.size ?? 1)
    this.bytes = bytes
    const whole = layout === undefined || contiguous
    // The array itself, not a view of it: it is known the next time.
    const part = memory === data ? data : partOf(resolved)
    this.address = whole ? payloads.of(part).address : 0
    this.owned = whole ? { address: this.address, bytesMax: bytes, data: part } : undefined
  }

  get parts(): readonly ResolvedMemory[] {
    return [this.#resolved ?? resolveMemory(this.#memory)]
  }

  pack(memory: WorldMemory, at: number): void {
    if (this.bytes > 0) this.#payloads.ofMemory(this.#memory).write(memory, at)
  }

  unpack(memory: WorldMemory, at: number): void {
    if (this.bytes === 0) return
    if (this.#resolved === undefined) memory.kernels.copy(this.address, at, this.bytes)
    else unpackInto(memory, this.#resolved, at)
  }

  /** Refuses memory in which what is received would be written twice. */
  checkWritable(operation: string): void {
    const layout = this.#resolved?.layout
    if (layout !== undefined && overlapsItself(layout, this.items)) {
      throw new OverlapError({ operation, first: 'memory', second: 'memory' })
    }
  }
}

/** Refuses a block that is not in the array. */
function checkBlock(
  offset: number,
  count: number,
  length: number,
  argument: string,
  rank: number,
): void {
  if (offset < 0) {
    const expected = `at least 0, or block ${rank} begins before the array`
    throw new ArgumentError({
      argument: `${argument}.displacements[${rank}]`,
      seen: offset,
      expected,
    })
  }
  if (offset + count <= length) return
  const room = Math.max(0, length - offset)
  const expected = `at most ${room}, as block ${rank} begins at element ${offset} of an array of ${length}`
  throw new CountError({ argument: `${argument}.counts[${rank}]`, seen: count, expected })
}

/** Blocks by rank. */
export class ListedMemory implements CallMemory {
  readonly kind: ElementKind
  readonly data: TypedArray
  readonly items: number
  readonly itemBytes: number
  readonly bytes: number
  readonly address: number
  readonly blocks: ListedBlocks
  readonly owned: OwnedMemory | undefined
  readonly parts: readonly ResolvedMemory[]
  readonly #memories: readonly Memory[]
  readonly #payloads: Payloads

  constructor(payloads: Payloads, given: BlocksByRank, size: number, argument: string) {
    checkShape(given, size, argument)
    const { data, datatype } = given
    const counts = Array.from(given.counts)
    const displacements = given.displacements ?? packedOf(counts)
    const extent = datatype?.extent ?? 1
    this.#payloads = payloads
    this.#memories = counts.map((count, rank): Memory => {
      // Of an empty block the displacement says nothing.
      const offset = count === 0 ? 0 : displacements[rank]! * extent
      if (datatype === undefined) checkBlock(offset, count, data.length, argument, rank)
      return datatype === undefined ? { data, count, offset } : { data, count, offset, datatype }
    })
    this.parts = this.#memories.map((memory, rank) =>
      resolveMemory(memory, `${argument}, block ${rank}`),
    )
    const first = this.parts[0]!
    this.kind = first.kind
    this.data = data
    this.itemBytes = bytesOf(this.kind) * (first.layout?.size ?? 1)
    this.items = counts.reduce((sum, count) => sum + count, 0)
    const lengths = this.parts.map(({ bytes }) => bytes)
    this.bytes = lengths.reduce((sum, bytes) => sum + bytes, 0)
    const whole = this.parts.every(({ contiguous, bytes }) => contiguous || bytes === 0)
    this.address = whole ? payloads.ofMemory(data).address : 0
    this.blocks = new ListedBlocks(lengths, this.address === 0 ? undefined : startsOf(this.parts))
    this.owned = whole ? ownedBy(this.parts, data, this.address) : undefined
  }

  pack(memory: WorldMemory, at: number): void {
    let to = at
    this.#memories.forEach((part, rank) => {
      const { bytes } = this.parts[rank]!
      if (bytes > 0) this.#payloads.ofMemory(part).write(memory, to)
      to += bytes
    })
  }

  unpack(memory: WorldMemory, at: number): void {
    let from = at
    for (const part of this.parts) {
      if (part.bytes > 0) unpackInto(memory, part, from)
      from += part.bytes
    }
  }

  /** Refuses blocks that share elements: which of two would stay is chance. */
  checkWritable(operation: string): void {
    const refuse = (a: number, b: number): never => {
      const advice = 'Look at the displacements'
      throw new OverlapError({ operation, first: `block ${a}`, second: `block ${b}`, advice })
    }
    this.parts.forEach(({ layout, count }, rank) => {
      if (layout !== undefined && overlapsItself(layout, count)) refuse(rank, rank)
    })
    const spans = this.parts.map(spanOf)
    if (areApart(spans)) return
    // Blocks may interlock, such as columns of one table.
    const touched = new TouchedElements(spanOfAll(spans))
    this.parts.forEach((part, rank) => {
      const other = touched.touch(part, rank)
      if (other >= 0) refuse(other, rank)
    })
  }
}

/** Where blocks begin, in bytes; an empty one where the one before it ends, as ranges may begin with it. */
function startsOf(parts: readonly ResolvedMemory[]): number[] {
  let end = 0
  return parts.map(({ data, byteOffset, bytes }) => {
    const start = bytes === 0 ? end : byteOffset - data.byteOffset
    end = start + bytes
    return start
  })
}

/** Whether none of the spans reaches into another. */
function areApart(spans: readonly Span[]): boolean {
  const some = spans.filter(({ first, end }) => end > first).toSorted((a, b) => a.first - b.first)
  return some.every(({ first }, index) => index === 0 || first >= some[index - 1]!.end)
}

/** Blocks without gaps between them, in whatever order, are one piece. */
function ownedBy(
  parts: readonly ResolvedMemory[],
  data: TypedArray,
  address: number,
): OwnedMemory | undefined {
  const spans = parts.map(spanOf)
  const { first, end } = spanOfAll(spans)
  const length = spans.reduce((sum, span) => sum + span.end - span.first, 0)
  if (length === 0 || length !== end - first) return undefined
  const elementBytes = data.BYTES_PER_ELEMENT
  const from = first - data.byteOffset / elementBytes
  return {
    address: address === 0 ? 0 : address + from * elementBytes,
    bytesMax: length * elementBytes,
    data: data.subarray(from, from + length),
  }
}

function partOf({ data, byteOffset, bytes }: ResolvedMemory): TypedArray {
  const first = (byteOffset - data.byteOffset) / data.BYTES_PER_ELEMENT
  return data.subarray(first, first + bytes / data.BYTES_PER_ELEMENT)
}

function unpackInto(memory: WorldMemory, part: ResolvedMemory, at: number): void {
  const { data, kind, layout, offset, byteOffset, bytes, elements, contiguous } = part
  const packed = memory.u8.subarray(at, at + bytes)
  if (layout === undefined || contiguous) {
    new Uint8Array(data.buffer, byteOffset, bytes).set(packed)
  } else {
    unpackElements(packed, data, kind, offset, layout, elements)
  }
}

function packedOf(counts: readonly number[]): readonly number[] {
  let end = 0
  return counts.map((count) => {
    const start = end
    end += count
    return start
  })
}

function checkShape(given: BlocksByRank, size: number, argument: string): void {
  if (
    typeof given !== 'object' ||
    given === null ||
    kindOf((given as BlocksByRank).data) === NO_KIND
  ) {
    const expected = '{ data, counts, displacements } with a typed array'
    throw new BufferError({ argument, seen: given, expected })
  }
  const counts = listOf(given.counts, size)
  if (counts === undefined) {
    const expected = `${size} numbers, one for each rank`
    throw new CountError({ argument: `${argument}.counts`, seen: given.counts, expected })
  }
  counts.forEach((count, rank) => {
    if (Number.isSafeInteger(count) && count >= 0) return
    const expected = 'an integer of at least 0'
    throw new CountError({ argument: `${argument}.counts[${rank}]`, seen: count, expected })
  })
  if (given.displacements === undefined) return
  const displacements = listOf(given.displacements, size)
  if (displacements === undefined) {
    const expected = `${size} numbers, one for each rank`
    const seen = given.displacements
    throw new ArgumentError({ argument: `${argument}.displacements`, seen, expected })
  }
  displacements.forEach((seen, rank) => {
    if (counts[rank] === 0 || Number.isSafeInteger(seen)) return
    const expected = 'an integer'
    throw new ArgumentError({ argument: `${argument}.displacements[${rank}]`, seen, expected })
  })
}

/** The numbers of an array or a typed array of this length. */
function listOf(list: ArrayLike<number>, size: number): number[] | undefined {
  const isList = Array.isArray(list) || kindOf(list) !== NO_KIND
  return isList && list.length === size ? Array.from(list) : undefined
}
