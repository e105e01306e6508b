import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { ceilLog } from '../pattern/logarithm.js'

/**
 * In round k each rank tells those at distances radix^k, 2 radix^k, ... above it, and hears from as
 * many below, so that after ceil(log p) rounds everybody has heard of everybody.
 *
 * ```
 *   p = 5     round 0: r -> r + 1     round 1: r -> r + 2     round 2: r -> r + 4      (modulo 5)
 * ```
 */
export const dissemination: Algorithm = defineCollective({
  collective: 'barrier',
  name: 'dissemination',
  title: 'dissemination',
  source: 'Hensgen, Finkel, Manber 1988',
  use: 'any number of ranks that do not share memory',
  cost: 'ceil(log_k p) rounds of k - 1 signals',
  radix: 2,
  rounds: ({ size, radix }) => ceilLog(size, radix),
  volume: () => 0,
  round(k, { size, rank, radix }, emit) {
    const step = radix ** k
    for (let j = 1; j < radix && j * step < size; j++) emit.signal((rank + j * step) % size)
    for (let j = 1; j < radix && j * step < size; j++) emit.await((rank + size - j * step) % size)
  },
})
