/** Half a round trip of a small object between ranks 0 and 1; its twin is mpi4py. */
import type { Communicator, Mpi } from '@commworld/mpi'
import { LATENCY_COUNTS, readSettings } from './settings.js'

interface Progress {
  step: number
  position: number[]
  label: string
  done: boolean
}

function pingPongValue(world: Communicator, value: Progress, iterations: number): Progress {
  const peer = 1 - world.rank
  const to = { dest: peer, tag: 1 }
  const from = { source: peer, tag: 1 }
  for (let i = 0; i < iterations; i++) {
    if (peer === 1) {
      world.send(value, to)
      value = world.recv<Progress>(from)
    } else {
      value = world.recv<Progress>(from)
      world.send(value, to)
    }
  }
  return value
}

export default function main({ world, args, wtime }: Mpi) {
  const settings = readSettings(args, LATENCY_COUNTS)
  const iterations = settings.iterations(0)
  const value = { step: 17, position: [1.5, -2.25, 3.125], label: 'halo', done: false }
  world.barrier()
  if (world.rank > 1) return
  pingPongValue(world, value, settings.warmup(0))
  const start = wtime()
  const back = pingPongValue(world, value, iterations)
  const seconds = wtime() - start
  if (JSON.stringify(back) !== JSON.stringify(value))
    throw new Error('the object came back changed')
  if (world.rank === 0) {
    console.log('# Latency of a small object\n# Latency (us)')
    console.log(((seconds * 1e6) / (2 * iterations)).toFixed(3).padStart(20))
  }
}
