import type { Arc, RankState, RankWait } from '../record/rank-snapshot.js'

/**
 * The wait-for graph and its reduction.
 *
 * Nodes are ranks, and one more for each arc that stands for several ranks ('any', 'all'), so that
 * the outgoing arcs of every node are of one kind. A node is removed when it can move; removing it
 * deletes its incoming arcs. An 'and' node can move when none is left, an 'or' node with the first
 * one deleted. What remains is exactly the set that can never move (AND-OR model; the deadlock
 * module of MUST and ISP 0.3.1 reduce the same way). Linear in nodes and arcs.
 */

/** Whether a rank in this state waits for others, so that its arcs count. */
export function isStill(state: RankState): boolean {
  return state === 'blocked' || state === 'awaiting'
}

/** Whether a rank in this state will never do anything again. */
export function hasEnded(state: RankState): boolean {
  return state === 'finished' || state === 'failed'
}

/** The world ranks an arc names: all ranks when it lists none, and never the waiting rank for 'all'. */
export function peersOf(arc: Arc, from: number, ranks: readonly number[]): readonly number[] {
  if (typeof arc.peer === 'number') return [arc.peer]
  const members = arc.members ?? ranks
  return arc.peer === 'all' ? members.filter((rank) => rank !== from) : members
}

/**
 * Of an arc to a peer that is in a collective as well: those of whom one must go on. A peer that has
 * ended takes no part any more.
 */
export function helpersOf(
  { peer, through }: Arc,
  from: number,
  ended: (rank: number) => boolean,
): readonly number[] | undefined {
  if (through === undefined || typeof peer !== 'number' || ended(peer)) return undefined
  return through.filter((rank) => rank !== from)
}

/**
 * The ranks that can never continue, ascending; empty when there is no deadlock.
 *
 * Ranks that run, start or are busy outside of the message layer can move. Finished and failed ranks
 * have no arcs and are never removed, but are not part of the answer. An arc to a rank that `waits`
 * does not hold is taken for one that can move.
 *
 * @example
 * findDeadlock([
 *   { rank: 0, state: 'blocked', mode: 'and', arcs: [{ peer: 1, operation: recvFrom1 }] },
 *   { rank: 1, state: 'finished', mode: 'and', arcs: [] }
 * ]) // [0]
 */
export function findDeadlock(waits: readonly RankWait[]): number[] {
  const movable = new Reduction(waits).run()
  return waits
    .filter((wait, node) => isStill(wait.state) && !movable[node])
    .map((wait) => wait.rank)
    .sort((a, b) => a - b)
}

/** One run over one graph. Nodes are numbered ranks first, then the arcs of several ranks. */
class Reduction {
  readonly #nodeOf = new Map<number, number>()
  readonly #ranks: number[]
  /** How many arcs must still be deleted before the node can move. */
  readonly #missing: number[] = []
  /** By node, the nodes that have an arc to it; a node may be listed more than once. */
  readonly #waiters: number[][] = []
  readonly #movable: boolean[] = []
  readonly #work: number[] = []
  /** A wildcard over the whole world is the same node for everybody: keeps the graph linear. */
  #anybody = -1
  readonly #ended: ReadonlySet<number>
  /** Members who help each other through a collective, by the list of them. */
  readonly #helpers = new Map<readonly number[], number>()

  constructor(waits: readonly RankWait[]) {
    this.#ranks = waits.map((wait) => wait.rank)
    this.#ended = new Set(waits.filter(({ state }) => hasEnded(state)).map(({ rank }) => rank))
    waits.forEach((wait) => this.#nodeOf.set(wait.rank, this.#addNode(0)))
    waits.forEach((wait, node) => this.#addWait(wait, node))
  }

  run(): readonly boolean[] {
    for (let node = this.#work.pop(); node !== undefined; node = this.#work.pop()) {
      for (const waiter of this.#waiters[node] ?? []) this.#lose(waiter)
    }
    return this.#movable
  }

  #addWait(wait: RankWait, node: number): void {
    if (hasEnded(wait.state)) return
    if (!isStill(wait.state)) return this.#release(node)
    const targets = wait.arcs.map((arc) => this.#targetOf(arc, wait.rank))
    this.#connect(node, wait.mode, targets)
  }

  /** The node an arc leads to; -1 for a rank nobody told about, which counts as movable. */
  #targetOf(arc: Arc, from: number): number {
    if (typeof arc.peer === 'number') {
      const helped = arc.through !== undefined && !this.#ended.has(arc.peer)
      return helped ? this.#helpersNode(arc.through!) : (this.#nodeOf.get(arc.peer) ?? -1)
    }
    const wholeWorld = arc.peer === 'any' && arc.members === undefined
    if (wholeWorld && this.#anybody >= 0) return this.#anybody
    const node = this.#addNode(0)
    if (wholeWorld) this.#anybody = node
    const members = peersOf(arc, from, this.#ranks).map((rank) => this.#nodeOf.get(rank) ?? -1)
    this.#connect(node, arc.peer === 'any' ? 'or' : 'and', members)
    return node
  }

  /** The waiting rank may be one of them: it cannot go on before it goes on. */
  #helpersNode(members: readonly number[]): number {
    let node = this.#helpers.get(members)
    if (node !== undefined) return node
    node = this.#addNode(0)
    this.#helpers.set(members, node)
    const targets = members.map((rank) => this.#nodeOf.get(rank) ?? -1)
    this.#connect(node, 'or', targets)
    return node
  }

  #connect(node: number, mode: 'and' | 'or', targets: readonly number[]): void {
    const held = targets.filter((target) => target >= 0 && !this.#movable[target])
    for (const target of held) this.#waiters[target]?.push(node)
    if (mode === 'and') {
      this.#missing[node] = held.length
      if (held.length === 0) this.#release(node)
    } else {
      this.#missing[node] = 1
      if (held.length < targets.length) this.#release(node)
    }
  }

  #addNode(missing: number): number {
    this.#missing.push(missing)
    this.#waiters.push([])
    this.#movable.push(false)
    return this.#missing.length - 1
  }

  /** One arc of the node is deleted. */
  #lose(node: number): void {
    const missing = (this.#missing[node] ?? 0) - 1
    this.#missing[node] = missing
    if (missing === 0) this.#release(node)
  }

  #release(node: number): void {
    if (this.#movable[node]) return
    this.#movable[node] = true
    this.#work.push(node)
  }
}
