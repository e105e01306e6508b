import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { HIGHER, IN, LOWER, OUT, TMP } from '../plan/buffer.js'

/**
 * Each rank sends to the one at distance 1, 2, ... above what is for that one. So it hears from the
 * ranks below it, nearest first, then from the highest down to the one above it: it folds both
 * kinds apart, always on the lower side, and in the end the two, so the order of ranks is kept.
 *
 * ```
 *   p = 5   rank 2   round 0   1 . 2        round 2   4
 *                    round 1   0 . 12       round 3   3 . 4       012 . 34
 * ```
 */
export const pairwise: Algorithm = defineCollective({
  collective: 'reduceScatter',
  name: 'pairwise',
  title: 'pairwise exchange',
  source: 'Thakur, Rabenseifner, Gropp 2005; two folds instead of one keep the order',
  use: 'long blocks',
  cost: 'p - 1 rounds of b',
  scratch: ({ rank }) => [rank],
  rounds: ({ size }) => Math.max(1, size - 1),
  volume: ({ size }) => size - 1,
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, rank, OUT, 0)
    if (size === 1) return
    const to = (rank + 1 + k) % size
    const from = (rank + size - 1 - k) % size
    if (from < rank) emit.receiveReduce(from, OUT, 0, 1, LOWER)
    else if (from === size - 1) emit.receive(from, TMP, 0)
    else emit.receiveReduce(from, TMP, 0, 1, LOWER)
    emit.send(to, IN, to)
    if (from === rank + 1) emit.reduce(TMP, 0, OUT, 0, 1, HIGHER)
  },
})
