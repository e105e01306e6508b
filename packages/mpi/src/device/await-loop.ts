import { doorbellCount, markAsleep, markAwake, sleepOnDoorbell } from '@commworld/transport'
import type { Arc } from '../record/rank-snapshot.js'
import type { RankRecord } from '../record/rank-record.js'
import { isAborted } from './abort.js'
import type { Endpoint } from './endpoint.js'
import type { Waitable } from './waitable.js'

/** How long to poll from the event loop before parking. */
const POLL_MS = 2
/** Longest sleep of a rank that is provably blocked; then its event loop turns once. */
const SLICE_MS = 100

/**
 * How a rank with a thread of its own awaits. Its event loop polls for a while, then parks on the
 * doorbell without keeping the loop alive: when Node says `beforeExit`, its timers, files and
 * fetches are done, so the rank is provably blocked. Until then its state is *outside*.
 */
export class AwaitLoop {
  readonly #i32: Int32Array
  readonly #endpoint: Endpoint
  readonly #record: RankRecord
  readonly #answerReports: () => void
  readonly #awaited = new Set<Waitable>()
  #running = false
  #pollUntil = 0
  #listening = false
  /** Doorbell count on which an asynchronous wait stands, -1 when none does. */
  #armedFor = -1
  readonly #poll = (): void => this.#turn()

  constructor(i32: Int32Array, endpoint: Endpoint, record: RankRecord, answerReports: () => void) {
    this.#i32 = i32
    this.#endpoint = endpoint
    this.#record = record
    this.#answerReports = answerReports
  }

  /** Precondition: `waitable.onDone` is set. */
  add(waitable: Waitable): void {
    const settle = waitable.onDone
    this.#awaited.add(waitable)
    waitable.onDone = () => {
      this.#awaited.delete(waitable)
      settle?.()
    }
    this.#pollUntil = performance.now() + POLL_MS
    if (!this.#listening) {
      this.#listening = true
      process.on('beforeExit', () => this.#sleepWhileBlocked())
    }
    if (!this.#running) {
      this.#running = true
      setImmediate(this.#poll)
    }
  }

  #turn(): void {
    const before = this.#awaited.size
    this.#endpoint.progress()
    if (this.#awaited.size === 0 || isAborted(this.#i32)) {
      this.#running = false
      return
    }
    if (this.#awaited.size < before) this.#pollUntil = performance.now() + POLL_MS
    if (performance.now() < this.#pollUntil) setImmediate(this.#poll)
    else this.#park()
  }

  /** Waits for the doorbell without holding the event loop. */
  #park(): void {
    const i32 = this.#i32
    const doorbell = this.#endpoint.doorbell
    this.#running = false
    markAsleep(i32, doorbell)
    const count = doorbellCount(i32, doorbell)
    this.#endpoint.progress() // the last look, after the mark
    if (this.#awaited.size === 0) {
      markAwake(i32, doorbell)
      return
    }
    this.#record.sleep('outside', this.#missing(), count)
    if (this.#armedFor === count) return // the wait of an earlier turn still stands
    this.#armedFor = count
    const parked = Atomics.waitAsync(i32, doorbell >>> 2, count)
    if (parked.async) void parked.value.then(() => this.#unpark())
    else this.#unpark()
  }

  #unpark(): void {
    this.#armedFor = -1
    markAwake(this.#i32, this.#endpoint.doorbell)
    this.#record.enter('running')
    this.#answerReports()
    if (this.#running || this.#awaited.size === 0) return
    this.#running = true
    this.#pollUntil = performance.now() + POLL_MS
    setImmediate(this.#poll)
  }

  /** The event loop is empty: only a message can wake this rank. */
  #sleepWhileBlocked(): void {
    if (this.#awaited.size === 0 || isAborted(this.#i32)) return
    const i32 = this.#i32
    const doorbell = this.#endpoint.doorbell
    markAsleep(i32, doorbell)
    const count = doorbellCount(i32, doorbell)
    this.#endpoint.progress() // the last look, after the mark
    if (this.#awaited.size > 0) {
      this.#record.sleep('awaiting', this.#missing(), count)
      sleepOnDoorbell(i32, doorbell, count, SLICE_MS)
      this.#answerReports()
      this.#endpoint.progress()
    }
    markAwake(i32, doorbell)
    // The loop turns once: promises that just settled run, and then it is empty again.
    this.#running = true
    setImmediate(this.#poll)
  }

  /** Any of the awaited requests lets some task of the rank go on. */
  #missing(): { mode: 'or'; arcs: Arc[] } {
    return { mode: 'or', arcs: [...this.#awaited].flatMap((waitable) => waitable.missing().arcs) }
  }
}
