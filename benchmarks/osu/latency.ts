/** Half a round trip of a blocking ping-pong between ranks 0 and 1, in registered memory. */
import type { Mpi } from '@commworld/mpi'
import { printHead, printTime } from './columns.js'
import { pingPong } from './ping-pong.js'
import { LATENCY_COUNTS, readSettings } from './settings.js'

export default function main({ world, alloc, args, wtime }: Mpi) {
  const { rank } = world
  const settings = readSettings(args, LATENCY_COUNTS)
  const sendMemory = alloc(Uint8Array, settings.maxBytes).fill(1)
  const recvMemory = alloc(Uint8Array, settings.maxBytes).fill(1)
  if (rank === 0) printHead('Latency', 'Latency (us)')

  for (const bytes of settings.sizes) {
    const buffers = { send: sendMemory.subarray(0, bytes), recv: recvMemory.subarray(0, bytes) }
    const iterations = settings.iterations(bytes)
    const side = { peer: 1 - rank, first: rank === 0 }
    world.barrier()
    if (rank > 1) continue
    pingPong(world, buffers, { ...side, iterations: settings.warmup(bytes) })
    const start = wtime()
    pingPong(world, buffers, { ...side, iterations })
    const seconds = wtime() - start
    if (rank === 0) printTime(bytes, (seconds * 1e6) / (2 * iterations))
  }
}
