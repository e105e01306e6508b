// A master hands out tasks, and takes answers as they come.

import { ANY_SOURCE, type Mpi } from '@commworld/mpi'

const DONE = -1

/** Squares of 0 to `tasks` - 1, at rank 0. */
export default async function main({ world }: Mpi, tasks = 6): Promise<number[] | undefined> {
  const { rank, size } = world
  if (rank > 0) {
    for (;;) {
      const task = await world.irecv<number>({ source: 0 })
      if (task === DONE) return undefined
      await world.isend([task, task * task], { dest: 0 })
    }
  }
  const squares: number[] = []
  let next = 0
  let working = 0
  const give = async (worker: number): Promise<void> => {
    const task = next < tasks ? next++ : DONE
    if (task !== DONE) working++
    await world.isend(task, { dest: worker })
  }
  for (let worker = 1; worker < size; worker++) await give(worker)
  while (working > 0) {
    const answer = world.irecv<[number, number]>({ source: ANY_SOURCE })
    const [task, square] = await answer
    working--
    squares[task] = square
    await give(answer.status.source as number)
  }
  return squares
}
