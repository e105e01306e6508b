import type { CommunicatorState } from '../../comm/communicator-state.js'
import { freshArray, bytesOf, kindOf, NO_KIND, type TypedArray } from '../../datatype/index.js'
import { type Board, Entry } from '../../device/board.js'
import type { Counters } from '../../device/counters.js'
import type { StagingPool } from '../../device/staging-pool.js'
import { InternalError } from '../../errors/index.js'
import type { Op } from '../../op/index.js'
import { BIGINT, EMPTY, isElementKind, NUMBER } from '../../p2p/message-kind.js'
import { BytesPayload, type Payload } from '../../p2p/payload.js'
import type { Process } from '../../p2p/process.js'
import type { Request } from '../../p2p/request.js'
import type { EncodedValue, ValueCodec } from '../../value/value-codec.js'
import type { Blocks } from './blocks.js'
import { IN, LOWER, OUT, SHARED, SLOT, TMP, type Side } from './buffer.js'
import type { Schedule } from './schedule.js'

/** How values travel. */
export interface ValueMessages {
  readonly process: Process
  readonly staging: StagingPool
  readonly codec: ValueCodec
  readonly counters: Counters
  payloadOf(value: unknown): Payload
  sendPayload(
    on: CommunicatorState,
    payload: Payload,
    dest: number,
    tag: number,
  ): Request<void> | undefined
  receiveValue(on: CommunicatorState, source: number, tag: number): Request<unknown>
}

/** What the caller gives, by block, and what of it had to be serialised already. */
interface Given {
  readonly input: readonly unknown[]
  readonly output?: readonly unknown[]
  readonly encoded?: readonly (EncodedValue | undefined)[] | undefined
}

/** Kind, bytes and address of each value, before the values themselves. */
const TABLE_BYTES = 16
const NUMBER_BYTES = 8
/** In place of an address: a number that lies in the short slot of the entry. */
const WITHIN_ENTRY = 1
const KIND = 0
const BYTES = 1
const ADDRESS = 2

/**
 * Blocks that are values: whole, of any length, and told apart by themselves. A message of several
 * blocks is an array of them. What is published is serialised into the slot, or where it says.
 */
export class ValueBlocks implements Blocks {
  readonly #messages: ValueMessages
  readonly #communicator: CommunicatorState
  readonly #board: Board | undefined
  #number: number
  readonly #op: Op | undefined
  readonly #values: unknown[][]
  readonly #outputs: number
  /** What the caller gives lies there, and has been serialised as far as it had to be. */
  #given: number
  #encoded: readonly (EncodedValue | undefined)[] | undefined

  constructor(
    messages: ValueMessages,
    communicator: CommunicatorState,
    { counts }: Schedule,
    number: number,
    given: Given,
    op: Op | undefined,
  ) {
    this.#messages = messages
    this.#communicator = communicator
    this.#board = communicator.board
    this.#number = number
    this.#op = op
    this.#values = [[], [], emptyOf(counts[TMP]!), [], []]
    this.#outputs = counts[OUT]!
    this.#given = IN
    this.#encoded = undefined
    this.bind(number, given)
  }

  /** Uses them for a call of this number, once the caller has what the one before gave. */
  bind(number: number, { input, output, encoded }: Given): this {
    const values = this.#values
    this.#number = number
    this.#encoded = encoded
    this.#given = output === undefined ? IN : OUT
    values[IN] = input as unknown[]
    values[OUT] = output === undefined ? emptyOf(this.#outputs) : [...output]
    return this
  }

  /** Lets go of all values; the caller has what is to be gotten. */
  forget(): void {
    const values = this.#values
    this.#encoded = undefined
    values[IN] = NOTHING
    values[OUT] = NOTHING
    if (values[TMP]!.length > 0) values[TMP] = emptyOf(values[TMP]!.length)
    if (values[SHARED]!.length > 0) values[SHARED] = []
  }

  /** What the caller gets, by block. */
  get output(): readonly unknown[] {
    return this.#values[OUT]!
  }

  send(peer: number, buffer: number, index: number, count: number): Request<void> | undefined {
    const payload =
      count === 1
        ? this.#payloadOf(buffer, index)
        : this.#messages.payloadOf(this.#values[buffer]!.slice(index, index + count))
    return this.#messages.sendPayload(this.#communicator, payload, peer, this.#tag)
  }

  receive(peer: number): Request<unknown> {
    return this.#messages.receiveValue(this.#communicator, peer, this.#tag)
  }

  received(request: Request<unknown>, buffer: number, index: number, count: number): void {
    const value = request.take()
    const values = this.#values[buffer]!
    if (count === 1) values[index] = value
    else for (let i = 0; i < count; i++) values[index + i] = (value as unknown[])[i]
  }

  receiveAside(peer: number): Request<unknown> {
    return this.receive(peer)
  }

  foldReceived(
    request: Request<unknown>,
    buffer: number,
    index: number,
    count: number,
    side: Side,
  ): void {
    const value = request.take()
    for (let i = 0; i < count; i++) {
      this.#fold(buffer, index + i, count === 1 ? value : (value as unknown[])[i], side)
    }
  }

  copy(from: number, index: number, to: number, toIndex: number, count: number): void {
    if (to === SLOT) return this.#fillSlot(from, index, toIndex, count)
    for (let i = 0; i < count; i++) {
      this.#values[to]![toIndex + i] = this.#copyOf(from, index + i)
    }
  }

  reduce(
    from: number,
    index: number,
    to: number,
    toIndex: number,
    count: number,
    side: Side,
  ): void {
    for (let i = 0; i < count; i++) {
      this.#fold(to, toIndex + i, this.#copyOf(from, index + i), side)
    }
  }

  expose(): void {}

  get(peer: number, from: number, index: number, to: number, toIndex: number, count: number): void {
    for (let i = 0; i < count; i++) {
      this.#values[to]![toIndex + i] = this.#valueOfPeer(peer, from, index + i)
    }
  }

  getReduce(
    peer: number,
    from: number,
    index: number,
    to: number,
    toIndex: number,
    count: number,
    side: Side,
  ): void {
    for (let i = 0; i < count; i++) {
      this.#fold(to, toIndex + i, this.#valueOfPeer(peer, from, index + i), side)
    }
  }

  put(): never {
    throw new InternalError('values are fetched, never put')
  }

  /** What this rank has folded for all is serialised, so that the others can read it. */
  endOnce(): number {
    const count = this.#values[SHARED]!.length
    return this.#serialise(SHARED, 0, count, this.#board!.sharedRoom(this.#number))
  }

  finish(): void {}

  release(): void {}

  get #tag(): number {
    return this.#number & 0x3fffffff
  }

