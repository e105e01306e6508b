import type { Mpi } from '@commworld/mpi'

/** A line without an end. */
export default function main({ world }: Mpi) {
  process.stdout.write(`rank ${world.rank}`)
}
