import type { CommunicatorState } from '../../comm/communicator-state.js'
import type { Board, Saying } from '../../device/board.js'
import type { Endpoint } from '../../device/endpoint.js'
import type { Process } from '../../p2p/process.js'
import { Request } from '../../p2p/request.js'
import type { Arc } from '../../record/rank-snapshot.js'
import { arcInto } from '../../record/waits.js'
import type { Blocks } from './blocks.js'
import type { Side } from './buffer.js'
import { Hazards } from './hazards.js'
import { Op, OP_WORDS, type Page, type Schedule } from './schedule.js'

/** What a plan runs on besides its blocks. */
export interface Ground {
  readonly process: Process
  readonly endpoint: Endpoint
  /** Messages without content. */
  signal(on: CommunicatorState, dest: number, tag: number): Request<void> | undefined
  awaitSignal(on: CommunicatorState, source: number, tag: number): Request<unknown>
}

/** Sends of one plan that may be under way at once: beyond that the next one waits. */
const SENDS_MAX = 64

/** An operation under way: a message, and the blocks it reads or writes. */
class Pending {
  readonly request: Request<unknown>
  readonly op: number
  readonly buffer: number
  readonly index: number
  readonly count: number
  readonly side: number

  constructor(
    request: Request<unknown>,
    op: number,
    buffer: number,
    index: number,
    count: number,
    side: number,
  ) {
    this.request = request
    this.op = op
    this.buffer = buffer
    this.index = index
    this.count = count
    this.side = side
  }
}

/**
 * Runs the schedule of one rank: begins operations in their order, each as soon as no operation
 * under way stands against it, from whichever call makes progress. It is the request of the
 * collective as well: blocking, non-blocking and persistent forms differ in who waits for it.
 */
export abstract class Execution<T> extends Request<T> {
  declare readonly communicator: CommunicatorState
  /** How many collectives of its communicator came before it. */
  declare number: number
  declare protected readonly schedule: Schedule
  declare protected blocks: Blocks
  declare protected readonly board: Board | undefined
  declare private readonly ground: Ground
  declare private page: Page
  declare private pageNumber: number
  /** Operation that comes next, in its page. */
  declare private next: number
  /** Signals that are waited for: what follows them comes after them. */
  declare private awaited: number
  declare private sendsOpen: number
  declare private pending: Pending[]
  declare private hazards: Hazards | undefined
  declare private advancing: boolean
  /** Whether this rank's entry on the board is its own by now. */
  declare private entered: boolean
  declare private waitsForRoom: boolean
  /** Whether each rank that is waited for is asked what it calls. */
  declare private hears: boolean
  /** Whether what this call is has been said to all. */
  declare private said: boolean
  /** Ranks that are known to have published the stage of a `once`. */
  declare private arrived: number
  /** Set once it is watched for. */
  declare private look: (() => void) | undefined

  constructor(
    ground: Ground,
    communicator: CommunicatorState,
    schedule: Schedule,
    blocks: Blocks,
    number: number,
  ) {
    super(ground.process)
    this.ground = ground
    this.communicator = communicator
    this.schedule = schedule
    this.board = communicator.board
    this.pending = NONE_PENDING
    this.hazards = undefined
    this.look = undefined
    this.advancing = false
    this.waitsForRoom = false
    this.hears = false
    this.said = true
    this.awaited = 0
    this.sendsOpen = 0
    this.arrived = 0
    this.number = number
    this.blocks = blocks
    this.page = schedule.pages === 0 ? NO_PAGE : schedule.page(0)
    this.pageNumber = 0
    this.next = 0
    this.entered = schedule.algorithm.needs.sharedMemory !== true
  }

  /** What this rank says of its call, and the error when another says something else. */
  protected abstract readonly saying: Saying
  protected abstract disagreement(other: Saying): Error

