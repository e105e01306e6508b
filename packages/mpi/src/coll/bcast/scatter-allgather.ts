import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { OUT } from '../plan/buffer.js'
import { subtreeSize, treeEdges, treeRounds, type OrderedTree } from '../pattern/ordered-tree.js'

/**
 * A scatter down a binomial tree, so that each rank has the block of its number, then an allgather
 * around a ring, in which nobody receives again what it has had from the tree.
 *
 * ```
 *   p = 3, root 0, blocks a b c     round 0    0 -c-> 2
 *                                   round 1    0 -b-> 1
 *                                   round 2    0 -a-> 1 -b-> 2
 *                                   round 3    0 -c-> 1 -a-> 2
 * ```
 */
export const scatterAllgather: Algorithm = defineCollective({
  collective: 'bcast',
  name: 'scatter-allgather',
  title: 'scatter-allgather (van de Geijn)',
  source: 'Barnett, Littlefield, Payne, van de Geijn 1995; Thakur, Rabenseifner, Gropp 2005',
  use: 'long vectors',
  cost: 'ceil(log2 p) + p - 1 rounds, at most 2 (p - 1)/p m',
  cut: ({ size }) => size,
  rounds: (env) => treeRounds(scatterTree(env)) + env.size - 1,
  volume(env) {
    const { size } = env
    const tree = scatterTree(env)
    let most = 0
    for (let rank = 0; rank < size; rank++) {
      const down = subtreeSize(rank, tree) - 1
      most = Math.max(most, down + size - subtreeSize((rank + 1) % size, tree))
    }
    return most
  },
  round(k, env, emit) {
    const { size, rank } = env
    const tree = scatterTree(env)
    const height = treeRounds(tree)
    if (k < height) {
      for (const { peer, up, first, count } of treeEdges(height - 1 - k, rank, tree)) {
        if (up) emit.receive(peer, OUT, first, count)
        else emit.send(peer, OUT, first, count)
      }
    } else {
      const step = k - height
      const right = (rank + 1) % size
      const left = (rank + size - 1) % size
      if (step < size - subtreeSize(rank, tree)) emit.receive(left, OUT, left + size - step)
      if (step < size - subtreeSize(right, tree)) emit.send(right, OUT, rank + size - step)
    }
  },
})

function scatterTree({ size, root }: Pick<OrderedTree, 'size' | 'root'>): OrderedTree {
  return { size, root, radix: 2 }
}
