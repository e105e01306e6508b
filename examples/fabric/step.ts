import { SUM, type Mpi } from '@commworld/mpi'

/** Three steps of something: each rank computes, some longer than others, then all add up 1 MiB. */
export default async function main({ world, alloc, compute, wtime }: Mpi): Promise<void> {
  const { rank } = world
  const mine = alloc(Float64Array, 131_072).fill(rank)
  const sum = alloc(Float64Array, 131_072)
  for (let step = 0; step < 3; step++) {
    compute(200e-6 + 20e-6 * (rank % 3))
    await world.iallreduceInto(mine, sum, SUM)
  }
  if (rank === 0) console.log(`three steps took ${(wtime() * 1e3).toFixed(3)} ms; sum ${sum[0]}`)
}
