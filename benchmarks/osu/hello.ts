/** Each rank says hello: for the time the launcher takes. */
import type { Mpi } from '@commworld/mpi'

export default function main({ world }: Mpi) {
  console.log(`Hello from rank ${world.rank} of ${world.size}`)
}
