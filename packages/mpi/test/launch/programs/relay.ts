import type { Mpi } from '@commworld/mpi'

/** A baton goes round; whoever holds it prints. */
export default function main({ world, args }: Mpi) {
  const { rank, size } = world
  for (let round = 0; round < Number(args[0]); round++) {
    if (rank > 0 || round > 0) world.recv({ source: (rank + size - 1) % size })
    console.log(`round ${round} rank ${rank}`)
    world.send(round, { dest: (rank + 1) % size })
  }
  if (rank === 0) world.recv({ source: size - 1 })
}
