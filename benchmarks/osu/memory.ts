/** Resident memory of the job at its first barrier, in MB (all ranks are threads of one process). */
import type { Mpi } from '@commworld/mpi'

export default function main({ world }: Mpi) {
  world.barrier()
  const residentMegabytes = process.memoryUsage.rss() / 1e6
  world.barrier() // nobody leaves before it is read
  if (world.rank === 0)
    console.log(`# Resident memory of ${world.size} ranks (MB)\n${residentMegabytes.toFixed(2)}`)
}
