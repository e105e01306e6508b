import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, LOWER, OUT } from '../plan/buffer.js'

/**
 * Each rank in its turn folds what comes from below with its own and passes it on.
 *
 * ```
 *   p = 4     0 -> 1 -> 2 -> 3
 * ```
 */
export const linear: Algorithm = defineCollective({
  collective: 'scan',
  name: 'linear',
  title: 'linear chain',
  source: 'folklore',
  use: 'few ranks, and reductions so costly that each operand should be folded once',
  cost: 'p - 1 rounds of m',
  rounds: ({ size }) => Math.max(size - 1, 1),
  volume: ({ size }) => (size === 1 ? 0 : 1),
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, 0, OUT, 0)
    if (rank === k + 1) emit.receiveReduce(rank - 1, OUT, 0, 1, LOWER)
    if (rank === k && rank < size - 1) emit.send(rank + 1, OUT, 0)
  },
})