  /** What this call is was not said to all: each rank that is waited for says it itself, at no cost. */
  protected hearEach(): void {
    this.hears = true
    this.said = false
  }

  /** Makes a completed run ready for another with the same schedule; nobody else may know of it. */
  protected restart(blocks: Blocks, number: number): void {
    this.done = false
    this.hears = false
    this.said = true
    this.number = number
    this.blocks = blocks
    if (this.pageNumber !== 0) this.page = this.schedule.page(0)
    this.pageNumber = 0
    this.next = 0
    this.entered = this.schedule.algorithm.needs.sharedMemory !== true
    this.look = undefined
  }

  /** Tag of its messages: collectives on one communicator are begun in the same order everywhere. */
  private get tag(): number {
    return this.number & 0x3fffffff
  }

  /** Goes on as far as possible. */
  advance(): void {
    // A completion may come out of what is begun here: the loop sees it by itself.
    if (this.done || this.advancing) return
    this.advancing = true
    try {
      if (this.entered || this.enter()) this.run()
    } catch (error) {
      this.break(error)
    } finally {
      this.advancing = false
    }
  }

  private run(): void {
    for (;;) {
      while (this.next < this.page.length) if (this.done || !this.step()) return
      if (this.done) return
      if (this.pageNumber + 1 < this.schedule.pages) {
        this.page = this.schedule.page(++this.pageNumber)
        this.next = 0
      } else if (this.pending.length === 0) {
        this.blocks.finish()
        this.end()
        return this.complete()
      } else {
        return
      }
    }
  }

  private end(): void {
    if (this.look !== undefined) this.ground.endpoint.unwatch(this.look)
    this.board?.complete(this.number)
    this.blocks.release()
  }

  /**
   * It cannot go on. What peers may still reach into stays taken for good, and what operations under way
   * use until they are complete.
   */
  private break(error: unknown): void {
    if (this.look !== undefined) this.ground.endpoint.unwatch(this.look)
    this.board?.complete(this.number)
    this.releaseUnused()
    this.fail(error instanceof Error ? error : new Error(String(error), { cause: error }))
  }

  private releaseUnused(): void {
    const reached = this.schedule.algorithm.needs.sharedMemory === true
    if (!reached && this.pending.length === 0) this.blocks.release()
  }

  /** Takes this rank's entry on the board, once nobody reads there any more. */
  private enter(): boolean {
    const board = this.board!
    if (!board.mayPublish(this.number)) {
      if (!this.waitsForRoom) {
        this.waitsForRoom = true
        board.awaitRoom()
      }
      if (!board.mayPublish(this.number)) return this.watch()
    }
    if (this.waitsForRoom) board.endAwaitRoom()
    this.waitsForRoom = false
    this.entered = true
    board.enter(this.number, this.saying)
    // With slots nobody reaches into its buffers.
    if (!this.schedule.env.slots) this.blocks.expose()
    return true
  }

  /** What comes next depends on what peers write: every progress looks. @returns false */
  private watch(): false {
    if (!this.said) {
      this.said = true
      const board = this.board!
      if (!board.say(this.number, this.saying)) throw this.disagreement(board.said(this.number))
    }
    if (this.look === undefined) {
      const look = (): void => this.advance()
      this.look = look
      this.ground.endpoint.watch(this.look)
    }
    return false
  }

