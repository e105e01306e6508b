import { defineCollective, type Algorithm, type Emit, type Environment } from '../plan/algorithm.js'
import { IN, OUT, SLOT } from '../plan/buffer.js'

/**
 * Short blocks: the others leave theirs in their slots and the root collects them. Long ones: each
 * rank puts its own into the root's output, all at once.
 *
 * ```
 *   p = 3, root 0     slots     1, 2: slot | publish                 0: get slot of 1, of 2
 *                     memory    0: publish | wait for 1, 2           1, 2: put to out of 0 | publish
 * ```
 */
export const direct: Algorithm = defineCollective({
  collective: 'gather',
  name: 'direct',
  title: 'direct (slots, or puts into the root)',
  source: 'Li, Hoefler, Hu, Snir 2014',
  use: 'ranks that share memory',
  cost: '1 round, (p - 1) b read by the root, or b written by each',
  needs: { sharedMemory: true },
  rounds: () => 1,
  volume: ({ size, slots }) => (slots ? size - 1 : Math.min(size - 1, 1)),
  round(_, env, emit) {
    if (env.slots) collect(env, emit)
    else deliver(env, emit)
  },
})

function collect({ size, rank, root }: Environment, emit: Emit): void {
  if (rank !== root) {
    emit.copy(IN, 0, SLOT, 0)
    emit.publish(0)
    return
  }
  emit.copy(IN, 0, OUT, root)
  for (let i = 1; i < size; i++) {
    const peer = (root + i) % size
    emit.awaitPublished(peer, 0)
    emit.get(peer, SLOT, 0, OUT, peer)
  }
}

function deliver({ size, rank, root }: Environment, emit: Emit): void {
  if (rank !== root) {
    emit.awaitPublished(root, 0)
    emit.put(root, IN, 0, OUT, rank)
    emit.publish(1)
    return
  }
  emit.publish(0)
  emit.copy(IN, 0, OUT, root)
  for (let i = 1; i < size; i++) emit.awaitPublished((root + i) % size, 1)
}
