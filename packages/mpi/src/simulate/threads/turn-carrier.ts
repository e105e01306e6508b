import type { ChoiceStream, WorldMemory } from '@commworld/transport'
import { doorbellCount } from '@commworld/transport'
import { abortedError, isAborted } from '../../device/abort.js'
import { AwaitLoop } from '../../device/await-loop.js'
import type { Carrier, VirtualClock } from '../../device/carrier.js'
import type { ReportCall, Waitable } from '../../device/waitable.js'
import { FruitlessPollError } from '../../errors/index.js'
import type { RankRecord } from '../../record/rank-record.js'
import type { VirtualEndpoint } from '../virtual/virtual-endpoint.js'
import { type ClockCosts, virtualClock } from '../virtual/virtual-clock.js'
import { BLOCKED, GO, OVER, POLLING, SETTLED, TAKE } from './clock-board.js'
import type { RemoteClock } from './remote-clock.js'

/** Polls in vain after which a rank waits until something comes, as a program that only polls never would. */
const POLLS_BEFORE_TURN = 16
/** Polls in vain that are taken for a program that only polls. */
const POLLS_MAX = 100_000

/** What a rank is made of whose time is virtual and which has a thread of its own. */
export interface TurnParts {
  readonly clock: RemoteClock
  readonly costs: ClockCosts
  readonly movesData: boolean
  readonly record: RankRecord
  readonly choices: ChoiceStream
  readonly report: ReportCall
}

/**
 * A rank with a thread of its own in virtual time. It runs in turns that the clock's thread gives out: to
 * take in what has come, or to let its program go on until it has to wait.
 */
export class TurnCarrier implements Carrier {
  readonly blocks = true
  readonly patience = 0
  readonly clock: VirtualClock
  readonly #i32: Int32Array
  readonly #endpoint: VirtualEndpoint
  readonly #turns: RemoteClock
  readonly #record: RankRecord
  readonly #choices: ChoiceStream
  readonly #report: ReportCall
  readonly #awaitLoop: AwaitLoop
  #blockedIn: Waitable | undefined
  /** Something that the program awaits has come since it had its turn. */
  #settled = false
  /** The program awaits, or is in its timers and files. */
  #parked = false
  #reportsAnswered = 0
  #polls = 0

  constructor(memory: WorldMemory, endpoint: VirtualEndpoint, rank: number, parts: TurnParts) {
    const { clock, costs, movesData, record, choices, report } = parts
    this.#i32 = memory.i32
    this.#endpoint = endpoint
    this.#turns = clock
    this.#record = record
    this.#choices = choices
    this.#report = report
    this.clock = virtualClock(clock, rank, costs, movesData)
    const look = (): void => this.#lookUp()
    clock.bell = { i32: memory.i32, doorbell: endpoint.doorbell, look }
    clock.acquire = () => this.#acquire()
    endpoint.onPost = (peer) => clock.wake(peer)
    this.#awaitLoop = new AwaitLoop(memory.i32, endpoint, record, {
      pollMs: 0,
      look,
      parked: () => this.#park(),
      woken: () => this.#unpark(),
    })
  }

  block(waitable: Waitable): void {
    this.#polls = 0
    this.#hold()
    for (this.#look(); !waitable.done; this.#look()) {
      this.#blockedIn = waitable
      for (let reply = BLOCKED; ;) {
        this.#record.sleep('blocked', waitable.missing(), this.#rings)
        this.#turns.giveBack(reply)
        if (this.#turns.await() === GO) break
        this.#turns.take()
        reply = waitable.done || this.#settled ? SETTLED : BLOCKED
      }
      this.#settled = false
      this.#blockedIn = undefined
      this.#record.enter('running')
    }
  }

  awaken(waitable: Waitable): void {
    this.#polls = 0
    const settle = waitable.onDone
    waitable.onDone = () => {
      this.#settled = true
      settle?.()
    }
    this.#awaitLoop.add(waitable)
  }

  poll(): void {
    this.#hold()
    if (++this.#polls % POLLS_BEFORE_TURN !== 0) return
    if (this.#polls >= POLLS_MAX) {
      throw new FruitlessPollError({ operation: 'test or iprobe', polls: this.#polls })
    }
    this.#turns.giveBack(POLLING)
    this.#goOn()
  }

  admits(label: string): boolean {
    this.#polls = 0
    return this.#choices.choose(2, label) === 0
  }

  pick(alternatives: number, label: string): number {
    return this.#choices.choose(alternatives, label)
  }

  /** Blocks until all ranks are there and this one begins. */
  begin(): void {
    this.#goOn()
  }

  /** The rank has ended. It still takes in what comes: who sent that waits for it. */
  leave(): void {
    this.#turns.giveBack(OVER)
    this.#takeLate()
  }

  #hold(): void {
    if (!this.#turns.held) this.#acquire()
  }

  /** A program came back from a timer, say, while others have the turn. */
  #acquire(): void {
    this.#turns.want()
    this.#goOn()
    if (!this.#parked) return
    // Nothing may follow that gives the turn back.
    setImmediate(() => {
      if (this.#parked && this.#turns.held) this.#turns.giveBack(BLOCKED)
    })
  }

  /** Blocks until the program may go on, and takes in what comes until then. */
  #goOn(): void {
    while (this.#turns.await() === TAKE) {
      this.#turns.take()
      this.#turns.giveBack(SETTLED)
    }
  }

  /** What peers write into the world's memory is seen only by looking. */
  #look(): void {
    if (this.#endpoint.watching > 0) this.#endpoint.step()
  }

  get #rings(): number {
    return doorbellCount(this.#i32, this.#endpoint.doorbell)
  }

  #park(): void {
    this.#parked = true
    if (this.#turns.held) this.#turns.giveBack(BLOCKED)
  }

  #unpark(): void {
    let turn = this.#turns.receive()
    while (turn === TAKE) {
      this.#turns.take()
      // It parks again, which gives the turn back.
      if (!this.#settled) return
      this.#turns.giveBack(SETTLED)
      turn = this.#turns.await()
    }
    if (!this.#turns.held) return
    this.#settled = false
    this.#parked = false
    this.#look()
  }

  #takeLate(): void {
    const count = this.#rings
    if (this.#turns.receive() === TAKE) {
      this.#turns.take()
      this.#turns.giveBack(BLOCKED)
    }
    const rung = Atomics.waitAsync(this.#i32, this.#endpoint.doorbell >>> 2, count)
    if (rung.async) void rung.value.then(() => this.#takeLate())
    else setImmediate(() => this.#takeLate())
  }

  #lookUp(): void {
    if (isAborted(this.#i32)) throw abortedError(this.#i32)
    const requests = this.#record.reportRequests
    if (requests === this.#reportsAnswered) return
    this.#reportsAnswered = requests
    const blockedIn = this.#blockedIn
    this.#report(blockedIn, blockedIn?.missing() ?? this.#awaitLoop.missing())
  }
}
