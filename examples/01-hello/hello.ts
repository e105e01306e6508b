import type { Mpi } from '@commworld/mpi'

// Every rank runs this same function, in a thread of its own. Only `rank` tells them apart.
export default function main({ world }: Mpi) {
  console.log(`Hello from rank ${world.rank} of ${world.size}`)
}
