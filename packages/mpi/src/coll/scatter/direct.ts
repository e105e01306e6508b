import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT, SLOT } from '../plan/buffer.js'

/**
 * Each reads its block from the root, from its slot or from its memory. The root leaves as soon as the
 * slot is written; of its memory it waits until all have read.
 *
 * ```
 *   p = 3, root 0     slots     0: slot | publish                1, 2: get block 1, 2 of the slot of 0
 *                     memory    0: publish | wait for 1, 2       1, 2: get block 1, 2 of in of 0 | publish
 * ```
 */
export const direct: Algorithm = defineCollective({
  collective: 'scatter',
  name: 'direct',
  title: 'direct (all read from the root)',
  source: 'Li, Hoefler, Hu, Snir 2014',
  use: 'ranks that share memory',
  cost: '1 round, b read by each',
  needs: { sharedMemory: true },
  rounds: () => 1,
  volume: ({ size }) => Math.min(size - 1, 1),
  round(_, { size, rank, root, slots }, emit) {
    if (rank !== root) {
      emit.awaitPublished(root, 0)
      emit.get(root, slots ? SLOT : IN, rank, OUT, 0)
      if (!slots) emit.publish(1)
      return
    }
    if (slots) emit.copy(IN, 0, SLOT, 0, size)
    emit.publish(0)
    emit.copy(IN, root, OUT, 0)
    if (slots) return
    for (let i = 1; i < size; i++) emit.awaitPublished((root + i) % size, 1)
  },
})
