import type { Mpi } from '@commworld/mpi'

/** Writes for ever. */
export default function main({ world }: Mpi) {
  for (let line = 0; ; line++) console.log(`line ${line} of rank ${world.rank}`)
}
