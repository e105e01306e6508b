import type { Arc, RankWait } from '../record/rank-snapshot.js'
import { hasEnded, helpersOf, isStill, peersOf } from './wait-graph.js'

/**
 * The smallest part of a deadlock that explains itself: one arc of each 'and' node, all arcs of each
 * 'or' node, and every arc leads to a rank of the core or to one that has ended.
 */

export interface Core {
  /**
   * - `ended`: the rank waits for one that has finished or failed.
   * - `cycle`: each rank waits for the next, the last one for the first.
   * - `knot`: anything with alternatives; no subset of it is stuck by itself.
   */
  shape: 'ended' | 'cycle' | 'knot'
  /** In the order of the cycle, starting with the lowest rank; else ascending. */
  ranks: number[]
}

/** Arcs looked at before the search settles for the best it has: some 0.2 s with 1,000 ranks. */
const SEARCH_LIMIT = 300_000

/**
 * The core of the deadlocked ranks that `findDeadlock` found in the same waits; undefined for none.
 *
 * The shortest cycle where there is one, else a core of which no proper part is stuck by itself.
 */
export function smallestCore(
  deadlocked: readonly number[],
  waits: readonly RankWait[],
): Core | undefined {
  if (deadlocked.length === 0) return undefined
  const search = new CoreSearch(deadlocked, waits)
  const alone = search.alone()
  if (alone) return alone
  const cycle = search.shortestCycle()
  const knot = search.knotBelow(cycle?.ranks.length ?? Infinity)
  return knot ?? cycle
}

class CoreSearch {
  readonly #deadlocked: readonly number[]
  readonly #waitOf = new Map<number, RankWait>()
  readonly #ended: ReadonlySet<number>
  readonly #ranks: readonly number[]
  #budget = SEARCH_LIMIT

  constructor(deadlocked: readonly number[], waits: readonly RankWait[]) {
    this.#deadlocked = [...deadlocked].sort((a, b) => a - b)
    for (const wait of waits) this.#waitOf.set(wait.rank, wait)
    this.#ended = new Set(waits.filter((wait) => hasEnded(wait.state)).map((wait) => wait.rank))
    this.#ranks = waits.map((wait) => wait.rank)
  }

  /** A rank that is stuck whatever the other stuck ones do. */
  alone(): Core | undefined {
    const rank = this.#deadlocked.find((candidate) => this.#holds(candidate, new Set([candidate])))
    if (rank === undefined) return undefined
    const self = this.#successors(rank).includes(rank)
    return { shape: self ? 'cycle' : 'ended', ranks: [rank] }
  }

  /** Breadth first from each rank over single arcs, no deeper than the best so far. */
  shortestCycle(): Core | undefined {
    const inside = new Set(this.#deadlocked)
    let best: number[] | undefined
    for (const start of this.#deadlocked) {
      const found = this.#cycleThrough(start, inside, best?.length ?? Infinity)
      if (found) best = found
      if (best?.length === 2 || this.#budget <= 0) break
    }
    return best && { shape: 'cycle', ranks: fromLowest(best) }
  }

  /** Leaves out one rank after the other as long as a stuck part remains. */
  knotBelow(limit: number): Core | undefined {
    let core = new Set(this.#deadlocked)
    for (const rank of [...this.#deadlocked].reverse()) {
      if (this.#budget <= 0) break
      if (!core.has(rank)) continue
      const rest = this.#closedPartOf(core, rank)
      if (rest.size > 0) core = rest
    }
    if (core.size >= limit) return undefined
    return { shape: 'knot', ranks: [...core].sort((a, b) => a - b) }
  }

  /** The largest part of `core` without `left` that is stuck by itself. */
  #closedPartOf(core: ReadonlySet<number>, left: number): Set<number> {
    const rest = new Set(core)
    rest.delete(left)
    for (let before = -1; before !== rest.size;) {
      before = rest.size
      for (const rank of rest) if (!this.#holds(rank, rest)) rest.delete(rank)
    }
    return rest
  }

  /** Whether the rank stays stuck when, of the stuck ranks, only those in `core` are. */
  #holds(rank: number, core: ReadonlySet<number>): boolean {
    const wait = this.#waitOf.get(rank)
    if (wait === undefined || !isStill(wait.state)) return false
    const blocks = (arc: Arc): boolean => {
      const stuck = (peer: number): boolean => core.has(peer) || this.#ended.has(peer)
      const helpers = this.#helpers(arc, rank)
      const peers = helpers ?? peersOf(arc, rank, this.#ranks)
      this.#budget -= peers.length
      if (helpers !== undefined) return helpers.every(stuck)
      return arc.peer === 'any' ? peers.every(stuck) : peers.some(stuck)
    }
    return wait.mode === 'and' ? wait.arcs.some(blocks) : wait.arcs.every(blocks)
  }

  /** The ranks that alone keep this one from moving: one arc of an 'and' node is enough. */
  #successors(rank: number): readonly number[] {
    const wait = this.#waitOf.get(rank)
    if (wait === undefined || (wait.mode === 'or' && wait.arcs.length !== 1)) return []
    return wait.arcs.flatMap((arc) => {
      const helpers = this.#helpers(arc, rank)
      if (helpers !== undefined) return helpers.length === 1 ? helpers : []
      const peers = peersOf(arc, rank, this.#ranks)
      return arc.peer === 'any' && peers.length !== 1 ? [] : peers
    })
  }

  #helpers(arc: Arc, rank: number): readonly number[] | undefined {
    return helpersOf(arc, rank, (peer) => this.#ended.has(peer))
  }

  #cycleThrough(start: number, inside: ReadonlySet<number>, below: number): number[] | undefined {
    const cameFrom = new Map<number, number>()
    let frontier = [start]
    for (let length = 1; length < below && frontier.length > 0; length++) {
      const next: number[] = []
      for (const rank of frontier) {
        for (const peer of this.#successors(rank)) {
          this.#budget--
          if (peer === start) return pathTo(rank, start, cameFrom)
          if (!inside.has(peer) || cameFrom.has(peer)) continue
          cameFrom.set(peer, rank)
          next.push(peer)
        }
        if (this.#budget <= 0) return undefined
      }
      frontier = next
    }
    return undefined
  }
}

function pathTo(last: number, start: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const path = [last]
  for (let rank = last; rank !== start;) {
    rank = cameFrom.get(rank) as number
    path.unshift(rank)
  }
  return path
}

function fromLowest(cycle: readonly number[]): number[] {
  const at = cycle.indexOf(Math.min(...cycle))
  return [...cycle.slice(at), ...cycle.slice(0, at)]
}
