import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, LOWER, OUT, TMP } from '../plan/buffer.js'
import { ceilLog } from '../pattern/logarithm.js'

/**
 * In round k each rank gives what it has, which are the last 2^k ranks up to its own, to the rank 2^k
 * above, so that everybody has twice as many.
 *
 * ```
 *   p = 5     round 0: r -> r + 1     round 1: r -> r + 2     round 2: r -> r + 4      (as far as p - 1)
 * ```
 */
export const recursiveDoubling: Algorithm = defineCollective({
  collective: 'scan',
  name: 'recursive-doubling',
  title: 'recursive doubling',
  source: 'Kogge, Stone 1973; Hillis, Steele 1986',
  use: 'any number of ranks',
  cost: 'ceil(log2 p) rounds of m, as many reductions',
  scratch: () => [0],
  rounds: ({ size }) => Math.max(ceilLog(size, 2), 1),
  volume: ({ size }) => ceilLog(size, 2),
  round(k, { size, rank }, emit) {
    const step = 2 ** k
    if (k === 0) emit.copy(IN, 0, OUT, 0)
    if (rank + step < size) emit.send(rank + step, OUT, 0)
    if (rank < step) return
    emit.receive(rank - step, TMP, 0)
    emit.reduce(TMP, 0, OUT, 0, 1, LOWER)
  },
})
