import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT } from '../plan/buffer.js'

/**
 * All blocks at once. Each rank begins with the one above it, so that not all send to the same
 * rank first.
 *
 * ```
 *   p = 3     0 -> 1, 2     1 -> 2, 0     2 -> 0, 1
 * ```
 */
export const linear: Algorithm = defineCollective({
  collective: 'alltoall',
  name: 'linear',
  title: 'linear',
  source: 'folklore',
  use: 'few ranks, or blocks of very different lengths',
  cost: 'one round of p - 1 messages, (p - 1) b',
  rounds: () => 1,
  volume: ({ size }) => size - 1,
  round(_, { size, rank }, emit) {
    for (let distance = 1; distance < size; distance++) {
      const below = (rank + size - distance) % size
      emit.receive(below, OUT, below)
    }
    for (let distance = 1; distance < size; distance++) {
      const above = (rank + distance) % size
      emit.send(above, IN, above)
    }
    emit.copy(IN, rank, OUT, rank)
  },
})
