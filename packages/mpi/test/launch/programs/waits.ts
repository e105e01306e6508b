import type { Mpi } from '@commworld/mpi'

/** Rank 0 waits for a timer, the others for rank 0. */
export default async function main({ world }: Mpi) {
  if (world.rank === 0) {
    for (let source = 1; source < world.size; source++) world.recv({ source })
    // Until the others are asleep.
    await new Promise((resolve) => setTimeout(resolve, 200))
    console.log('waiting')
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  } else {
    world.send('here', { dest: 0 })
    world.recv({ source: 0 })
  }
}
