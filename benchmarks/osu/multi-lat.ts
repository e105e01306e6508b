/** Ping-pong of many pairs at once, rank r with rank r + pairs; the mean over ranks. */
import { SUM, type Mpi } from '@commworld/mpi'
import { printHead, printTime } from './columns.js'
import { pingPong } from './ping-pong.js'
import { LATENCY_COUNTS, readSettings } from './settings.js'

export default function main({ world, alloc, args, wtime }: Mpi) {
  const { rank, size } = world
  if (size % 2 !== 0) throw new Error(`multi-lat needs an even number of ranks, not ${size}`)
  const settings = readSettings(args, LATENCY_COUNTS)
  const pairs = size / 2
  const first = rank < pairs
  const side = { peer: first ? rank + pairs : rank - pairs, first }
  const sendMemory = alloc(Uint8Array, settings.maxBytes).fill(1)
  const recvMemory = alloc(Uint8Array, settings.maxBytes).fill(1)
  if (rank === 0) printHead(`Latency of ${pairs} pairs`, 'Latency (us)')

  for (const bytes of settings.sizes) {
    const buffers = { send: sendMemory.subarray(0, bytes), recv: recvMemory.subarray(0, bytes) }
    const iterations = settings.iterations(bytes)
    pingPong(world, buffers, { ...side, iterations: settings.warmup(bytes) })
    world.barrier()
    const start = wtime()
    pingPong(world, buffers, { ...side, iterations })
    const seconds = world.allreduce(wtime() - start, SUM) / size
    if (rank === 0) printTime(bytes, (seconds * 1e6) / (2 * iterations))
  }
}
