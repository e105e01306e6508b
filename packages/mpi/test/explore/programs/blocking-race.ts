import { ANY_SOURCE, type Mpi } from '@commworld/mpi'

/** The same with verbs that block. */
export default function main({ world, args }: Mpi): void {
  if (world.rank > 0) return world.send(world.rank, { dest: 0 })
  let last = 0
  for (let i = 1; i < world.size; i++) last = world.recv<number>({ source: ANY_SOURCE })
  if (last !== world.size - 1) throw new Error(`${args[0]}: the last came from rank ${last}`)
}