  /** @returns whether the next operation was begun */
  private step(): boolean {
    const { words } = this.page
    const at = this.next * OP_WORDS
    const op = words[at]!
    if (this.awaited > 0 && op !== Op.await) return false
    const peer = words[at + 1]!
    const buffer = words[at + 2]!
    const index = words[at + 3]!
    const to = words[at + 4]!
    const toIndex = words[at + 5]!
    const count = words[at + 6]!
    const side = words[at + 7]!
    const { blocks, hazards } = this
    switch (op) {
      case Op.send: {
        if (this.sendsOpen >= SENDS_MAX || hazards?.mayRead(buffer, index, count) === false)
          return false
        const request = blocks.send(peer, buffer, index, count)
        if (request !== undefined) this.keep(request, op, buffer, index, count, 0)
        break
      }
      case Op.receive: {
        if (hazards?.mayWrite(buffer, index, count) === false) return false
        this.keep(blocks.receive(peer, buffer, index, count), op, buffer, index, count, 0)
        break
      }
      case Op.receiveReduce: {
        if (hazards?.mayWrite(buffer, index, count) === false) return false
        this.keep(blocks.receiveAside(peer, buffer, index, count), op, buffer, index, count, side)
        break
      }
      case Op.signal: {
        if (this.sendsOpen >= SENDS_MAX) return false
        const request = this.ground.signal(this.communicator, peer, this.tag)
        if (request !== undefined) this.keep(request, op, -1, 0, 0, 0)
        break
      }
      case Op.await:
        this.awaited++
        this.keep(this.ground.awaitSignal(this.communicator, peer, this.tag), op, -1, 0, 0, 0)
        break
      case Op.copy:
        if (hazards !== undefined && !this.mayMove(buffer, index, to, toIndex, count)) return false
        blocks.copy(buffer, index, to, toIndex, count)
        break
      case Op.reduce:
        if (hazards !== undefined && !this.mayMove(buffer, index, to, toIndex, count)) return false
        blocks.reduce(buffer, index, to, toIndex, count, side as Side)
        break
      case Op.get:
        if (hazards?.mayWrite(to, toIndex, count) === false) return false
        blocks.get(peer, buffer, index, to, toIndex, count)
        break
      case Op.getReduce:
        if (hazards?.mayWrite(to, toIndex, count) === false) return false
        blocks.getReduce(peer, buffer, index, to, toIndex, count, side as Side)
        break
      case Op.put:
        if (hazards?.mayRead(buffer, index, count) === false) return false
        blocks.put(peer, buffer, index, to, toIndex, count)
        break
      case Op.publish:
        if (this.pending.length > 0) return false
        this.board!.publish(this.number, count)
        break
      case Op.awaitPublished:
        if (!this.isPublished(peer, count)) return this.watch()
        break
      case Op.once:
        if (!this.enterOnce(count, side)) return this.watch()
        break
      case Op.endOnce:
        this.board!.finishOnce(this.number, count, blocks.endOnce())
        break
      case Op.fence:
        if (this.pending.length > 0) return false
        break
    }
    this.next++
    return true
  }

  /** Whoever blocks looks for some time: the others come here at the same time. */
  private isPublished(peer: number, stage: number): boolean {
    const board = this.board!
    if (!this.hears) return board.isPublished(peer, this.number, stage)
    const looks = this.said ? 1 : this.ground.process.carrier.patience
    if (!board.becomesPublished(peer, this.number, stage, looks)) return false
    if (stage === 0 && !board.hear(peer, this.number, this.saying)) {
      throw this.disagreement(board.heardFrom(peer, this.number))
    }
    return true
  }

  private mayMove(
    from: number,
    index: number,
    to: number,
    toIndex: number,
    count: number,
  ): boolean {
    const hazards = this.hazards!
    return hazards.mayRead(from, index, count) && hazards.mayWrite(to, toIndex, count)
  }

  /** The last to arrive runs the operations: nobody has to be woken for them. */
  private enterOnce(stage: number, operations: number): boolean {
    const board = this.board!
    if (!board.isOnceDone(this.number, stage)) {
      const { size } = this.communicator
      while (this.arrived < size && board.isPublished(this.arrived, this.number, stage))
        this.arrived++
      if (this.arrived < size) return false
      this.arrived = 0
      if (board.claim(this.number, stage)) return true
      if (!board.isOnceDone(this.number, stage)) return false
    }
    this.next += operations + 1 // over their end as well
    return true
  }

