import type { Division } from '../../coll/agreement.js'
import type { CollectiveOperation } from '../../coll/operation.js'
import { EvenBlocks, ListedBlocks, type BlockMap } from '../../coll/plan/block-map.js'
import { collectives, type Extent } from '../../coll/plan/collective.js'
import type { CallPlan } from '../../coll/call-plan.js'
import {
  MemoryBlocks,
  type CallerBuffers,
  type MemoryMessages,
} from '../../coll/plan/memory-blocks.js'
import { MemoryLayout } from '../../coll/plan/memory-layout.js'
import type { Schedule } from '../../coll/plan/schedule.js'
import type { CommunicatorState } from '../../comm/communicator-state.js'
import {
  kindOf,
  nameOf,
  NO_KIND,
  spanOf,
  spanOfAll,
  TouchedElements,
  type Memory,
  type TypedArray,
} from '../../datatype/index.js'
import {
  ArgumentError,
  BufferError,
  CountError,
  DatatypeError,
  OverlapError,
  quantity,
} from '../../errors/index.js'
import type { Op } from '../../op/index.js'
import { IN_PLACE, type InPlace } from '../../p2p/sentinels.js'
import { checkIsOp } from '../arguments.js'
import { ListedMemory, WholeMemory, type BlocksByRank, type CallMemory } from './call-memory.js'
import { StagedBuffers } from './caller-buffers.js'
import type { Payloads } from '../messages/payloads.js'
import type { Rank } from '../rank.js'

type Buffer = Memory | BlocksByRank | InPlace | undefined

/** The buffers of a call, as the program gave them. */
export interface MemoryArguments {
  readonly send?: Buffer
  readonly recv?: Buffer
}

/** The buffers of a call, checked. */
export interface ResolvedCall {
  readonly operation: CollectiveOperation
  readonly kind: number
  readonly given: CallMemory | undefined
  readonly gotten: CallMemory | undefined
  /** In place: one buffer is both. */
  readonly inPlace: boolean
  /** In place as the plan can do it, without a copy first. */
  readonly aliased: boolean
  /** Bytes of one block, where all are equally long. */
  readonly blockBytes: number
  /** Lengths of the blocks by rank, where all ranks know them. */
  readonly lengths: readonly number[] | undefined
  /** Of a vector: its items, which are not torn apart. */
  readonly vector: { readonly bytes: number; readonly items: number }
  /** As the rules count bytes. */
  readonly ruleBytes: number
  /** What a rank publishes, if all ranks know how much that is. */
  readonly slotBytes: number
  readonly knownBlocks: boolean
  /** Elements that must agree, -1 where they need not. */
  readonly count: number
  readonly division: Division | undefined
}

/** One buffer of the caller, in registered memory. */
interface Region {
  readonly address: number
  readonly map: BlockMap
}

/** A call laid out, with what must be undone at its end. */
export interface BoundCall {
  readonly layout: MemoryLayout
  readonly input: number
  readonly output: number
  readonly buffers: CallerBuffers
}

/** Buffers that need nothing at the end: registered, and used by a call that blocks. */
const AS_THEY_ARE: CallerBuffers = { finish() {}, release() {} }

/** A call with plain registered buffers, and what calls like it have in common. */
export class KnownCall {
  readonly plan: CallPlan
  readonly layout: MemoryLayout
  readonly kind: number
  /** -1 where there is none. */
  readonly givenBytes: number
  readonly gottenBytes: number
  readonly inPlace: boolean
  /** Of the last call. */
  blocks: MemoryBlocks | undefined

  private constructor(plan: CallPlan, layout: MemoryLayout, call: ResolvedCall) {
    this.plan = plan
    this.layout = layout
    this.kind = call.kind
    this.givenBytes = call.given?.bytes ?? -1
    this.gottenBytes = call.gotten?.bytes ?? -1
    this.inPlace = call.inPlace
  }

  /** Undefined where the next call must be looked at anew. */
  static of(plan: CallPlan, layout: MemoryLayout, call: ResolvedCall): KnownCall | undefined {
    const { operation, given, gotten, inPlace, aliased } = call
    const plain = plan.call.form === 'blocking' && !operation.listed
    if (!plain || (inPlace && (!aliased || operation.inPlace !== 'send'))) return undefined
    // In place of an allgather the input begins somewhere else.
    if (inPlace && operation.collective === 'allgather') return undefined
    const registered = (memory: CallMemory | undefined): boolean =>
      memory === undefined || (memory.address !== 0 && memory.data === memory.owned?.data)
    return registered(given) && registered(gotten) ? new KnownCall(plan, layout, call) : undefined
  }
}

