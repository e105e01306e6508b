import type { Monitor } from '../engine/index.js'
import type { RankSnapshot } from '../record/rank-snapshot.js'

/** A rank that sleeps in the library answers in a few milliseconds; one that computes never does. */
const ANSWER_MS = 300

/** Asks ranks what they are doing, for a report. */
export class Snapshots {
  readonly #got = new Map<number, RankSnapshot>()
  #missing = new Set<number>()
  #complete: (() => void) | undefined

  /** Resolves with the answers that came in time, by rank. */
  async take(monitor: Monitor, ranks: readonly number[]): Promise<RankSnapshot[]> {
    this.#missing = new Set(ranks)
    this.#got.clear()
    for (const rank of ranks) monitor.requestSnapshot(rank)
    if (ranks.length > 0) {
      await new Promise<void>((resolve) => {
        this.#complete = resolve
        setTimeout(resolve, ANSWER_MS)
      })
    }
    this.#complete = undefined
    return [...this.#got.values()].sort((a, b) => a.rank - b.rank)
  }

  answer(snapshot: RankSnapshot): void {
    this.#got.set(snapshot.rank, snapshot)
    this.#missing.delete(snapshot.rank)
    if (this.#missing.size === 0) this.#complete?.()
  }
}
