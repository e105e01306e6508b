import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { HIGHER, IN, LOWER, OUT, TMP } from '../plan/buffer.js'
import { blocksAt, mirrored, nearestFirst, seatOf } from '../pattern/halving.js'
import { isExtra, isProxy, positionOf, powerOfTwo, rankAt } from '../pattern/power-of-two.js'

/**
 * Recursive halving, nearest first, which keeps the order of ranks. What is left to a position is
 * for the one with mirrored bits, and goes there in a last round, to the extra rank too.
 *
 * ```
 *   p = 5   fold      0 -> 1
 *           halve     1 = 2    3 = 4      1 and 3 keep 0 1 2, 2 and 4 keep 3 4
 *                     1 = 3    2 = 4      1 keeps 0 1, 3 2, 2 3, 4 4
 *           mirror    2 = 3    1 -> 0     block 3 for block 2, block 0
 * ```
 */
export const butterfly: Algorithm = defineCollective({
  collective: 'reduceScatter',
  name: 'butterfly',
  title: 'butterfly',
  source: 'Träff 2005; mirrored in the end, as in Open MPI',
  use: 'reductions that do not commute',
  cost: 'floor(log2 p) + 1 rounds, 1 more unless p is a power of two; p b',
  scratch: ({ size }) => Array.from({ length: size }, (_, block) => block),
  rounds: ({ size }) => powerOfTwo(size).rounds + 2,
  volume: ({ size }) => (size > 2 ? size : size - 1),
  round(k, { size, rank }, emit) {
    const fold = powerOfTwo(size)
    const { rounds } = fold
    const position = positionOf(rank, fold)
    if (k === 0) {
      if (isExtra(rank, fold)) emit.send(rank + 1, IN, 0, size)
      else emit.copy(IN, 0, TMP, 0, size)
      if (isProxy(rank, fold)) emit.receiveReduce(rank - 1, TMP, 0, size, LOWER)
    } else if (k <= rounds) {
      if (position < 0) return
      const other = position ^ (2 ** (k - 1))
      const partner = rankAt(other, fold)
      const kept = blocksAt(nearestFirst(position, k, rounds), fold)
      const given = blocksAt(nearestFirst(other, k, rounds), fold)
      const side = partner < rank ? LOWER : HIGHER
      emit.receiveReduce(partner, TMP, kept.first, kept.count, side)
      emit.send(partner, TMP, given.first, given.count)
    } else {
      const holder = rankAt(mirrored(seatOf(rank, fold), rounds), fold)
      if (holder === rank) emit.copy(TMP, rank, OUT, 0)
      else emit.receive(holder, OUT, 0)
      if (position < 0) return
      const { first, count } = blocksAt(nearestFirst(position, rounds, rounds), fold)
      for (let block = first; block < first + count; block++) {
        if (block !== rank) emit.send(block, TMP, block)
      }
    }
  },
})
