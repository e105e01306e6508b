import type { CommunicatorState } from '../../comm/communicator-state.js'
import { arrayOf, type ElementKind } from '../../datatype/index.js'
import { type Board, Entry } from '../../device/board.js'
import type { Counters } from '../../device/counters.js'
import type { StagingPool } from '../../device/staging-pool.js'
import { BlockError } from '../../errors/index.js'
import type { Process } from '../../p2p/process.js'
import type { Request } from '../../p2p/request.js'
import { nameOf } from '../../datatype/index.js'
import type { BlockMap } from './block-map.js'
import { BlockReceive } from './block-receive.js'
import type { Blocks } from './blocks.js'
import { IN, LOWER, OUT, SHARED, SLOT, TMP, type Side } from './buffer.js'
import type { MemoryLayout } from './memory-layout.js'

/** How blocks of memory travel. */
export interface MemoryMessages {
  readonly process: Process
  readonly staging: StagingPool
  readonly counters: Counters
  sendMemory(
    on: CommunicatorState,
    kind: ElementKind,
    address: number,
    bytes: number,
    dest: number,
    tag: number,
  ): Request<void> | undefined
  post(receive: BlockReceive): void
}

/** What happens to the caller's memory at the end. */
export interface CallerBuffers {
  /** Copies results that lie elsewhere to it. */
  finish(): void
  /** Gives back copies, and the memory to the caller. */
  release(): void
}

/** Blocks that are bytes in the world's memory, moved and folded by kernels. */
export class MemoryBlocks implements Blocks {
  readonly #messages: MemoryMessages
  readonly #communicator: CommunicatorState
  readonly #board: Board | undefined
  #number: number
  readonly #layout: MemoryLayout
  readonly #buffers: CallerBuffers
  /** Where each buffer of the plan begins. */
  readonly #addresses: number[]
  #tables = 0

  constructor(
    messages: MemoryMessages,
    communicator: CommunicatorState,
    number: number,
    layout: MemoryLayout,
    input: number,
    output: number,
    buffers: CallerBuffers,
  ) {
    this.#messages = messages
    this.#communicator = communicator
    this.#board = communicator.board
    this.#layout = layout
    this.#buffers = buffers
    this.#addresses = [0, 0, 0, 0, 0]
    this.#number = number
    this.bind(number, input, output)
  }

  /** Uses them for a call of this number, with buffers that begin at these addresses. */
  bind(number: number, input: number, output: number): this {
    const addresses = this.#addresses
    const board = this.#board
    const { scratchBytes } = this.#layout
    this.#number = number
    addresses[IN] = input
    addresses[OUT] = output
    if (scratchBytes > 0) addresses[TMP] = this.#messages.staging.allocate(scratchBytes)
    if (board !== undefined) {
      addresses[SLOT] = this.#layout.shortSlot
        ? board.shortSlot(number)
        : board.slotOf(this.#communicator.rank, number)
      addresses[SHARED] = board.sharedRoom(number)
    }
    return this
  }

  send(peer: number, buffer: number, index: number, count: number): Request<void> | undefined {
    const at = this.#at(buffer, index)
    const bytes = this.#bytes(buffer, index, count)
    return this.#messages.sendMemory(
      this.#communicator,
      this.#layout.kind,
      at,
      bytes,
      peer,
      this.#tag,
    )
  }

  receive(peer: number, buffer: number, index: number, count: number): Request<unknown> {
    return this.#receiveAt(peer, this.#at(buffer, index), this.#bytes(buffer, index, count))
  }

  received(): void {}

  receiveAside(peer: number, buffer: number, index: number, count: number): Request<unknown> {
    const bytes = this.#bytes(buffer, index, count)
    return this.#receiveAt(peer, this.#messages.staging.allocate(Math.max(bytes, 1)), bytes)
  }

  foldReceived(
    request: Request<unknown>,
    buffer: number,
    index: number,
    count: number,
    side: Side,
  ): void {
    const { address } = request as BlockReceive
    this.#fold(this.#at(buffer, index), address, this.#bytes(buffer, index, count), side)
    this.#messages.staging.free(address)
  }

  copy(from: number, index: number, to: number, toIndex: number, count: number): void {
    this.#move(this.#at(to, toIndex), this.#at(from, index), this.#bytes(to, toIndex, count))
  }

  reduce(
    from: number,
    index: number,
    to: number,
    toIndex: number,
    count: number,
    side: Side,
  ): void {
    const bytes = this.#bytes(to, toIndex, count)
    this.#fold(this.#at(to, toIndex), this.#at(from, index), bytes, side)
  }

