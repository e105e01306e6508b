/** Half a round trip of an awaited ping-pong between ranks 0 and 1; runs on both carriers. */
import type { Mpi } from '@commworld/mpi'
import { printHead, printTime } from './columns.js'
import { LATENCY_COUNTS, readSettings } from './settings.js'

async function awaitedPingPong(
  { world }: Mpi,
  { send, recv }: { send: Uint8Array; recv: Uint8Array },
  iterations: number,
): Promise<void> {
  const peer = 1 - world.rank
  const to = { dest: peer, tag: 1 }
  const from = { source: peer, tag: 1 }
  for (let i = 0; i < iterations; i++) {
    if (peer === 1) {
      await world.isend(send, to)
      await world.irecvInto(recv, from)
    } else {
      await world.irecvInto(recv, from)
      await world.isend(send, to)
    }
  }
}

export default async function main(mpi: Mpi) {
  const { world, alloc, args, wtime } = mpi
  const { rank } = world
  const settings = readSettings(args, LATENCY_COUNTS)
  const sendMemory = alloc(Uint8Array, settings.maxBytes).fill(1)
  const recvMemory = alloc(Uint8Array, settings.maxBytes).fill(1)
  if (rank > 1) return
  if (rank === 0) printHead('Latency, awaited', 'Latency (us)')

  for (const bytes of settings.sizes) {
    const buffers = { send: sendMemory.subarray(0, bytes), recv: recvMemory.subarray(0, bytes) }
    const iterations = settings.iterations(bytes)
    await awaitedPingPong(mpi, buffers, settings.warmup(bytes))
    const start = wtime()
    await awaitedPingPong(mpi, buffers, iterations)
    const seconds = wtime() - start
    if (rank === 0) printTime(bytes, (seconds * 1e6) / (2 * iterations))
  }
}
