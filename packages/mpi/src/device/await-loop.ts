import { doorbellCount, markAsleep, sleepOnDoorbell } from '@commworld/transport'
import type { Wait } from '../record/rank-snapshot.js'
import type { RankRecord } from '../record/rank-record.js'
import { firstOf } from '../record/waits.js'
import { isAborted } from './abort.js'
import type { Endpoint } from './endpoint.js'
import { orUnsent } from './unsent.js'
import type { Waitable } from './waitable.js'

/** Longest sleep of a rank that is provably blocked; then its event loop turns once. */
const SLICE_MS = 100

/** What the carrier of the rank has to do with awaiting. */
export interface AwaitHooks {
  /** How long to poll from the event loop before parking, in milliseconds. */
  readonly pollMs: number
  /** Called at every wake: reports are due, or the world was aborted. */
  look(): void
  /** The rank has parked: whoever sends to it must ring. */
  parked(): void
  /** It goes on, before it makes progress. */
  woken(): void
}

/**
 * How a rank with a thread of its own awaits. Its event loop polls for a while, then parks on the
 * doorbell without keeping the loop alive: when Node says `beforeExit`, its timers, files and
 * fetches are done, so the rank is provably blocked. Until then its state is *outside*.
 */
export class AwaitLoop {
  readonly #i32: Int32Array
  readonly #endpoint: Endpoint
  readonly #record: RankRecord
  readonly #hooks: AwaitHooks
  readonly #awaited = new Set<Waitable>()
  #running = false
  #parked = false
  #pollUntil = 0
  #listening = false
  /** Doorbell count on which an asynchronous wait stands, -1 when none does. */
  #armedFor = -1
  readonly #poll = (): void => this.#turn()

  constructor(i32: Int32Array, endpoint: Endpoint, record: RankRecord, hooks: AwaitHooks) {
    this.#i32 = i32
    this.#endpoint = endpoint
    this.#record = record
    this.#hooks = hooks
  }

  /** Precondition: `waitable.onDone` is set. */
  add(waitable: Waitable): void {
    const settle = waitable.onDone
    this.#awaited.add(waitable)
    waitable.onDone = () => {
      this.#awaited.delete(waitable)
      settle?.()
    }
    this.#pollUntil = performance.now() + this.#hooks.pollMs
    if (!this.#listening) {
      this.#listening = true
      process.on('beforeExit', () => this.#sleepWhileBlocked())
    }
    this.#resume()
  }

  #resume(): void {
    if (this.#running) return
    this.#running = true
    setImmediate(this.#poll)
  }

  #turn(): void {
    const before = this.#awaited.size
    this.#running = false
    this.#unpark()
    this.#endpoint.progress()
    if (this.#awaited.size === 0 || isAborted(this.#i32)) return
    if (this.#awaited.size < before) this.#pollUntil = performance.now() + this.#hooks.pollMs
    if (this.#awaited.size < before || performance.now() < this.#pollUntil) this.#resume()
    else this.#park()
  }

  /** Waits for the doorbell without holding the event loop. */
  #park(): void {
    const i32 = this.#i32
    const { doorbell } = this.#endpoint
    markAsleep(i32, doorbell)
    const count = doorbellCount(i32, doorbell)
    this.#endpoint.progress() // the last look, after the mark
    this.#parked = true
    if (this.#awaited.size === 0) {
      this.#unpark()
      return
    }
    this.#record.sleep('outside', this.missing(), count)
    this.#hooks.parked()
    if (this.#armedFor === count) return // the wait of an earlier turn still stands
    this.#armedFor = count
    const rung = Atomics.waitAsync(i32, doorbell >>> 2, count)
    if (rung.async) void rung.value.then(() => this.#wake())
    else this.#wake()
  }

  #wake(): void {
    this.#armedFor = -1
    this.#hooks.look()
    if (this.#awaited.size > 0) this.#resume()
  }

  #unpark(): void {
    if (!this.#parked) return
    this.#parked = false
    this.#hooks.woken()
    this.#record.enter('running')
  }

  /** The event loop is empty: only a message can wake this rank. */
  #sleepWhileBlocked(): void {
    if (this.#awaited.size === 0 || isAborted(this.#i32)) return
    const i32 = this.#i32
    const { doorbell } = this.#endpoint
    if (this.#parked) {
      const count = this.#record.doorbellSeen
      const wait = orUnsent(this.missing(), this.#endpoint.holders())
      this.#record.sleep('awaiting', wait, count)
      const rung = sleepOnDoorbell(i32, doorbell, count, SLICE_MS)
      this.#hooks.look()
      // The loop turns once; then it is empty again, or something has happened.
      if (rung) this.#resume()
      else setImmediate(() => {})
    } else {
      this.#resume()
    }
  }

  /** Any of the awaited requests lets some task of the rank go on. */
  missing(): Wait {
    return firstOf([...this.#awaited].map((waitable) => waitable.missing()))
  }
}
