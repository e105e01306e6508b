import { SUM, type Mpi } from '@commworld/mpi'

export default async function main({ world, wtime, compute, alloc }: Mpi): Promise<void> {
  const field = alloc(Float64Array, 4096)
  compute(1e-3)
  await world.iallreduceInto(field, alloc(Float64Array, 4096), SUM)
  if (world.rank === 0) console.log(`${(wtime() * 1e3).toFixed(3)} ms`)
}
