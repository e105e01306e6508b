import type { Mpi } from '@commworld/mpi'

/** Output that comes after main() has returned is not lost. */
export default function main({ world }: Mpi) {
  setTimeout(() => console.log(`late word of rank ${world.rank}`), 50)
}
