import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { treeEdges, treeRounds } from '../pattern/ordered-tree.js'

/**
 * Up a k-nomial tree to rank 0 and down again: whoever has heard from all its children tells its
 * parent, and what comes down says that all ranks are there.
 *
 * ```
 *   p = 7, radix 4     round 0    1, 2, 3 -> 0    5, 6 -> 4
 *                      round 1    4 -> 0
 *                      round 2    0 -> 4
 *                      round 3    0 -> 1, 2, 3    4 -> 5, 6
 * ```
 */
export const tree: Algorithm = defineCollective({
  collective: 'barrier',
  name: 'tree',
  title: 'k-nomial tree',
  source: 'Mellor-Crummey, Scott 1991; Yew, Tzeng, Lawrie 1987',
  use: 'many ranks that do not share memory, when messages count more than rounds',
  cost: '2 ceil(log_k p) rounds, 2 (p - 1) signals in all',
  radix: 4,
  rounds: (env) => 2 * treeRounds(env),
  volume: () => 0,
  round(k, env, emit) {
    const height = treeRounds(env)
    const rises = k < height
    const level = rises ? k : 2 * height - 1 - k
    for (const { peer, up } of treeEdges(level, env.rank, env)) {
      if (up === rises) emit.signal(peer)
      else emit.await(peer)
    }
  },
})
