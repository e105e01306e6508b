import type { Mpi } from '@commworld/mpi'

// MISTAKE: both receive first. Each waits for a message that the other one would send afterwards.
export default function main({ world }: Mpi) {
  const other = 1 - world.rank
  const theirs = world.recv<number>({ source: other })
  world.send(world.rank, { dest: other })
  console.log(`rank ${world.rank} got ${theirs}`)
}
