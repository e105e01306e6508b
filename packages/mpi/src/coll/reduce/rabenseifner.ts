import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { HIGHER, IN, LOWER, OUT, TMP } from '../plan/buffer.js'
import { nearestFirst } from '../pattern/halving.js'
import { positionOf, powerOfTwo, rankAt, type PowerOfTwo } from '../pattern/power-of-two.js'

/**
 * A reduce-scatter by halving, then a gather up the same pairs backwards, on a power of two of ranks
 * that the root is one of. Neighbours halve first, so a rank folds what is just below or above what it
 * has, and the reduction need not commute.
 *
 * ```
 *   p = 5, root 0     fold      1 -> 0               of the vector a b c d
 *                     halve     0 = 2    3 = 4       0 and 3 keep a b, 2 and 4 keep c d
 *                               0 = 3    2 = 4       0 keeps a, 3 b, 2 c, 4 d
 *                     gather    3 -> 0   4 -> 2      0 has a b, 2 has c d
 *                               2 -> 0               0 has a b c d
 * ```
 */
export const rabenseifner: Algorithm = defineCollective({
  collective: 'reduce',
  name: 'rabenseifner',
  title: 'Rabenseifner',
  source: 'Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005',
  use: 'long vectors',
  cost: '2 floor(log2 p) rounds, 1 more unless p is a power of two; at most 3/2 m',
  cut: ({ size }) => powerOfTwo(size).power,
  scratch({ size, rank, root, blocks }) {
    const folded = seat(rank, root, powerOfTwo(size)) < 0
    return rank === root || folded ? [] : Array.from({ length: blocks }, (_, block) => block)
  },
  rounds: ({ size }) => 2 * powerOfTwo(size).rounds + 1,
  volume({ size }) {
    const { power } = powerOfTwo(size)
    return size === 1 ? 0 : power - 1 + power / 2
  },
  round(k, { size, rank, root, blocks }, emit) {
    const fold = powerOfTwo(size)
    const position = seat(rank, root, fold)
    const into = rank === root ? OUT : TMP
    if (k === 0) {
      const pair = rank ^ 1
      if (position < 0) return emit.send(pair, IN, 0, blocks)
      emit.copy(IN, 0, into, 0, blocks)
      if (rank >= 2 * fold.extra) return
      return emit.receiveReduce(pair, into, 0, blocks, pair < rank ? LOWER : HIGHER)
    }
    const halves = k <= fold.rounds
    const step = halves ? k - 1 : 2 * fold.rounds - k
    // In the gather those have gone who were not on the root's side in an earlier pair.
    const away = position ^ seat(root, root, fold)
    if (position < 0 || (!halves && away >> (step + 1) !== 0)) return
    const partner = position ^ (1 << step)
    const peer = swapped(rankAt(partner, fold), root, fold)
    const own = nearestFirst(position, step + 1, fold.rounds)
    const other = nearestFirst(partner, step + 1, fold.rounds)
    if (halves) {
      emit.receiveReduce(peer, into, own.first, own.count, partner < position ? LOWER : HIGHER)
      emit.send(peer, into, other.first, other.count)
    } else if (away >> step === 0) emit.receive(peer, into, other.first, other.count)
    else emit.send(peer, into, own.first, own.count)
  },
})

/** Position of a rank; in its pair the root has it, whichever of the two it is. */
function seat(rank: number, root: number, fold: PowerOfTwo): number {
  return positionOf(swapped(rank, root, fold), fold)
}

/** A root that the fold would take away changes places with its proxy. */
function swapped(rank: number, root: number, { extra }: PowerOfTwo): number {
  const inPair = root < 2 * extra && root % 2 === 0 && rank >> 1 === root >> 1
  return inPair ? rank ^ 1 : rank
}