  /** The caller's values stay the caller's, and what may be folded into is nobody else's. */
  #copyOf(buffer: number, index: number): unknown {
    if (buffer === SHARED && this.#values[SHARED]!.length === 0) {
      return this.#valueAt(this.#board!.onceResult(this.#number), index)
    }
    const value = this.#values[buffer]![index]
    if (typeof value !== 'object' || value === null) return value
    if (kindOf(value) !== NO_KIND) return (value as TypedArray).slice()
    if (buffer !== IN) return value
    const { codec } = this.#messages
    const { kind, bytes } = this.#encoded?.[index] ?? codec.encode(value)
    return codec.decode(kind, bytes)
  }

  #fold(buffer: number, index: number, value: unknown, side: Side): void {
    const values = this.#values[buffer]!
    const own = values[index]
    values[index] =
      side === LOWER ? this.#op!.combineValues(value, own) : this.#op!.combineValues(own, value)
  }

  #fillSlot(from: number, index: number, toIndex: number, count: number): void {
    if (toIndex !== 0) throw new InternalError('a slot of values is filled at once')
    const board = this.#board!
    const { rank } = this.#communicator
    const values = this.#values[from]!
    const word = board.draftOf(this.#number) >>> 2
    const only = count === 1 ? values[index] : undefined
    this.#messages.process.memory.i32[word + Entry.slotAddress] =
      typeof only === 'number'
        ? this.#writeNumber(only)
        : this.#serialise(from, index, count, board.slotOf(rank, this.#number))
  }

  /** The most common of all, in short: within the entry. */
  #writeNumber(value: number): number {
    const room = this.#board!.shortSlot(this.#number)
    this.#messages.process.memory.f64[room >>> 3] = value
    return WITHIN_ENTRY
  }

  #payloadOf(buffer: number, index: number): Payload {
    const encoded = buffer === this.#given ? this.#encoded?.[index] : undefined
    if (encoded !== undefined) return new BytesPayload(encoded.kind, encoded.bytes)
    return this.#messages.payloadOf(this.#values[buffer]![index])
  }

  /** Writes values to `room`, or where there is room. @returns where */
  #serialise(buffer: number, first: number, count: number, room: number): number {
    const { memory } = this.#messages.process
    const payloads: Payload[] = []
    for (let i = 0; i < count; i++) payloads.push(this.#payloadOf(buffer, first + i))
    let total = count * TABLE_BYTES
    for (const { bytes } of payloads) total += aligned(bytes)
    let base = room
    if (total > this.#board!.slotBytes) {
      base = this.#messages.staging.allocate(total)
      this.#board!.keep(this.#number, base)
    }
    let at = base + count * TABLE_BYTES
    payloads.forEach((payload, index) => {
      const word = (base + index * TABLE_BYTES) >>> 2
      memory.i32[word + KIND] = payload.kind
      memory.i32[word + BYTES] = payload.bytes
      memory.i32[word + ADDRESS] = at
      if (payload.bytes > 0) payload.write(memory, at)
      at += aligned(payload.bytes)
    })
    return base
  }

  #valueOfPeer(peer: number, buffer: number, index: number): unknown {
    const board = this.#board!
    if (buffer === SHARED) return this.#valueAt(board.onceResult(this.#number), index)
    const { i32, f64 } = this.#messages.process.memory
    const word = board.entrySeen(peer, this.#number) >>> 2
    const address = i32[word + Entry.slotAddress]! >>> 0
    if (address !== WITHIN_ENTRY) return this.#valueAt(address, index)
    this.#messages.counters.countDirect(NUMBER_BYTES)
    return f64[board.shortSlotSeen(peer, this.#number) >>> 3]
  }

  #valueAt(base: number, index: number): unknown {
    const { i32, f64, i64, u8 } = this.#messages.process.memory
    const word = (base + index * TABLE_BYTES) >>> 2
    const kind = i32[word + KIND]!
    const bytes = i32[word + BYTES]! >>> 0
    const address = i32[word + ADDRESS]! >>> 0
    this.#messages.counters.countDirect(bytes)
    if (kind === NUMBER) return f64[address >>> 3]
    if (kind === BIGINT) return i64[address >>> 3]
    if (kind === EMPTY) return undefined
    if (!isElementKind(kind)) return this.#messages.codec.decode(kind, u8, address, bytes)
    const array = freshArray(kind, bytes / bytesOf(kind))
    new Uint8Array(array.buffer, 0, bytes).set(u8.subarray(address, address + bytes))
    return array
  }
}

const NOTHING: unknown[] = []

function emptyOf(count: number): unknown[] {
  const values: unknown[] = []
  for (let i = 0; i < count; i++) values.push(undefined)
  return values
}

function aligned(bytes: number): number {
  return (bytes + 7) & ~7
}
