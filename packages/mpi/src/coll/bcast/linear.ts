import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { OUT } from '../plan/buffer.js'

/** The root sends to all others, one after the other. */
export const linear: Algorithm = defineCollective({
  collective: 'bcast',
  name: 'linear',
  title: 'linear',
  source: 'folklore',
  use: 'two or three ranks',
  cost: '1 round, p - 1 times m by the root',
  rounds: () => 1,
  volume: ({ size }) => size - 1,
  round(_, { size, rank, root }, emit) {
    if (rank !== root) emit.receive(root, OUT, 0)
    else for (let d = 1; d < size; d++) emit.send((root + d) % size, OUT, 0)
  },
})
