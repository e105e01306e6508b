/** Bidirectional bandwidth: ranks 0 and 1 send windows of 64 to each other at once. */
import type { Mpi } from '@commworld/mpi'
import { printHead, printRates } from './columns.js'
import { BANDWIDTH_COUNTS, readSettings } from './settings.js'
import { exchangeWindows, WINDOW, WindowMemory } from './windows.js'

export default function main({ world, alloc, args, wtime }: Mpi) {
  const { rank } = world
  const peer = 1 - rank
  const settings = readSettings(args, BANDWIDTH_COUNTS)
  const memory = new WindowMemory(alloc, settings.maxBytes)
  if (rank === 0) printHead('Bidirectional bandwidth', 'Bandwidth (MB/s)')

  for (const bytes of settings.sizes) {
    if (bytes === 0) continue // 0 bytes have no bandwidth
    const windows = settings.iterations(bytes)
    const message = memory.sendView(bytes)
    const slots = memory.slots(bytes)
    world.barrier()
    if (rank > 1) continue
    exchangeWindows(world, message, slots, { peer, windows: settings.warmup(bytes) })
    const start = wtime()
    exchangeWindows(world, message, slots, { peer, windows })
    const seconds = wtime() - start
    if (rank === 0) printRates(bytes, (2 * bytes * WINDOW * windows) / seconds / 1e6)
  }
}
