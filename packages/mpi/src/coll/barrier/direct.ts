import { defineCollective, type Algorithm } from '../plan/algorithm.js'

/** Each rank raises its flag in shared memory and looks at those of the others. */
export const direct: Algorithm = defineCollective({
  collective: 'barrier',
  name: 'direct',
  title: 'direct (flags in shared memory)',
  source: 'Mellor-Crummey, Scott 1991 (central counters, here one flag a rank)',
  use: 'ranks that share memory',
  cost: 'one flag a rank',
  needs: { sharedMemory: true },
  rounds: () => 1,
  volume: () => 0,
  round(_, _env, emit) {
    emit.meet(0)
  },
})
