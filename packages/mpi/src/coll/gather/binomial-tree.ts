import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT, TMP } from '../plan/buffer.js'
import { childSubtreeMax, subtreeSize, treeEdges, treeRounds } from '../pattern/ordered-tree.js'

/**
 * Up a binomial tree, or a k-nomial one with a radix: a rank sends what it and all below it have, which
 * are the blocks from its own on, in one message.
 *
 * ```
 *   p = 7, root 4, blocks a to g     round 0    1 -b-> 0    3 -d-> 2    5 -f-> 4
 *                                    round 1    2 -c d-> 0    6 -g-> 4
 *                                    round 2    0 -a b c d-> 4
 * ```
 */
export const binomialTree: Algorithm = defineCollective({
  collective: 'gather',
  name: 'binomial-tree',
  title: 'binomial tree (k-nomial with a radix above 2)',
  source: 'Thakur, Rabenseifner, Gropp 2005',
  use: 'short blocks',
  cost: 'ceil(log_k p) rounds, (p - 1) b received by the root, at most p b/2 sent by others',
  needs: { knownBlocks: true },
  radix: 2,
  // The root has room for all blocks; who has nobody below it sends what it is given.
  scratch(env) {
    const below = subtreeSize(env.rank, env)
    if (env.rank === env.root || below === 1) return []
    return Array.from({ length: below }, (_, i) => env.rank + i)
  },
  rounds: (env) => Math.max(treeRounds(env), 1),
  volume: childSubtreeMax,
  round(k, env, emit) {
    const { rank, root } = env
    const isLeaf = rank !== root && subtreeSize(rank, env) === 1
    if (k === 0 && rank === root) emit.copy(IN, 0, OUT, root)
    else if (k === 0 && !isLeaf) emit.copy(IN, 0, TMP, 0)
    for (const { peer, up, first, count } of treeEdges(k, rank, env)) {
      if (up) emit.send(peer, isLeaf ? IN : TMP, 0, count)
      else if (rank === root) emit.receive(peer, OUT, first, count)
      else emit.receive(peer, TMP, first - rank, count)
    }
  },
})
