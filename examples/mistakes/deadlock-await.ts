import type { Mpi } from '@commworld/mpi'

// MISTAKE: both receive first, once more. `await` frees the thread, not the rank that awaits.
export default async function main({ world }: Mpi) {
  const other = 1 - world.rank
  const theirs = await world.irecv<number>({ source: other })
  await world.isend(world.rank, { dest: other })
  console.log(`rank ${world.rank} got ${theirs}`)
}
