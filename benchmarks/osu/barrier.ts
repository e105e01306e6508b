/** Barriers one after another; the mean over ranks. */
import { SUM, type Communicator, type Mpi } from '@commworld/mpi'
import { COLLECTIVE_COUNTS, readSettings } from './settings.js'

function barrierRepeatedly(world: Communicator, iterations: number): void {
  for (let i = 0; i < iterations; i++) world.barrier()
}

export default function main({ world, args, wtime }: Mpi) {
  const settings = readSettings(args, COLLECTIVE_COUNTS)
  const iterations = settings.iterations(0)
  barrierRepeatedly(world, settings.warmup(0))
  const start = wtime()
  barrierRepeatedly(world, iterations)
  const seconds = world.allreduce(wtime() - start, SUM) / world.size
  if (world.rank === 0) {
    console.log(`# Barrier\n${'# Avg Latency(us)'.padStart(20)}`)
    console.log(((seconds * 1e6) / iterations).toFixed(3).padStart(20))
  }
}
