import {
  doorbellCount,
  markAsleep,
  markAwake,
  sleepOnDoorbell,
  type WorldMemory,
} from '@commworld/transport'
import type { RankRecord } from '../record/rank-record.js'
import { abortedError, isAborted } from './abort.js'
import { AwaitLoop } from './await-loop.js'
import type { Carrier } from './carrier.js'
import type { Endpoint } from './endpoint.js'
import { loadProcessorYield } from './processor-yield.js'
import { orUnsent } from './unsent.js'
import type { ReportCall, Waitable } from './waitable.js'

/** Looks between two glances at the clock and at the abort word. */
const LOOKS = 64
/** Looks at a word of a rank that is about to write it, about a microsecond. */
const PATIENCE = 500
/** Looks where ranks outnumber cores: who is waited for may need this one. */
const LOOKS_CROWDED = 1
/** How long a rank on a core of its own looks without letting anybody else run. */
const SPIN_MS = 0.02
/** How long to give the processor away between looks before sleeping for good. */
const YIELD_MS = 1
/** How long a rank that awaits polls from its event loop before it parks. */
const AWAIT_POLL_MS = 2
/** Sleeps after which loading koffi pays: at once, but for a crowd whose members would all load it. */
const SLEEPS_BEFORE_YIELD = 0
const SLEEPS_BEFORE_YIELD_CROWDED = 50

/**
 * A rank with a thread of its own, running in parallel with the others. The one wait loop: look
 * for work and at the condition, spin, yield, sleep. A sleeper publishes what it waits for.
 */
export class ThreadCarrier implements Carrier {
  readonly blocks = true
  readonly patience: number
  readonly #i32: Int32Array
  readonly #endpoint: Endpoint
  readonly #record: RankRecord
  readonly #awaitLoop: AwaitLoop
  readonly #looks: number
  readonly #crowded: boolean
  readonly #sleepsBeforeYield: number
  /** Called when the watcher wants a report; with what the rank is blocked in. */
  readonly #report: ReportCall
  #sleeps = 0
  #yieldProcessor: (() => void) | undefined
  #reportsAnswered = 0

  constructor(
    memory: WorldMemory,
    endpoint: Endpoint,
    record: RankRecord,
    options: { crowded: boolean; report: ReportCall },
  ) {
    this.#i32 = memory.i32
    this.#endpoint = endpoint
    this.#record = record
    this.#crowded = options.crowded
    this.patience = options.crowded ? 0 : PATIENCE
    this.#looks = options.crowded ? LOOKS_CROWDED : LOOKS
    this.#sleepsBeforeYield = options.crowded ? SLEEPS_BEFORE_YIELD_CROWDED : SLEEPS_BEFORE_YIELD
    this.#report = options.report
    this.#awaitLoop = new AwaitLoop(memory.i32, endpoint, record, {
      pollMs: AWAIT_POLL_MS,
      look: () => this.#answerReports(undefined),
      parked() {},
      woken: () => markAwake(memory.i32, endpoint.doorbell),
    })
  }

  block(waitable: Waitable): void {
    const endpoint = this.#endpoint
    for (let look = 0; look < this.#looks; look++) {
      endpoint.look()
      if (waitable.done) return
    }
    this.#blockLonger(waitable)
  }

  awaken(waitable: Waitable): void {
    this.#awaitLoop.add(waitable)
  }

  poll(): void {
    this.#endpoint.progress()
    if (isAborted(this.#i32)) throw abortedError(this.#i32)
  }

  admits(): boolean {
    return true
  }

  pick(): number {
    return 0
  }

  #blockLonger(waitable: Waitable): void {
    for (;;) {
      if (!this.#crowded && this.#spin(waitable)) return
      if (this.#yield(waitable)) return
      this.#sleep(waitable)
      if (waitable.done) return
    }
  }

  #spin(waitable: Waitable): boolean {
    const until = performance.now() + SPIN_MS
    do {
      if (isAborted(this.#i32)) throw abortedError(this.#i32)
      for (let look = 0; look < LOOKS; look++) {
        this.#endpoint.look()
        if (waitable.done) return true
      }
    } while (performance.now() < until)
    return false
  }

  #yield(waitable: Waitable): boolean {
    if (this.#sleeps < this.#sleepsBeforeYield) return false
    const yieldProcessor = (this.#yieldProcessor ??= loadProcessorYield())
    const until = performance.now() + YIELD_MS
    do {
      yieldProcessor()
      this.#endpoint.progress()
      if (waitable.done) return true
    } while (performance.now() < until)
    return false
  }

  #sleep(waitable: Waitable): void {
    const i32 = this.#i32
    const doorbell = this.#endpoint.doorbell
    this.#sleeps++
    markAsleep(i32, doorbell)
    const count = doorbellCount(i32, doorbell)
    this.#endpoint.progress() // the last look, after the mark
    if (!waitable.done && !isAborted(i32)) {
      const wait = orUnsent(waitable.missing(), this.#endpoint.holders())
      this.#record.sleep('blocked', wait, count)
      sleepOnDoorbell(i32, doorbell, count, Infinity)
      this.#record.enter('running')
    }
    markAwake(i32, doorbell)
    this.#answerReports(waitable)
    if (isAborted(i32)) throw abortedError(i32)
  }

  #answerReports(blockedIn: Waitable | undefined): void {
    const requests = this.#record.reportRequests
    if (requests === this.#reportsAnswered) return
    this.#reportsAnswered = requests
    this.#report(blockedIn, blockedIn?.missing() ?? this.#awaitLoop.missing())
  }
}
