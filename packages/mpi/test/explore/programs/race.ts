import { ANY_SOURCE, type Mpi } from '@commworld/mpi'

/** Rank 0 believes that its last message comes from the last rank; others are told what to say of it. */
export default async function main({ world, args }: Mpi): Promise<void> {
  if (world.rank > 0) return void (await world.isend(world.rank, { dest: 0 }))
  let last = 0
  for (let i = 1; i < world.size; i++) last = await world.irecv<number>({ source: ANY_SOURCE })
  if (last !== world.size - 1) throw new Error(`${args[0]}: the last came from rank ${last}`)
}