  expose(): void {
    const { i32 } = this.#messages.process.memory
    const word = this.#board!.draftOf(this.#number) >>> 2
    i32[word + Entry.inAddress] = this.#addresses[IN]!
    i32[word + Entry.outAddress] = this.#addresses[OUT]!
    i32[word + Entry.inTable] = 0
    i32[word + Entry.outTable] = 0
    i32[word + Entry.bytes] = this.#layout.bytes
    if (this.#layout.listed) this.#exposeTables(word)
  }

  get(peer: number, from: number, index: number, to: number, toIndex: number, count: number): void {
    const bytes = this.#bytes(to, toIndex, count)
    this.#move(this.#at(to, toIndex), this.#atPeer(peer, from, index, bytes, true), bytes)
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
    const bytes = this.#bytes(to, toIndex, count)
    this.#fold(this.#at(to, toIndex), this.#atPeer(peer, from, index, bytes, true), bytes, side)
  }

  put(peer: number, from: number, index: number, to: number, toIndex: number, count: number): void {
    const bytes = this.#bytes(from, index, count)
    this.#move(this.#atPeer(peer, to, toIndex, bytes, false), this.#at(from, index), bytes)
  }

  endOnce(): number {
    return this.#addresses[SHARED]!
  }

  finish(): void {
    this.#buffers.finish()
  }

  release(): void {
    this.#buffers.release()
    const { staging } = this.#messages
    const addresses = this.#addresses
    if (addresses[TMP] !== 0) staging.free(addresses[TMP]!)
    if (this.#tables !== 0) staging.free(this.#tables)
    addresses[TMP] = this.#tables = 0
  }

  get #tag(): number {
    return this.#number & 0x3fffffff
  }

  #at(buffer: number, index: number): number {
    return this.#addresses[buffer]! + this.#layout.maps[buffer]!.start(index)
  }

  #bytes(buffer: number, index: number, count: number): number {
    return this.#layout.maps[buffer]!.bytes(index, count)
  }

  #receiveAt(peer: number, address: number, bytes: number): Request<unknown> {
    const { kind, operation } = this.#layout
    const { process } = this.#messages
    const receive = new BlockReceive(
      process,
      this.#communicator,
      operation,
      peer,
      this.#tag,
      kind,
      address,
      bytes,
    )
    this.#messages.post(receive)
    return receive
  }

  #move(target: number, source: number, bytes: number): void {
    if (bytes > 0 && target !== source) {
      const { memory, carrier } = this.#messages.process
      carrier.clock?.copy(bytes)
      if (carrier.clock?.movesData === false) return
      memory.kernels.copy(target, source, bytes)
    }
  }

  #fold(target: number, source: number, bytes: number, side: Side): void {
    if (bytes === 0) return
    const { clock } = this.#messages.process.carrier
    clock?.fold(bytes)
    if (clock?.movesData === false) return
    const { kernel, elementBytes } = this.#layout
    const count = bytes / elementBytes
    if (kernel === undefined) this.#foldByFunction(target, source, count, side)
    else if (side === LOWER) kernel(target, source, target, count)
    else kernel(target, target, source, count)
  }

  /** The second operand takes the result: when that is not the target, it is a copy. */
  #foldByFunction(target: number, source: number, count: number, side: Side): void {
    const { kind, op } = this.#layout
    const { buffer } = this.#messages.process.memory
    const incoming = arrayOf(kind, buffer, source, count).slice()
    const own = arrayOf(kind, buffer, target, count)
    if (side === LOWER) op!.combineArrays(incoming, own)
    else {
      op!.combineArrays(own, incoming)
      own.set(incoming as never)
    }
  }

  /** Where a block of a peer lies, once the peer has published it. */
  #atPeer(peer: number, buffer: number, index: number, bytes: number, reads: boolean): number {
    if (peer !== this.#communicator.rank) this.#messages.counters.countDirect(bytes)
    if (buffer === SHARED) return this.#at(SHARED, index)
    const board = this.#board!
    if (buffer === SLOT) {
      const slot = this.#layout.shortSlot
        ? board.shortSlotSeen(peer, this.#number)
        : board.slotOf(peer, this.#number)
      return slot + this.#layout.maps[SLOT]!.start(index)
    }
    const { i32 } = this.#messages.process.memory
    const word = board.entrySeen(peer, this.#number) >>> 2
    const address = i32[word + (buffer === IN ? Entry.inAddress : Entry.outAddress)]! >>> 0
    const table = i32[word + (buffer === IN ? Entry.inTable : Entry.outTable)]! >>> 0
    if (table === 0) {
      // Counts were compared, but long ones by a hash: beyond the peer's memory is somebody else's.
      const there = i32[word + Entry.bytes]!
      const here = this.#layout.bytes | 0
      if (there !== here)
        throw this.#lengthsDiffer(peer, reads ? there : here, reads ? here : there)
      // A peer's single block begins where its buffer does.
      return index === 0 ? address : address + this.#layout.shape.start(index)
    }
    const entry = (table >>> 2) + 2 * index
    const there = i32[entry + 1]! >>> 0
    if (there !== bytes)
      throw this.#lengthsDiffer(peer, reads ? there : bytes, reads ? bytes : there)
    return address + (i32[entry]! >>> 0)
  }

  #lengthsDiffer(peer: number, sentBytes: number, expectedBytes: number): BlockError {
    const { operation, kind, elementBytes } = this.#layout
    const element = { name: nameOf(kind), bytes: elementBytes }
    const communicator = this.#communicator.name
    return new BlockError({ operation, communicator, peer, sentBytes, expectedBytes, element })
  }

  /** Start and length of each block, for peers that do not know them. */
  #exposeTables(word: number): void {
    const { input, output } = this.#layout
    const blocks = (input?.blocks ?? 0) + (output?.blocks ?? 0)
    if (blocks === 0) return
    const { i32 } = this.#messages.process.memory
    this.#tables = this.#messages.staging.allocate(blocks * 8)
    let at = this.#tables >>> 2
    const list = (map: BlockMap): number => {
      const table = at << 2
      for (let block = 0; block < map.blocks; block++) {
        i32[at++] = map.start(block)
        i32[at++] = map.bytes(block, 1)
      }
      return table
    }
    if (input !== undefined) i32[word + Entry.inTable] = list(input)
    if (output !== undefined) i32[word + Entry.outTable] = list(output)
  }
}
