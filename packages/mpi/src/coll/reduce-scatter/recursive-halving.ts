import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, LOWER, OUT, TMP } from '../plan/buffer.js'
import { blocksAt, farthestFirst } from '../pattern/halving.js'
import { isExtra, isProxy, positionOf, powerOfTwo, rankAt } from '../pattern/power-of-two.js'

/**
 * Each round a rank keeps those blocks that are for its half of the ranks and gives the others to a
 * rank in the other half, farthest first. Extra ranks give all but their own block to their proxy
 * and fold that with what they get back, so that nobody sends more than p - 1 blocks.
 *
 * ```
 *   p = 5   fold      0 -> 1              blocks 1 2 3 4
 *           halve     1 = 3    2 = 4      1 and 2 keep 0 1 2, 3 and 4 keep 3 4
 *                     1 = 2    3 = 4      1 keeps 0 1, 2 2, 3 3, 4 4
 *           unfold    1 -> 0              block 0
 * ```
 */
export const recursiveHalving: Algorithm = defineCollective({
  collective: 'reduceScatter',
  name: 'recursive-halving',
  title: 'recursive halving',
  source: 'Thakur, Rabenseifner, Gropp 2005',
  use: 'short blocks on a power of two of ranks',
  cost: 'floor(log2 p) rounds, 2 more unless p is a power of two; (p - 1) b',
  needs: { commutative: true },
  scratch: ({ size }) => Array.from({ length: size }, (_, block) => block),
  rounds: ({ size }) => powerOfTwo(size).rounds + 2,
  volume: ({ size }) => size - 1,
  round(k, { size, rank }, emit) {
    const fold = powerOfTwo(size)
    const { rounds } = fold
    if (k === 0) {
      if (isExtra(rank, fold)) {
        emit.copy(IN, rank, OUT, 0)
        emit.send(rank + 1, IN, rank + 1, size - 1)
      } else emit.copy(IN, 0, TMP, 0, size)
      if (isProxy(rank, fold)) emit.receiveReduce(rank - 1, TMP, rank, size - 1, LOWER)
    } else if (k <= rounds) {
      const position = positionOf(rank, fold)
      if (position < 0) return
      const other = position ^ (2 ** (rounds - k))
      const partner = rankAt(other, fold)
      const kept = blocksAt(farthestFirst(position, k, rounds), fold)
      const given = blocksAt(farthestFirst(other, k, rounds), fold)
      emit.receiveReduce(partner, TMP, kept.first, kept.count, LOWER)
      emit.send(partner, TMP, given.first, given.count)
    } else if (isExtra(rank, fold)) emit.receiveReduce(rank + 1, OUT, 0, 1, LOWER)
    else {
      if (isProxy(rank, fold)) emit.send(rank - 1, TMP, rank - 1)
      emit.copy(TMP, rank, OUT, 0)
    }
  },
})
