import type { FinishedMessage, LegacyMessage } from '../rank/rank-message.js'

/** What main() of a rank returned, serialized; undefined where that is not wanted. */
export type Value = FinishedMessage['value']

/** What ranks return and leave behind, by rank. */
export class JobResults {
  readonly values: Value[] = []
  readonly #ranks: number
  readonly #legacies = new Map<number, LegacyMessage>()
  /** Ranks that finished and ended their thread before they could be asked. */
  readonly #leftEarly = new Set<number>()

  constructor(ranks: number) {
    this.#ranks = ranks
  }

  /** Of the ranks that told. */
  get legacies(): LegacyMessage[] {
    return [...this.#legacies].sort(([a], [b]) => a - b).map(([, legacy]) => legacy)
  }

  /** Whether nothing more will be told. */
  get complete(): boolean {
    return this.#legacies.size + this.#leftEarly.size === this.#ranks
  }

  finished(rank: number, value: Value): void {
    this.values[rank] = value
  }

  hasFinished(rank: number): boolean {
    return rank in this.values
  }

  told(rank: number, legacy: LegacyMessage): void {
    this.#legacies.set(rank, legacy)
  }

  gone(rank: number): void {
    if (this.hasFinished(rank) && !this.#legacies.has(rank)) this.#leftEarly.add(rank)
  }
}
