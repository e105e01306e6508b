import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { HIGHER, IN, LOWER, OUT, TMP } from '../plan/buffer.js'
import { isExtra, isProxy, positionOf, powerOfTwo, rankAt } from '../pattern/power-of-two.js'

/**
 * Each round exchanges whole vectors with the rank whose position differs in one more bit. The lower
 * operand always comes from the lower ranks and all compute one tree, so the result has the same bits
 * everywhere and the reduction need not commute.
 *
 * ```
 *   p = 5   fold      0 -> 1            2, 3, 4 stay as they are
 *           round 0   (01)=(2)  (3)=(4)
 *           round 1   (01)=(3)  (2)=(4)
 *           unfold    1 -> 0
 * ```
 */
export const recursiveDoubling: Algorithm = defineCollective({
  collective: 'allreduce',
  name: 'recursive-doubling',
  title: 'recursive doubling',
  source: 'Thakur, Rabenseifner, Gropp 2005',
  use: 'short vectors, and reductions that do not commute',
  cost: 'floor(log2 p) rounds of m, 2 more unless p is a power of two',
  scratch: () => [0],
  rounds: ({ size }) => powerOfTwo(size).rounds + 2,
  volume({ size }) {
    const { rounds, extra } = powerOfTwo(size)
    return rounds + (extra > 0 ? 1 : 0)
  },
  round(k, { size, rank }, emit) {
    const fold = powerOfTwo(size)
    if (k === 0) {
      emit.copy(IN, 0, OUT, 0)
      if (isExtra(rank, fold)) emit.send(rank + 1, OUT, 0)
      else if (isProxy(rank, fold)) emit.receiveReduce(rank - 1, OUT, 0, 1, LOWER)
    } else if (k <= fold.rounds) {
      const position = positionOf(rank, fold)
      if (position < 0) return
      const partner = rankAt(position ^ (1 << (k - 1)), fold)
      emit.send(partner, OUT, 0)
      emit.receive(partner, TMP, 0)
      emit.reduce(TMP, 0, OUT, 0, 1, partner < rank ? LOWER : HIGHER)
    } else if (isProxy(rank, fold)) emit.send(rank - 1, OUT, 0)
    else if (isExtra(rank, fold)) emit.receive(rank + 1, OUT, 0)
  },
})
