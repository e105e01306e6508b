import type { Mpi } from '@commworld/mpi'

// Each rank starts with its own number and passes on what comes from the left, until every number
// has been everywhere. So each rank finds the sum 0 + 1 + ... + (size - 1) without anybody in charge.
export default async function main({ world }: Mpi) {
  const { rank, size } = world
  const right = (rank + 1) % size
  const left = (rank + size - 1) % size

  let passing = rank
  let sum = rank
  for (let step = 1; step < size; step++) {
    // The receive is open before the send starts, so that no rank waits for another one's order.
    const incoming = world.irecv<number>({ source: left })
    await world.isend(passing, { dest: right })
    passing = await incoming
    sum += passing
  }

  console.log(`rank ${rank}: the sum of all ranks is ${sum}`)
}
