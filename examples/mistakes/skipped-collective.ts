import { SUM, type Mpi } from '@commworld/mpi'

const prices = [12, 30, 7, 15, 9, 21]

// MISTAKE: a rank that has nothing to add leaves early. The others wait in a reduction of all ranks.
export default function main({ world }: Mpi) {
  const perRank = Math.ceil(prices.length / world.size)
  const mine = prices.slice(world.rank * perRank, (world.rank + 1) * perRank)
  if (mine.length === 0) return
  let sum = 0
  for (const price of mine) sum += price
  const total = world.allreduce(sum, SUM)
  if (world.rank === 0) console.log(`all together ${total}`)
}
