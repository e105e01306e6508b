import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { OUT, SLOT } from '../plan/buffer.js'

/**
 * All read from the root at once, from its slot or from its memory. The root leaves as soon as the slot
 * is written; of its memory it waits until all have read.
 *
 * ```
 *   p = 3, root 0     slots     0: slot | publish                1, 2: get slot of 0
 *                     memory    0: publish | wait for 1, 2       1, 2: get out of 0 | publish
 * ```
 */
export const direct: Algorithm = defineCollective({
  collective: 'bcast',
  name: 'direct',
  title: 'direct (all read from the root)',
  source: 'Li, Hoefler, Hu, Snir 2014',
  use: 'ranks that share memory',
  cost: '1 round, m read by each',
  needs: { sharedMemory: true },
  rounds: () => 1,
  volume: ({ size }) => Math.min(size - 1, 1),
  round(_, { size, rank, root, slots }, emit) {
    if (rank !== root) {
      emit.awaitPublished(root, 0)
      emit.get(root, slots ? SLOT : OUT, 0, OUT, 0)
      if (!slots) emit.publish(1)
      return
    }
    if (slots) emit.copy(OUT, 0, SLOT, 0)
    emit.publish(0)
    if (slots) return
    for (let i = 1; i < size; i++) emit.awaitPublished((root + i) % size, 1)
  },
})
