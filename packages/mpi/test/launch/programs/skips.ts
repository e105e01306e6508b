import { SUM, type Mpi } from '@commworld/mpi'

/** The last rank does something else than the collective that all others call. */
export default function main({ world, args }: Mpi) {
  const last = world.size - 1
  if (world.rank === last && args[0] === 'returns') return
  if (world.rank === last && args[0] === 'receives') world.recv({ source: 0 })
  world.allreduce(1, SUM)
}
