import type { Mpi } from '@commworld/mpi'

// MISTAKE: the last rank knows that it is the root; all others leave the root out, which is rank 0.
export default function main({ world }: Mpi) {
  const last = world.size - 1
  if (world.rank === last) {
    world.bcast('the answer', { root: last })
  } else {
    const answer = world.bcast<string>(undefined)
    console.log(`rank ${world.rank} got ${answer}`)
  }
}
