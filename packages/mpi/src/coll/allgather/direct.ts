import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT, SLOT } from '../plan/buffer.js'

/**
 * Each reads the blocks of all others, those of the ranks above it first so that nobody's memory is
 * read by all at the same time.
 *
 * ```
 *   p = 3     0: get 1, 2     1: get 2, 0     2: get 0, 1      then, unless from slots, all meet
 * ```
 */
export const direct: Algorithm = defineCollective({
  collective: 'allgather',
  name: 'direct',
  title: 'direct (everybody reads from everybody)',
  source: 'Li, Hoefler, Hu, Snir 2014',
  use: 'ranks that share memory',
  cost: '1 round (2 of long blocks), (p - 1) b read by each',
  needs: { sharedMemory: true },
  rounds: () => 1,
  volume: ({ size }) => size - 1,
  round(_, { size, rank, slots }, emit) {
    if (slots) emit.copy(IN, 0, SLOT, 0)
    emit.publish(0)
    emit.copy(IN, 0, OUT, rank)
    for (let i = 1; i < size; i++) {
      const peer = (rank + i) % size
      emit.awaitPublished(peer, 0)
      emit.get(peer, slots ? SLOT : IN, 0, OUT, peer)
    }
    if (!slots) emit.meet(1)
  },
})