  private keep(
    request: Request<unknown>,
    op: number,
    buffer: number,
    index: number,
    count: number,
    side: number,
  ): void {
    const pending = new Pending(request, op, buffer, index, count, side)
    if (request.done) {
      this.settle(pending)
      return
    }
    if (this.pending === NONE_PENDING) this.pending = []
    this.pending.push(pending)
    if (op === Op.send || op === Op.signal) this.sendsOpen++
    if (buffer >= 0)
      (this.hazards ??= new Hazards(this.schedule.counts)).occupy(
        buffer,
        index,
        count,
        op === Op.send,
      )
    const onDone = (): void => this.finished(pending)
    request.onDone = onDone
  }

  /** An operation under way is complete: what waited for it may go on. */
  private finished(pending: Pending): void {
    this.pending.splice(this.pending.indexOf(pending), 1)
    const { op, buffer, index, count } = pending
    if (op === Op.send || op === Op.signal) this.sendsOpen--
    if (buffer >= 0) this.hazards!.release(buffer, index, count, op === Op.send)
    // Done while an operation is under way: it has failed.
    if (this.done) return this.releaseUnused()
    try {
      this.settle(pending)
    } catch (error) {
      return this.break(error)
    }
    this.advance()
  }

  private settle({ request, op, buffer, index, count, side }: Pending): void {
    if (request.error !== undefined) throw request.error
    if (op === Op.receive) this.blocks.received(request, buffer, index, count)
    else if (op === Op.receiveReduce) {
      this.blocks.foldReceived(request, buffer, index, count, side as Side)
    } else if (op === Op.await) this.awaited--
  }

  /** What is still missing, as arcs to ranks of the world. Slow path. */
  protected missingArcs(): Arc[] {
    const operation = this.describe()
    const { board, communicator, number } = this
    const arcs = this.pending.flatMap(({ request }) => request.missing().arcs)
    if (board === undefined) return arcs.map((arc) => ({ ...arc, operation }))
    const { i32 } = this.ground.process.memory
    const { localGroup: members } = communicator
    const everybody = communicator.members()
    const into = (peer: number, which: number): Arc => {
      const begun = { word: board.begunWord(communicator.rankOf(peer)), number: which, members }
      return arcInto({ peer, operation }, begun, i32, everybody)
    }
    // Who must complete an earlier one before this can begin is in that one.
    if (!this.entered && this.pending.length === 0) {
      const laggard = board.laggard(number)
      const which = board.hindering(number)
      return laggard < 0 ? [] : [into(communicator.worldRank(laggard), which)]
    }
    const peers = arcs.flatMap(({ peer }) => (typeof peer === 'number' ? [peer] : []))
    return [...peers, ...this.missingPeers(board)].map((peer) => into(peer, number))
  }

  /** Ranks of the world that have not published what comes next here. */
  private missingPeers(board: Board): number[] {
    const { communicator, number, page } = this
    if (this.pending.length > 0) return []
    const peers: number[] = []
    for (let op = this.next; op < page.length; op++) {
      const at = op * OP_WORDS
      const kind = page.words[at]!
      const stage = page.words[at + 6]!
      if (kind === Op.awaitPublished) {
        const peer = page.words[at + 1]!
        if (!board.isPublished(peer, number, stage)) peers.push(communicator.worldRank(peer))
      } else if (kind === Op.once) {
        for (let peer = 0; peer < communicator.size; peer++) {
          if (!board.isPublished(peer, number, stage)) peers.push(communicator.worldRank(peer))
        }
        // Whoever has taken it upon itself has not come to its end.
        const claimer = board.claimer(number, stage)
        if (claimer >= 0) peers.push(communicator.worldRank(claimer))
      } else if (kind === Op.publish && op > this.next) break
    }
    return peers
  }
}

const NO_PAGE: Page = { words: new Int32Array(0), length: 0 }
const NONE_PENDING: Pending[] = []
