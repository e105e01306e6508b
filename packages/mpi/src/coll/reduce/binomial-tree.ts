import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { HIGHER, IN, LOWER, OUT, TMP } from '../plan/buffer.js'
import { subtreeSize, treeEdges, treeRounds } from '../pattern/ordered-tree.js'

/**
 * Up a binomial tree, or a k-nomial one with a radix, whose subtrees are neighbours: so each rank folds
 * what is just below or above what it has, and the reduction need not commute. With radix 2 the
 * operands are bracketed in the same way whoever the root is.
 *
 * ```
 *   p = 7, root 4     round 0    1 -> 0    3 -> 2     5 -> 4        01   23   45   6
 *                     round 1    2 -> 0               6 -> 4        (01)(23)  (45)6
 *                     round 2    0 -> 4                             ((01)(23))((45)6)
 * ```
 */
export const binomialTree: Algorithm = defineCollective({
  collective: 'reduce',
  name: 'binomial-tree',
  title: 'binomial tree (k-nomial with a radix above 2)',
  source: 'Thakur, Rabenseifner, Gropp 2005',
  use: 'short vectors, and values',
  cost: 'ceil(log_k p) rounds of m',
  radix: 2,
  scratch: (env) => (env.rank === env.root || subtreeSize(env.rank, env) === 1 ? [] : [0]),
  rounds: (env) => Math.max(treeRounds(env), 1),
  volume: ({ size }) => (size === 1 ? 0 : 1),
  round(k, env, emit) {
    const { rank, root } = env
    const folds = rank === root || subtreeSize(rank, env) > 1
    const into = rank === root ? OUT : TMP
    if (k === 0 && folds) emit.copy(IN, 0, into, 0)
    for (const { peer, up, first } of treeEdges(k, rank, env)) {
      if (up) emit.send(peer, folds ? TMP : IN, 0)
      else emit.receiveReduce(peer, into, 0, 1, first < rank ? LOWER : HIGHER)
    }
  },
})
