import type { Arc, RankWait } from '../../src/record/rank-snapshot.js'

/** The definition, read aloud: who is not known to move, given who is. Repeated until nothing changes. */
export function stuckByFixpoint(waits: readonly RankWait[]): number[] {
  const movable = new Set<number>()
  const everybody = waits.map((wait) => wait.rank)
  for (let before = -1; before !== movable.size;) {
    before = movable.size
    for (const wait of waits) {
      if (wait.state === 'finished' || wait.state === 'failed') continue
      const satisfied = (arc: Arc): boolean => {
        const gone = waits.some((one) => one.rank === arc.peer && hasEnded(one))
        if (arc.through !== undefined && !gone) return arc.through.some((rank) => movable.has(rank))
        if (typeof arc.peer === 'number') return movable.has(arc.peer)
        const members = arc.members ?? everybody
        if (arc.peer === 'any') return members.some((rank) => movable.has(rank))
        return members.every((rank) => rank === wait.rank || movable.has(rank))
      }
      const still = wait.state === 'blocked' || wait.state === 'awaiting'
      const moves = wait.mode === 'and' ? wait.arcs.every(satisfied) : wait.arcs.some(satisfied)
      if (!still || moves) movable.add(wait.rank)
    }
  }
  return waits
    .filter((wait) => !movable.has(wait.rank) && !['finished', 'failed'].includes(wait.state))
    .map((wait) => wait.rank)
}

function hasEnded({ state }: RankWait): boolean {
  return state === 'finished' || state === 'failed'
}

/** Whether the ranks are stuck by themselves: everybody else, unless ended, is taken to move. */
export function isClosed(ranks: readonly number[], waits: readonly RankWait[]): boolean {
  const inside = new Set(ranks)
  const relaxed = waits.map((wait): RankWait =>
    inside.has(wait.rank) || ['finished', 'failed'].includes(wait.state)
      ? wait
      : { ...wait, state: 'running' },
  )
  return stuckByFixpoint(relaxed).length === inside.size
}

/** All non-empty subsets. */
export function subsetsOf(ranks: readonly number[]): number[][] {
  return ranks
    .reduce<number[][]>((all, rank) => [...all, ...all.map((one) => [...one, rank])], [[]])
    .filter((one) => one.length > 0)
}
