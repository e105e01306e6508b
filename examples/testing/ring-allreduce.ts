// An allreduce of your own: each block goes round the ring twice, first folded, then handed on.

import { defineCollective, IN, LOWER, OUT } from '@commworld/mpi/plan'

export const ringAllreduce = defineCollective({
  collective: 'allreduce',
  name: 'my-ring',
  title: 'ring',
  source: 'Patarasuk, Yuan 2009',
  use: 'long vectors',
  cost: '2 (p - 1) rounds, 2 (p - 1)/p m',
  needs: { commutative: true },
  cut: ({ size }) => size,
  rounds: ({ size }) => Math.max(1, 2 * (size - 1)),
  volume: ({ size }) => 2 * (size - 1),
  round(k, { size, rank }, emit) {
    if (k === 0) emit.copy(IN, 0, OUT, 0, size)
    if (size === 1) return
    const left = (rank + size - 1) % size
    const given = (rank + 2 * size - k) % size
    const taken = (rank + 2 * size - 1 - k) % size
    if (k < size - 1) emit.receiveReduce(left, OUT, taken, 1, LOWER)
    else emit.receive(left, OUT, taken)
    emit.send((rank + 1) % size, OUT, given)
  },
})
