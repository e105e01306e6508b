import type { Mpi } from '@commworld/mpi'

// MISTAKE: nobody waits for the receive, so nobody knows whether `answer` has arrived when it is read.
export default function main({ world }: Mpi) {
  if (world.rank === 0) {
    world.send(Int32Array.of(42), { dest: 1 })
  } else if (world.rank === 1) {
    const answer = new Int32Array(1)
    world.irecvInto(answer, { source: 0 })
    console.log('rank 1 is done')
  }
}