/** Checks the memory arguments of collectives and lays them out for plans. */
export class CollectiveMemory {
  readonly #rank: Rank
  readonly #payloads: Payloads

  constructor(rank: Rank, payloads: Payloads) {
    this.#rank = rank
    this.#payloads = payloads
  }

  /**
   * @throws BufferError, CountError, ArgumentError, DatatypeError, OverlapError, OpError on what
   * cannot be used; nothing has moved then
   */
  resolve(
    on: CommunicatorState,
    operation: CollectiveOperation,
    { send, recv }: MemoryArguments,
    root: number,
    op: Op | undefined,
  ): ResolvedCall {
    const { collective, listed } = operation
    const { input, output, inputAt, outputAt, reduces } = collectives[collective]
    if (reduces) checkIsOp(op!)
    const isRoot = on.rank === root
    const inPlace = checkInPlace(operation, send, recv, isRoot)
    const gives = input !== 'none' && (inputAt === 'all' || isRoot)
    const gets = output !== 'none' && (outputAt === 'all' || isRoot)
    // In place the buffer that is given is the other one, of which a part may be what is gotten.
    let given: CallMemory | undefined
    let gotten: CallMemory | undefined
    if (inPlace && operation.inPlace !== 'recv at root') {
      const whole =
        collective === 'reduceScatter' ? this.#memory(on, input, listed, recv, 'recv') : undefined
      given = whole
      gotten =
        whole === undefined
          ? this.#memory(on, output, listed, recv, 'recv')
          : this.#memory(on, 'one', false, ownPart(on, recv as Memory | BlocksByRank), 'recv')
    } else {
      if (gives) given = this.#memory(on, input, listed, send, 'send')
      if (gets && !inPlace) {
        const blocks = listed && collective !== 'reduceScatter'
        gotten = this.#memory(on, output, blocks, recv, receivingName(operation))
      }
    }
    const one = (given ?? gotten)!
    if (given !== undefined && gotten !== undefined) checkKinds(operation, given, gotten)
    if (!inPlace) checkApart(operation, given, gotten)
    if (gotten instanceof WholeMemory || gotten instanceof ListedMemory) {
      gotten.checkWritable(operation.name)
    }
    const { lengths, blockBytes } = this.#lengths(on, operation, given, gotten, inPlace)
    if (reduces) this.#checkOperands(op!, one, collective === 'reduceScatter' ? lengths : undefined)
    const vector = vectorOf(one, op)
    const knownBlocks = !listed || collective === 'allgather' || collective === 'reduceScatter'
    return {
      operation,
      kind: one.kind,
      given,
      gotten,
      inPlace,
      aliased: inPlace && collective !== 'alltoall' && collective !== 'reduceScatter',
      blockBytes,
      lengths,
      vector,
      ...sizesFor(on, operation, one, blockBytes, lengths),
      division: divisionOf(operation, one, op, knownBlocks ? lengths : undefined),
      knownBlocks,
    }
  }

