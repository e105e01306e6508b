import { findDeadlock } from '../../diagnose/wait-graph.js'
import type { WorldMonitor } from './world-monitor.js'
import type { RankWait } from '../../record/rank-snapshot.js'

const POLL_MS = 50

/** Others wait, one computes: after this long a note says which and where. */
const BUSY_NOTE_MS = 10_000

export interface WatchListener {
  /** These ranks can never continue. */
  deadlock(ranks: readonly number[]): void
  /** All others have been blocked for so long while this one ran. */
  busy(rank: number, seconds: number): void
}

/**
 * Looks at the ranks' records again and again. A rank that computes is never an error; ranks that
 * wait in a circle, or for one that has ended, are.
 */
export class Watch {
  readonly #monitor: Pick<WorldMonitor, 'waits' | 'transitions'>
  readonly #listener: WatchListener
  readonly #timer: NodeJS.Timeout
  #busySince: number | undefined
  #busyTold = false

  constructor(monitor: Pick<WorldMonitor, 'waits' | 'transitions'>, listener: WatchListener) {
    this.#monitor = monitor
    this.#listener = listener
    this.#timer = setInterval(() => this.#look(), POLL_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const before = this.#monitor.transitions()
    const waits = this.#monitor.waits()
    // A rank that failed says so itself, and that ends the job: its peers' waits are a consequence.
    if (waits.some(({ state }) => state === 'failed')) return
    const stuck = findDeadlock(waits)
    if (stuck.length > 0) {
      // A deadlock is stable: the same counters after reading as before prove that this one is real.
      const after = this.#monitor.transitions()
      if (before.every((count, rank) => count === after[rank])) this.#listener.deadlock(stuck)
      return
    }
    this.#lookForBusy(waits)
  }

  #lookForBusy(waits: readonly RankWait[]): void {
    const alive = waits.filter(({ state }) => state !== 'finished' && state !== 'failed')
    const running = alive.filter(({ state }) => state === 'running')
    const blocked = alive.filter(({ state }) => state === 'blocked' || state === 'awaiting')
    if (
      running.length !== 1 ||
      blocked.length === 0 ||
      running.length + blocked.length < alive.length
    ) {
      this.#busySince = undefined
      return
    }
    const now = performance.now()
    this.#busySince ??= now
    if (this.#busyTold || now - this.#busySince < BUSY_NOTE_MS) return
    this.#busyTold = true
    this.#listener.busy(running[0]!.rank, BUSY_NOTE_MS / 1000)
  }
}
