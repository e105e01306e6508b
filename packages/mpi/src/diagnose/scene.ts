import type { OperationRecord } from '../record/operation.js'
import type { Arc, RankSnapshot, RankState, RankWait } from '../record/rank-snapshot.js'
import { isCompletion } from './describe.js'

/** All that is known when a report about waiting ranks is due, by rank of the world. */
export class Scene {
  readonly ranks: readonly number[]
  readonly #waits = new Map<number, RankWait>()
  readonly #snapshots = new Map<number, RankSnapshot>()

  constructor(waits: readonly RankWait[], snapshots: readonly RankSnapshot[]) {
    this.ranks = waits.map((wait) => wait.rank).sort((a, b) => a - b)
    for (const wait of waits) this.#waits.set(wait.rank, wait)
    for (const snapshot of snapshots) this.#snapshots.set(snapshot.rank, snapshot)
  }

  snapshot(rank: number): RankSnapshot | undefined {
    return this.#snapshots.get(rank)
  }

  wait(rank: number): RankWait | undefined {
    return this.#waits.get(rank)
  }

  state(rank: number): RankState {
    return this.#waits.get(rank)?.state ?? 'running'
  }

  /** What keeps the rank from going on. The snapshot says of each arc what it is about. */
  arcs(rank: number): readonly Arc[] {
    const told = this.#snapshots.get(rank)?.waits.arcs
    const seen = this.#waits.get(rank)?.arcs ?? []
    return told !== undefined && told.length > 0 ? told : seen
  }

  /** The call the rank is in: what it says itself, or else what its only arc is about. */
  operation(rank: number): OperationRecord | undefined {
    return this.#snapshots.get(rank)?.operation ?? this.arcs(rank)[0]?.operation
  }

  /** What the rank communicates with: its call, or what the wait it is in is about. */
  communications(rank: number): readonly OperationRecord[] {
    const operation = this.operation(rank)
    if (operation !== undefined && !isCompletion(operation)) return [operation]
    return this.arcs(rank).map((arc) => arc.operation)
  }

  /** Where the rank stands. */
  site(rank: number): string | undefined {
    return this.operation(rank)?.site ?? this.#snapshots.get(rank)?.stack
  }
}
