import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT } from '../plan/buffer.js'
import { ceilLog } from '../pattern/logarithm.js'

/**
 * After j rounds a rank has the blocks of the radix^j ranks from itself upwards. It gives them, as
 * far as they lack there, to the ranks at the distances radix^j, 2 radix^j, ... below. Blocks lie
 * at once where they belong, in ranges that wrap around, so nothing is rotated in the end.
 *
 * ```
 *   p = 5     round 0: r -> r - 1     round 1: r -> r - 2     round 2: r -> r - 4      (modulo 5)
 *             block r                 blocks r and r + 1      block r
 * ```
 */
export const bruck: Algorithm = defineCollective({
  collective: 'allgather',
  name: 'bruck',
  title: 'Bruck',
  source: 'Bruck, Ho, Kipnis, Upfal, Weathersby 1997',
  use: 'short blocks on any number of ranks',
  cost: 'ceil(log_k p) rounds of k - 1 messages, (p - 1) b',
  radix: 2,
  rounds: ({ size, radix }) => Math.max(1, ceilLog(size, radix)),
  volume: ({ size }) => size - 1,
  round(k, { size, rank, radix }, emit) {
    if (k === 0) emit.copy(IN, 0, OUT, rank)
    const step = radix ** k
    for (let j = 1; j < radix && j * step < size; j++) {
      const above = (rank + j * step) % size
      emit.receive(above, OUT, above, Math.min(step, size - j * step))
    }
    for (let j = 1; j < radix && j * step < size; j++) {
      const below = (rank + size - j * step) % size
      emit.send(below, OUT, rank, Math.min(step, size - j * step))
    }
  },
})
