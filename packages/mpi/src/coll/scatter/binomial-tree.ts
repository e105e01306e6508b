import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT, TMP } from '../plan/buffer.js'
import { subtreeSize, treeEdges, treeRounds } from '../pattern/ordered-tree.js'

/**
 * Down a binomial tree, or a k-nomial one with a radix: a rank receives, in one message, the blocks of
 * itself and of all below it, which are those from its own on.
 *
 * ```
 *   p = 7, root 4, blocks a to g     round 0    4 -a b c d-> 0
 *                                    round 1    0 -c d-> 2    4 -g-> 6
 *                                    round 2    0 -b-> 1    2 -d-> 3    4 -f-> 5
 * ```
 */
export const binomialTree: Algorithm = defineCollective({
  collective: 'scatter',
  name: 'binomial-tree',
  title: 'binomial tree (k-nomial with a radix above 2)',
  source: 'Thakur, Rabenseifner, Gropp 2005',
  use: 'short blocks',
  cost: 'ceil(log_k p) rounds, (p - 1) b by the root',
  needs: { knownBlocks: true },
  radix: 2,
  // The root sends what it is given; who has nobody below it receives nothing but its own block.
  scratch(env) {
    const below = subtreeSize(env.rank, env)
    if (env.rank === env.root || below === 1) return []
    return Array.from({ length: below }, (_, i) => env.rank + i)
  },
  rounds: (env) => Math.max(treeRounds(env), 1),
  volume: ({ size }) => size - 1,
  round(k, env, emit) {
    const { rank, root } = env
    const isLeaf = rank !== root && subtreeSize(rank, env) === 1
    const level = treeRounds(env) - 1 - k
    for (const { peer, up, first, count } of treeEdges(level, rank, env)) {
      if (up) emit.receive(peer, isLeaf ? OUT : TMP, 0, count)
      else if (rank === root) emit.send(peer, IN, first, count)
      else emit.send(peer, TMP, first - rank, count)
    }
    if (level > 0) return
    if (rank === root) emit.copy(IN, root, OUT, 0)
    else if (!isLeaf) emit.copy(TMP, 0, OUT, 0)
  },
})
