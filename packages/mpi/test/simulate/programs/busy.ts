import type { Mpi } from '@commworld/mpi'

/** Rank 1 is busy for some milliseconds of the machine. When the others have heard of it. */
export default function main({ world, wtime, args }: Mpi): number {
  if (world.rank === 1) {
    const end = performance.now() + Number(args[0])
    while (performance.now() < end);
  }
  world.barrier()
  return wtime()
}