  /** The blocks of a call that is like one before but for where its buffers lie, if it is. */
  again(
    messages: MemoryMessages,
    on: CommunicatorState,
    known: KnownCall,
    { send, recv }: MemoryArguments,
    number: number,
  ): MemoryBlocks | undefined {
    const { kind, layout, givenBytes, gottenBytes, inPlace } = known
    if (this.#rank.ownership.busy) return undefined
    let input = 0
    let output = 0
    if (gottenBytes >= 0) {
      const view = this.#payloads.known(recv)
      if (view === undefined || view.kind !== kind || view.bytes !== gottenBytes) return undefined
      output = view.address
    }
    if (inPlace) {
      if (send !== IN_PLACE) return undefined
      input = output
    } else if (givenBytes >= 0) {
      const view = this.#payloads.known(send)
      if (view === undefined || view.kind !== kind || view.bytes !== givenBytes) return undefined
      input = view.address
      const apart = input + givenBytes <= output || output + gottenBytes <= input
      if (!apart && gottenBytes > 0 && givenBytes > 0) return undefined
    }
    // Those of the last call, unless it is under way: an async program may be in several at once.
    if (known.plan.idle !== undefined && known.blocks !== undefined) {
      return known.blocks.bind(number, input, output)
    }
    known.blocks = new MemoryBlocks(messages, on, number, layout, input, output, AS_THEY_ARE)
    return known.blocks
  }

  /** Lays the buffers out: registered memory as it is, everything else as a packed copy. */
  bind(
    on: CommunicatorState,
    call: ResolvedCall,
    op: Op | undefined,
    schedule: Schedule,
    lasting: boolean,
  ): BoundCall {
    const { operation, given, gotten, inPlace, aliased, kind, vector, blockBytes, lengths } = call
    const { strictZeroCopy, eagerLimitBytes } = this.#rank
    const limit = strictZeroCopy ? eagerLimitBytes : Infinity
    const buffers = new StagedBuffers(this.#rank, operation.name, limit)
    try {
      // In place of a reduce-scatter what is gotten is a part of what is given, and both are one buffer.
      const isPart = inPlace && given !== undefined && gotten !== undefined
      buffers.own(isPart ? undefined : given, isPart ? given : gotten, lasting)
      const shape = shapeOf(on, operation, vector, schedule.env.blocks, blockBytes, lengths)
      const { input, output } = collectives[operation.collective]
      const map = (extent: Extent, memory: CallMemory, packed: boolean): BlockMap => {
        if (extent === 'one') return new EvenBlocks(1, 1, memory.bytes)
        if (memory.blocks === undefined || extent === 'vector') return shape
        return packed ? new ListedBlocks(blockLengths(memory.blocks)) : memory.blocks
      }
      const ranges =
        operation.collective === 'allgather' || operation.collective === 'reduceScatter'
      const unpacked = (memory: CallMemory): boolean =>
        ranges && memory.blocks !== undefined && !memory.blocks.isPacked
      let source: Region | undefined
      let target: Region | undefined
      if (given !== undefined) {
        // What is read by others while it is overwritten here is copied first.
        const copied = unpacked(given) || (inPlace && !aliased)
        source = {
          address: buffers.input(given, copied),
          map: map(input, given, copied || given.address === 0),
        }
      }
      if (gotten !== undefined) {
        const copied = unpacked(gotten)
        const holdsInput =
          operation.collective === 'bcast' || aliased || operation.collective === 'exscan'
        target = {
          address: buffers.output(gotten, holdsInput, copied),
          map: map(output, gotten, copied || gotten.address === 0),
        }
      }
      if (inPlace && !aliased && given === undefined) {
        // An all-to-all in place: what is sent is a copy of what is received into.
        const copied = { address: buffers.input(gotten!, true) }
        source = { ...copied, map: map(input, gotten!, true) }
      } else if (aliased) {
        if (operation.inPlace === 'recv at root') target = partOf(source!, on.rank)
        else
          source =
            collectives[operation.collective].input === 'one' ? partOf(target!, on.rank) : target!
      }
      const layout = new MemoryLayout(this.#rank.memory.kernels, {
        operation: operation.name,
        kind,
        op,
        shape,
        input: source?.map,
        output: target?.map,
        listed: operation.listed && operation.collective !== 'reduceScatter',
        scratch: schedule.scratch,
      })
      return { layout, input: source?.address ?? 0, output: target?.address ?? 0, buffers }
    } catch (error) {
      buffers.release()
      throw error
    }
  }

  #memory(
    on: CommunicatorState,
    extent: Extent,
    listed: boolean,
    buffer: Buffer,
    argument: string,
  ): CallMemory {
    if (listed && extent === 'each') {
      return new ListedMemory(this.#payloads, buffer as BlocksByRank, on.size, argument)
    }
    if (
      buffer !== undefined &&
      typeof buffer === 'object' &&
      'counts' in buffer &&
      kindOf(buffer) === NO_KIND
    ) {
      const expected = 'a typed array, or { data, count, datatype, offset } with one'
      const advice = 'Blocks with counts are for the v-forms'
      throw new BufferError({ argument, seen: buffer, expected, advice })
    }
    return new WholeMemory(this.#payloads, buffer as Memory, argument)
  }

  /** Lengths of the blocks, and whether the buffers fit them. */
  #lengths(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: CallMemory | undefined,
    gotten: CallMemory | undefined,
    inPlace: boolean,
  ): { lengths: readonly number[] | undefined; blockBytes: number } {
    const { collective, listed } = operation
    const { input, output } = collectives[collective]
    const each =
      input === 'each'
        ? (given ?? (inPlace ? gotten : undefined))
        : output === 'each'
          ? gotten
          : undefined
    const one = input === 'one' ? given : output === 'one' ? gotten : undefined
    if (listed) {
      const lengths = each?.blocks === undefined ? undefined : blockLengths(each.blocks)
      const own = lengths?.[on.rank]
      if (own !== undefined && one !== undefined && !inPlace && one.bytes !== own) {
        throw countError(operation, one, own, `block ${on.rank}`)
      }
      return { lengths, blockBytes: 0 }
    }
    if (input === 'vector' || output === 'vector') {
      if (given !== undefined && gotten !== undefined && given.bytes !== gotten.bytes) {
        throw countError(operation, gotten, given.bytes, 'what is sent')
      }
      return { lengths: undefined, blockBytes: 0 }
    }
    if (input === 'each' && output === 'each' && given !== undefined && gotten !== undefined) {
      if (given.bytes !== gotten.bytes)
        throw countError(operation, gotten, given.bytes, 'what is sent')
    }
    if (each !== undefined && each.items % on.size !== 0) {
      const expected = `a multiple of ${on.size} items: one block for each rank`
      const argument = each === given ? 'send' : 'recv'
      throw new CountError({ argument, seen: each.items, expected })
    }
    const blockBytes = each === undefined ? one!.bytes : each.bytes / on.size
    if (one !== undefined && one.bytes !== blockBytes) {
      throw countError(operation, one, blockBytes, `one of the ${on.size} blocks`)
    }
    return { lengths: undefined, blockBytes }
  }

  #checkOperands(op: Op, memory: CallMemory, lengths: readonly number[] | undefined): void {
    const elementBytes = memory.data.BYTES_PER_ELEMENT
    op.checkMemory(memory.kind, memory.bytes / elementBytes)
    if (lengths !== undefined) {
      for (const bytes of lengths) op.checkMemory(memory.kind, bytes / elementBytes)
    }
  }
}

