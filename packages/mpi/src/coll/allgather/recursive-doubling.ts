import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT } from '../plan/buffer.js'
import { ceilLog } from '../pattern/logarithm.js'

/**
 * Each round exchanges all blocks so far with the rank that differs in one more bit.
 *
 * ```
 *   p = 4   round 0   0 = 1    2 = 3        blocks 0 and 1, 2 and 3
 *           round 1   0 = 2    1 = 3        blocks 0 1 and 2 3
 * ```
 */
export const recursiveDoubling: Algorithm = defineCollective({
  collective: 'allgather',
  name: 'recursive-doubling',
  title: 'recursive doubling',
  source: 'Thakur, Rabenseifner, Gropp 2005',
  use: 'short blocks on a power of two of ranks',
  cost: 'log2 p rounds, (p - 1) b',
  needs: { powerOfTwo: true },
  rounds: ({ size }) => Math.max(1, ceilLog(size, 2)),
  volume: ({ size }) => size - 1,
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, 0, OUT, rank)
    if (size === 1) return
    const count = 2 ** k
    const partner = rank ^ count
    emit.receive(partner, OUT, partner - (partner % count), count)
    emit.send(partner, OUT, rank - (rank % count), count)
  },
})
