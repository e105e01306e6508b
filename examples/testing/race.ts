// A master that believes that answers come in the order in which it asked.

import { ANY_SOURCE, type Mpi } from '@commworld/mpi'

export default async function main({ world }: Mpi): Promise<void> {
  const { rank, size } = world
  if (rank !== 0) {
    await world.isend(rank * rank, { dest: 0 })
    return
  }
  for (let worker = 1; worker < size; worker++) {
    const square = await world.irecv<number>({ source: ANY_SOURCE })
    if (square !== worker * worker) {
      throw new Error(`worker ${worker} answered ${square}`)
    }
  }
}
