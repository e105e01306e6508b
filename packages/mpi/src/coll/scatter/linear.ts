import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { IN, OUT } from '../plan/buffer.js'

/** The root sends to each rank its block. */
export const linear: Algorithm = defineCollective({
  collective: 'scatter',
  name: 'linear',
  title: 'linear',
  source: 'folklore',
  use: 'few ranks, long blocks, and blocks whose length only the root knows',
  cost: '1 round, p - 1 times b by the root',
  rounds: () => 1,
  volume: ({ size }) => size - 1,
  round(_, { size, rank, root }, emit) {
    if (rank !== root) return emit.receive(root, OUT, 0)
    for (let d = 1; d < size; d++) emit.send((root + d) % size, IN, (root + d) % size)
    emit.copy(IN, root, OUT, 0)
  },
})
