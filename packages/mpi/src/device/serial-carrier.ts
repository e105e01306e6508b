import {
  type ChoiceStream,
  doorbellCount,
  markAsleep,
  type WorldMemory,
} from '@commworld/transport'
import { FruitlessPollError } from '../errors/index.js'
import type { RankRecord } from '../record/rank-record.js'
import { abortedError, isAborted } from './abort.js'
import { AwaitLoop } from './await-loop.js'
import type { Baton } from './baton.js'
import type { Carrier } from './carrier.js'
import type { Endpoint } from './endpoint.js'
import { orUnsent } from './unsent.js'
import type { ReportCall, Waitable } from './waitable.js'

/** Polls in vain after which a rank hands the baton on, as a program that only polls never would. */
const POLLS_BEFORE_TURN = 16
/** Polls in vain, with a turn for the others every few, that are taken for a program that only polls. */
const POLLS_MAX = 100_000

/**
 * A rank with a thread of its own in a world where one thread runs at a time. It holds the baton
 * whenever its program runs, and hands it on where a parallel rank would spin or sleep.
 */
export class SerialCarrier implements Carrier {
  readonly blocks = true
  readonly patience = 0
  readonly #i32: Int32Array
  readonly #endpoint: Endpoint
  readonly #record: RankRecord
  readonly #baton: Baton
  readonly #choices: ChoiceStream
  readonly #awaitLoop: AwaitLoop
  readonly #report: ReportCall
  #blockedIn: Waitable | undefined
  #reportsAnswered = 0
  #polls = 0
  readonly #look = (): void => this.#lookUp()

  constructor(
    memory: WorldMemory,
    endpoint: Endpoint,
    record: RankRecord,
    baton: Baton,
    options: { choices: ChoiceStream; report: ReportCall },
  ) {
    this.#i32 = memory.i32
    this.#endpoint = endpoint
    this.#record = record
    this.#baton = baton
    this.#choices = options.choices
    this.#report = options.report
    this.#awaitLoop = new AwaitLoop(memory.i32, endpoint, record, {
      pollMs: 0,
      look: this.#look,
      parked: () => baton.release(),
      woken: () => baton.acquire(this.#look),
    })
    markAsleep(memory.i32, endpoint.doorbell) // for good: every message rings
  }

  block(waitable: Waitable): void {
    this.#hold()
    for (;;) {
      const count = doorbellCount(this.#i32, this.#endpoint.doorbell)
      this.#endpoint.progress()
      if (waitable.done) return
      this.#blockedIn = waitable
      const wait = orUnsent(waitable.missing(), this.#endpoint.holders())
      this.#record.sleep('blocked', wait, count)
      this.#baton.release()
      this.#baton.await(this.#look)
      this.#record.enter('running')
      this.#blockedIn = undefined
    }
  }

  awaken(waitable: Waitable): void {
    this.#awaitLoop.add(waitable)
  }

  poll(): void {
    this.#hold()
    this.#endpoint.progress()
    if (++this.#polls % POLLS_BEFORE_TURN !== 0) return
    if (this.#polls >= POLLS_MAX) {
      throw new FruitlessPollError({ operation: 'test or iprobe', polls: this.#polls })
    }
    // Others go first: this rank asks for the baton back at once.
    this.#record.wants = true
    this.#baton.standAside()
    this.#baton.acquire(this.#look)
  }

  admits(label: string): boolean {
    this.#polls = 0
    return this.#choices.choose(2, label) === 0
  }

  pick(alternatives: number, label: string): number {
    return this.#choices.choose(alternatives, label)
  }

  /** A program that comes back from outside, from a timer say, has lost the baton meanwhile. */
  #hold(): void {
    if (!this.#baton.held) this.#baton.acquire(this.#look)
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
