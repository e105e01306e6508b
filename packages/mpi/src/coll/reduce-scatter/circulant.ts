import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, LOWER, OUT, TMP } from '../plan/buffer.js'
import { circulantRounds, circulantScatter } from '../pattern/circulant-exchange.js'

/**
 * Over the skips ceil(p/2), ceil(p/4), ..., 1 each rank gives away its partial results for the
 * ranks from the skip on: as few rounds and as little volume as possible for any number of ranks.
 *
 * ```
 *   p = 5     round 0: r -> r + 3     round 1: r -> r + 2     round 2: r -> r + 1      (modulo 5)
 *             blocks r + 3, r + 4     block r + 2             block r + 1
 * ```
 */
export const circulant: Algorithm = defineCollective({
  collective: 'reduceScatter',
  name: 'circulant',
  title: 'circulant',
  source: 'Träff 2024',
  use: 'blocks of any length on any number of ranks',
  cost: 'ceil(log2 p) rounds, (p - 1) b',
  needs: { commutative: true },
  scratch: ({ size }) => Array.from({ length: size }, (_, block) => block),
  rounds: ({ size }) => Math.max(1, circulantRounds(size)),
  volume: ({ size }) => size - 1,
  round(k, { size, rank }, emit) {
    if (size === 1) return emit.copy(IN, 0, OUT, 0)
    const { to, given, from, taken, count } = circulantScatter(k, size, rank)
    if (k === 0) emit.copy(IN, rank, TMP, rank, size - count)
    emit.receiveReduce(from, TMP, taken, count, LOWER)
    emit.send(to, k === 0 ? IN : TMP, given, count)
    if (k === circulantRounds(size) - 1) emit.copy(TMP, rank, OUT, 0)
  },
})