/** The part of a buffer of blocks that takes the one block of the result, in place: its beginning. */
function ownPart({ rank, size }: CommunicatorState, recv: Memory | BlocksByRank): Memory {
  if (kindOf(recv) !== NO_KIND) {
    const data = recv as TypedArray
    return data.subarray(0, Math.floor(data.length / size))
  }
  if ('counts' in (recv as object)) {
    const { data, counts, datatype } = recv as BlocksByRank
    return { data, count: counts[rank]!, ...(datatype === undefined ? {} : { datatype }) }
  }
  const { data, offset = 0, datatype, count } = recv as Exclude<Memory, TypedArray>
  const items = count ?? (datatype === undefined ? data.length - offset : 1)
  return {
    data,
    offset,
    count: Math.floor(items / size),
    ...(datatype === undefined ? {} : { datatype }),
  }
}

function partOf({ address, map }: Region, block: number): Region {
  return { address: address + map.start(block), map: new EvenBlocks(1, 1, map.bytes(block, 1)) }
}

function blockLengths(blocks: ListedBlocks): readonly number[] {
  return Array.from({ length: blocks.blocks }, (_, block) => blocks.bytes(block, 1))
}

function shapeOf(
  { size }: CommunicatorState,
  { collective }: CollectiveOperation,
  { bytes, items }: { bytes: number; items: number },
  blocks: number,
  blockBytes: number,
  lengths: readonly number[] | undefined,
): BlockMap {
  const { input, output } = collectives[collective]
  if (input === 'vector' || output === 'vector') {
    return new EvenBlocks(items, blocks, items === 0 ? 0 : bytes / items)
  }
  return lengths === undefined ? new EvenBlocks(size, size, blockBytes) : new ListedBlocks(lengths)
}

/**
 * What a vector may be cut into: elements, or pairs, whatever datatypes its ranks see them through. Of
 * functions of the user it is whole items of the datatype, which must be one then, or all that is given.
 */
function vectorOf(memory: CallMemory, op: Op | undefined): { bytes: number; items: number } {
  const { bytes, items, itemBytes, data } = memory
  const elements = bytes / data.BYTES_PER_ELEMENT
  const unit = op?.unit ?? 1
  if (unit !== Infinity) return { bytes, items: elements / unit }
  return { bytes, items: itemBytes > data.BYTES_PER_ELEMENT ? items : Math.min(elements, 1) }
}

/** Blocks by rank are listed alike everywhere, and functions of the user see the same items. */
function divisionOf(
  { collective }: CollectiveOperation,
  memory: CallMemory,
  op: Op | undefined,
  lengths: readonly number[] | undefined,
): Division | undefined {
  const elementBytes = memory.data.BYTES_PER_ELEMENT
  if (lengths !== undefined) {
    const numbers = lengths.map((bytes) => bytes / elementBytes)
    const more = numbers.length > LISTED_COUNTS ? ', …' : ''
    return { numbers, words: `counts ${numbers.slice(0, LISTED_COUNTS).join(', ')}${more}` }
  }
  const { items, itemBytes } = memory
  const isWhole = op?.unit !== Infinity || collective === 'reduceScatter' || items <= 1
  if (isWhole || itemBytes === elementBytes) return undefined
  return { numbers: [items], words: `items of ${itemBytes / elementBytes}` }
}

const LISTED_COUNTS = 8

