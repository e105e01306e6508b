import { SUM, type Mpi } from '@commworld/mpi'

/**
 * Ranks 0 and 2 wait for each other, one inside of a collective and the other in a receive, and still
 * nothing is wrong: the last rank is late, and when it comes the collective goes on everywhere.
 */
export default function main({ world }: Mpi, algorithm: string, lateMs: number): number {
  const { rank, size } = world
  if (rank === size - 1) {
    const end = performance.now() + lateMs
    while (performance.now() < end);
    return world.iallreduce(rank, SUM, { algorithm }).wait()
  }
  const sum = world.iallreduce(rank, SUM, { algorithm })
  if (rank === 2) {
    world.recv({ source: 0 })
    return sum.wait()
  }
  const result = sum.wait()
  if (rank === 0) world.send('done', { dest: 2 })
  return result
}
