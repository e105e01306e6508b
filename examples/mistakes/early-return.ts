import type { Mpi } from '@commworld/mpi'

// MISTAKE: rank 0 leaves early, while rank 1 still expects a message from it.
export default function main({ world }: Mpi) {
  const rounds = world.rank === 0 ? 2 : 3
  for (let round = 0; round < rounds; round++) {
    if (world.rank === 0) world.send(round, { dest: 1 })
    if (world.rank === 1) console.log(`round ${world.recv<number>({ source: 0 })}`)
  }
}
