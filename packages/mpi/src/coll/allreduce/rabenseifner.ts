import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { HIGHER, IN, LOWER, OUT } from '../plan/buffer.js'
import { nearestFirst } from '../pattern/halving.js'
import { isExtra, isProxy, positionOf, powerOfTwo, rankAt } from '../pattern/power-of-two.js'

/**
 * A reduce-scatter by halving, then an allgather by doubling, on a power of two of ranks.
 * Neighbours halve first, so what a rank folds are always the ranks just below or above those that
 * it has folded before: the reduction need not commute.
 *
 * ```
 *   p = 5   fold      0 -> 1               of the vector a b c d
 *           halve     1 = 2    3 = 4       1 and 3 keep a b, 2 and 4 keep c d
 *                     1 = 3    2 = 4       1 keeps a, 3 b, 2 c, 4 d
 *           double    1 = 3    2 = 4       1 and 3 have a b, 2 and 4 have c d
 *                     1 = 2    3 = 4       all have a b c d
 *           unfold    1 -> 0
 * ```
 */
export const rabenseifner: Algorithm = defineCollective({
  collective: 'allreduce',
  name: 'rabenseifner',
  title: 'Rabenseifner',
  source: 'Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005',
  use: 'long vectors, when few rounds matter or the reduction does not commute',
  cost: '2 floor(log2 p) rounds, 2 m; 2 rounds and m more unless p is a power of two',
  cut: ({ size }) => powerOfTwo(size).power,
  rounds: ({ size }) => 2 * powerOfTwo(size).rounds + 2,
  volume({ size }) {
    const { power, extra } = powerOfTwo(size)
    return 2 * (power - 1) + (extra > 0 ? power : 0)
  },
  round(k, { size, rank }, emit) {
    const fold = powerOfTwo(size)
    const { rounds, power } = fold
    if (k === 0) {
      emit.copy(IN, 0, OUT, 0, power)
      if (isExtra(rank, fold)) emit.send(rank + 1, OUT, 0, power)
      else if (isProxy(rank, fold)) emit.receiveReduce(rank - 1, OUT, 0, power, LOWER)
    } else if (k <= 2 * rounds) {
      const position = positionOf(rank, fold)
      if (position < 0) return
      const halves = k <= rounds
      const step = halves ? k - 1 : 2 * rounds - k
      const partner = rankAt(position ^ (1 << step), fold)
      const own = nearestFirst(position, step + 1, rounds)
      const other = nearestFirst(position ^ (1 << step), step + 1, rounds)
      if (halves) {
        const side = partner < rank ? LOWER : HIGHER
        emit.receiveReduce(partner, OUT, own.first, own.count, side)
        emit.send(partner, OUT, other.first, other.count)
      } else {
        emit.receive(partner, OUT, other.first, other.count)
        emit.send(partner, OUT, own.first, own.count)
      }
    } else if (isProxy(rank, fold)) emit.send(rank - 1, OUT, 0, power)
    else if (isExtra(rank, fold)) emit.receive(rank + 1, OUT, 0, power)
  },
})
