import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, LOWER, OUT } from '../plan/buffer.js'
import {
  circulantGather,
  circulantRounds,
  circulantScatter,
} from '../pattern/circulant-exchange.js'

/**
 * A reduce-scatter over the skips ceil(p/2), ceil(p/4), ..., 1, then the same backwards as an
 * allgather: as few rounds and as little volume as possible for any number of ranks, without
 * folding.
 *
 * ```
 *   p = 5   round 0    r -> r + 3     partial blocks r + 3 and r + 4      (modulo 5)
 *           round 1    r -> r + 2     partial block r + 2
 *           round 2    r -> r + 1     partial block r + 1; r has block r
 *           round 3    r -> r - 1     block r
 *           round 4    r -> r - 2     block r
 *           round 5    r -> r - 3     blocks r and r + 1
 * ```
 */
export const circulant: Algorithm = defineCollective({
  collective: 'allreduce',
  name: 'circulant',
  title: 'circulant',
  source: 'Träff 2024',
  use: 'long vectors on any number of ranks',
  cost: '2 ceil(log2 p) rounds, 2 (p - 1)/p m',
  needs: { commutative: true },
  cut: ({ size }) => size,
  rounds: ({ size }) => Math.max(1, 2 * circulantRounds(size)),
  volume: ({ size }) => 2 * (size - 1),
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, 0, OUT, 0, size)
    if (size === 1) return
    const half = circulantRounds(size)
    if (k < half) {
      const { to, given, from, taken, count } = circulantScatter(k, size, rank)
      emit.receiveReduce(from, OUT, taken, count, LOWER)
      emit.send(to, OUT, given, count)
    } else {
      const { to, given, from, taken, count } = circulantGather(k - half, size, rank)
      emit.receive(from, OUT, taken, count)
      emit.send(to, OUT, given, count)
    }
  },
})
