import { Op, SUM, type Mpi } from '@commworld/mpi'

/** MISTAKE: the mean of two means is not the mean of all. It matters which pairs are made. */
const MEAN = Op.create((lower: number, higher: number) => (lower + higher) / 2, { name: 'MEAN' })

/** Writes down which pairs are made. */
const PAIRS = Op.create((lower: string, higher: string) => `(${lower} ${higher})`)

export default function main({ world }: Mpi) {
  for (const algorithm of ['direct', 'recursive-doubling']) {
    const pairs = world.allreduce(String(world.rank), PAIRS, { algorithm })
    const mean = world.allreduce(world.rank, MEAN, { algorithm })
    if (world.rank === 0) console.log(`${algorithm}: ${pairs} makes ${mean}`)
  }
  const sum = world.allreduce(world.rank, SUM)
  if (world.rank === 0) console.log(`the mean is ${sum / world.size}`)
}
