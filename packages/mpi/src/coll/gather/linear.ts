import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT } from '../plan/buffer.js'

/** All send to the root. */
export const linear: Algorithm = defineCollective({
  collective: 'gather',
  name: 'linear',
  title: 'linear',
  source: 'folklore',
  use: 'few ranks, long blocks, and blocks whose length only the root knows',
  cost: '1 round of b, p - 1 of them received by the root',
  rounds: () => 1,
  volume: ({ size }) => (size === 1 ? 0 : 1),
  round(_, { size, rank, root }, emit) {
    if (rank !== root) return emit.send(root, IN, 0)
    for (let d = 1; d < size; d++) emit.receive((root + d) % size, OUT, (root + d) % size)
    emit.copy(IN, 0, OUT, root)
  },
})
