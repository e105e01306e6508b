/** Allreduces of one number, one after another; the mean over ranks. */
import { SUM, type Communicator, type Mpi } from '@commworld/mpi'
import { printHead, printTime } from './columns.js'
import { COLLECTIVE_COUNTS, readSettings } from './settings.js'

function sumRepeatedly(world: Communicator, iterations: number): number {
  const { rank } = world
  let sum = 0
  for (let i = 0; i < iterations; i++) sum = world.allreduce(rank + i, SUM)
  return sum
}

export default function main({ world, args, wtime }: Mpi) {
  const { rank, size } = world
  const settings = readSettings(args, COLLECTIVE_COUNTS)
  const iterations = settings.iterations(8)
  sumRepeatedly(world, settings.warmup(8))
  const start = wtime()
  const sum = sumRepeatedly(world, iterations)
  const seconds = world.allreduce(wtime() - start, SUM) / size
  const expected = (size * (size - 1)) / 2 + size * (iterations - 1)
  if (sum !== expected) throw new Error(`the last sum is ${sum}, expected ${expected}`)
  if (rank === 0) {
    printHead('Allreduce of one number', 'Avg Latency(us)')
    printTime(8, (seconds * 1e6) / iterations)
  }
}
