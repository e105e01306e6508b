import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT, SLOT } from '../plan/buffer.js'

/**
 * Each reads from all others the block that is for it, those of the ranks above it first so that
 * nobody's memory is read by all at the same time.
 *
 * ```
 *   p = 3     0: get 1's block 0, 2's block 0     1: get 2's block 1, 0's block 1     2: ...
 * ```
 */
export const direct: Algorithm = defineCollective({
  collective: 'alltoall',
  name: 'direct',
  title: 'direct (everybody reads from everybody)',
  source: 'Li, Hoefler, Hu, Snir 2014',
  use: 'ranks that share memory',
  cost: '1 round (2 of long blocks), (p - 1) b read by each',
  needs: { sharedMemory: true },
  rounds: () => 1,
  volume: ({ size }) => size - 1,
  round(_, { size, rank, slots }, emit) {
    if (slots) emit.copy(IN, 0, SLOT, 0, size)
    emit.publish(0)
    emit.copy(IN, rank, OUT, rank)
    for (let i = 1; i < size; i++) {
      const peer = (rank + i) % size
      emit.awaitPublished(peer, 0)
      emit.get(peer, slots ? SLOT : IN, rank, OUT, peer)
    }
    if (!slots) emit.meet(1)
  },
})
