import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { OUT } from '../plan/buffer.js'
import { childrenMax, treeEdges, treeRounds } from '../pattern/ordered-tree.js'

/**
 * Whoever has the vector gives it to one more in each round: down a binomial tree. With a radix it is
 * k-nomial: to radix - 1 more in each of fewer rounds.
 *
 * ```
 *   p = 7, root 0     round 0    0 -> 4
 *                     round 1    0 -> 2    4 -> 6
 *                     round 2    0 -> 1    2 -> 3    4 -> 5
 * ```
 */
export const binomialTree: Algorithm = defineCollective({
  collective: 'bcast',
  name: 'binomial-tree',
  title: 'binomial tree (k-nomial with a radix above 2)',
  source: 'Thakur, Rabenseifner, Gropp 2005',
  use: 'short vectors, and values',
  cost: 'ceil(log_k p) rounds of k - 1 times m',
  radix: 2,
  rounds: treeRounds,
  volume: childrenMax,
  round(k, env, emit) {
    for (const { peer, up } of treeEdges(treeRounds(env) - 1 - k, env.rank, env)) {
      if (up) emit.receive(peer, OUT, 0)
      else emit.send(peer, OUT, 0)
    }
  },
})