function sizesFor(
  { size }: CommunicatorState,
  { collective, listed }: CollectiveOperation,
  memory: CallMemory,
  blockBytes: number,
  lengths: readonly number[] | undefined,
): { ruleBytes: number; slotBytes: number; count: number } {
  const elementBytes = memory.data.BYTES_PER_ELEMENT
  const { input, output } = collectives[collective]
  if (input === 'vector' || output === 'vector') {
    const { bytes } = memory
    return { ruleBytes: bytes, slotBytes: bytes, count: bytes / elementBytes }
  }
  if (collective === 'reduceScatter') {
    const bytes = lengths === undefined ? blockBytes * size : lengths.reduce((a, b) => a + b, 0)
    return { ruleBytes: bytes, slotBytes: bytes, count: bytes / elementBytes }
  }
  if (listed) {
    const known = collective === 'allgather' && lengths !== undefined
    const ruleBytes = known ? lengths.reduce((a, b) => a + b, 0) / size : 0
    return { ruleBytes, slotBytes: Infinity, count: -1 }
  }
  const slotBytes = input === 'each' ? blockBytes * size : blockBytes
  return { ruleBytes: blockBytes, slotBytes, count: blockBytes / elementBytes }
}

/** What is received into, as the face calls it. */
function receivingName({ collective }: CollectiveOperation): string {
  return collective === 'bcast' ? 'memory' : 'recv'
}

/** @returns whether the call is in place */
function checkInPlace(
  operation: CollectiveOperation,
  send: Buffer,
  recv: Buffer,
  isRoot: boolean,
): boolean {
  const { name, inPlace } = operation
  const refuse = (argument: string): never => {
    const where =
      inPlace === 'nowhere'
        ? `memory: ${name} has no form in place`
        : inPlace === 'send'
          ? 'memory; IN_PLACE stands instead of `send`'
          : `memory; IN_PLACE stands instead of \`${inPlace.split(' ')[0]}\`, at the root only`
    throw new ArgumentError({ argument, seen: IN_PLACE, expected: where })
  }
  if (recv === IN_PLACE) {
    return inPlace === 'recv at root' && isRoot ? true : refuse(receivingName(operation))
  }
  if (send !== IN_PLACE) return false
  if (inPlace === 'send' || (inPlace === 'send at root' && isRoot)) return true
  return refuse('send')
}

function checkKinds({ name }: CollectiveOperation, given: CallMemory, gotten: CallMemory): void {
  if (given.kind === gotten.kind) return
  const seen = `${nameOf(given.kind)} and ${nameOf(gotten.kind)}`
  throw new DatatypeError(
    `${name}: what is sent and what is received into are ${seen}, but must be of one kind`,
  )
}

/** Send and receive buffer must not share memory (MPI 4.1, section 2.4.1). */
function checkApart(
  { name, inPlace }: CollectiveOperation,
  given: CallMemory | undefined,
  gotten: CallMemory | undefined,
): void {
  if (given === undefined || gotten === undefined || given.data.buffer !== gotten.data.buffer)
    return
  if (areApart(given, gotten)) return
  throw new OverlapError({
    operation: name,
    first: 'send',
    second: 'recv',
    ...(inPlace === 'nowhere'
      ? {}
      : { advice: 'To work in place, pass IN_PLACE instead of one of them' }),
  })
}

function areApart(given: CallMemory, gotten: CallMemory): boolean {
  if (given.owned !== undefined && gotten.owned !== undefined) {
    const { data: a, bytesMax: aBytes } = given.owned
    const { data: b, bytesMax: bBytes } = gotten.owned
    if (aBytes === 0 || bBytes === 0) return true
    return a.byteOffset + aBytes <= b.byteOffset || b.byteOffset + bBytes <= a.byteOffset
  }
  const a = spanOfAll(given.parts.map(spanOf))
  const b = spanOfAll(gotten.parts.map(spanOf))
  const both = { first: Math.max(a.first, b.first), end: Math.min(a.end, b.end) }
  if (both.first >= both.end) return true
  // They may interlock, such as columns of one table.
  const touched = new TouchedElements(both)
  for (const part of given.parts) touched.touch(part, 0)
  return gotten.parts.every((part) => touched.touch(part, 1) < 0)
}

function countError(
  { name }: CollectiveOperation,
  { bytes, data }: CallMemory,
  expectedBytes: number,
  what: string,
): CountError {
  const expected = `${quantity(expectedBytes / data.BYTES_PER_ELEMENT, 'element')}, as ${what} has`
  return new CountError({
    argument: `count of ${name}`,
    seen: bytes / data.BYTES_PER_ELEMENT,
    expected,
  })
}
