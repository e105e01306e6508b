/** Bandwidth: windows of 64 sends from rank 0 to rank 1, one reply a window. */
import type { Mpi } from '@commworld/mpi'
import { printHead, printRates } from './columns.js'
import { BANDWIDTH_COUNTS, readSettings } from './settings.js'
import { receiveWindows, sendWindows, WINDOW, WindowMemory } from './windows.js'

export default function main({ world, alloc, args, wtime }: Mpi) {
  const { rank } = world
  const settings = readSettings(args, BANDWIDTH_COUNTS)
  const memory = new WindowMemory(alloc, settings.maxBytes)
  if (rank === 0) printHead('Bandwidth', 'Bandwidth (MB/s)')

  for (const bytes of settings.sizes) {
    if (bytes === 0) continue // 0 bytes have no bandwidth
    const windows = settings.iterations(bytes)
    const warmup = settings.warmup(bytes)
    world.barrier()
    if (rank === 0) {
      const message = memory.sendView(bytes)
      sendWindows(world, message, memory.reply, { peer: 1, windows: warmup })
      const start = wtime()
      sendWindows(world, message, memory.reply, { peer: 1, windows })
      const seconds = wtime() - start
      printRates(bytes, (bytes * WINDOW * windows) / seconds / 1e6)
    } else if (rank === 1) {
      const slots = memory.slots(bytes)
      receiveWindows(world, slots, memory.reply, { peer: 0, windows: warmup })
      receiveWindows(world, slots, memory.reply, { peer: 0, windows })
    }
  }
}
