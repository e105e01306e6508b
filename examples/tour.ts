import { ANY_SOURCE, SUM, type Mpi } from '@commworld/mpi'

type Greeting = { from: number; square: number }

export default function main({ world, alloc }: Mpi) {
  const { rank, size } = world

  // Values: whatever can be told. Rank 0 takes them as they come.
  const expected = rank === 0 ? size - 1 : 0
  if (rank > 0) world.send({ from: rank, square: rank ** 2 }, { dest: 0, tag: 1 })
  for (let answers = 0; answers < expected; answers++) {
    const { from, square } = world.recv<Greeting>({ source: ANY_SOURCE, tag: 1 })
    console.log(`rank ${from} squared is ${square}`)
  }

  // Memory: straight from one rank's array into another one's.
  const numbers = alloc(Float64Array, 1000).fill(rank)
  const halo = world.irecvInto(numbers.subarray(0, 500), { source: (rank + size - 1) % size })
  world.send(numbers.subarray(500), { dest: (rank + 1) % size })
  const { count } = halo.wait()

  const sum = world.allreduce(numbers[0] + numbers[999], SUM)
  if (rank === 0) console.log(`each rank got ${count} numbers; the sum over all ranks is ${sum}`)
}
