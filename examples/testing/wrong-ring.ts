// The same with a mistake: it folds for one round too few.

import { OUT } from '@commworld/mpi/plan'
import { ringAllreduce } from './ring-allreduce.js'

export const wrongRing: typeof ringAllreduce = {
  ...ringAllreduce,
  name: 'wrong-ring',
  round(k, env, emit) {
    const { size, rank } = env
    if (k !== size - 2 || size < 3) return ringAllreduce.round(k, env, emit)
    const given = (rank + 2 * size - k) % size
    emit.receive((rank + size - 1) % size, OUT, (given + size - 1) % size)
    emit.send((rank + 1) % size, OUT, given)
  },
}
