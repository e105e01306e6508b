import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT } from '../plan/buffer.js'

/**
 * Each rank sends its block to all others at once, beginning with the one above, so that not all
 * send to the same rank first.
 *
 * ```
 *   p = 3     0 -a-> 1, 2     1 -b-> 2, 0     2 -c-> 0, 1
 * ```
 */
export const linear: Algorithm = defineCollective({
  collective: 'allgather',
  name: 'linear',
  title: 'linear',
  source: 'folklore',
  use: 'few ranks',
  cost: 'one round of p - 1 messages, (p - 1) b',
  rounds: () => 1,
  volume: ({ size }) => size - 1,
  round(_, { size, rank }, emit) {
    for (let distance = 1; distance < size; distance++) {
      const below = (rank + size - distance) % size
      emit.receive(below, OUT, below)
    }
    for (let distance = 1; distance < size; distance++) {
      emit.send((rank + distance) % size, IN, 0)
    }
    emit.copy(IN, 0, OUT, rank)
  },
})
