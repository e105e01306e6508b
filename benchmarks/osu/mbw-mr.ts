/** Bandwidth and message rate of many pairs: rank r sends windows of 64 to rank r + pairs. */
import { SUM, type Mpi } from '@commworld/mpi'
import { printHead, printRates } from './columns.js'
import { BANDWIDTH_COUNTS, readSettings } from './settings.js'
import { receiveWindows, sendWindows, WINDOW, WindowMemory } from './windows.js'

export default function main({ world, alloc, args, wtime }: Mpi) {
  const { rank, size } = world
  const pairs = Math.floor(size / 2)
  const settings = readSettings(args, BANDWIDTH_COUNTS)
  const memory = new WindowMemory(alloc, settings.maxBytes)
  if (rank === 0) printHead(`Bandwidth and message rate of ${pairs} pairs`, 'MB/s', 'Messages/s')

  for (const bytes of settings.sizes) {
    if (bytes === 0) continue // 0 bytes have no bandwidth
    const windows = settings.iterations(bytes)
    const warmup = settings.warmup(bytes)
    let seconds = 0 // of senders only
    if (rank < pairs) {
      const peer = rank + pairs
      const message = memory.sendView(bytes)
      sendWindows(world, message, memory.reply, { peer, windows: warmup })
      world.barrier()
      const start = wtime()
      sendWindows(world, message, memory.reply, { peer, windows })
      seconds = wtime() - start
    } else if (rank < 2 * pairs) {
      const peer = rank - pairs
      const slots = memory.slots(bytes)
      receiveWindows(world, slots, memory.reply, { peer, windows: warmup })
      world.barrier()
      receiveWindows(world, slots, memory.reply, { peer, windows })
    } else {
      world.barrier() // the odd one out
    }
    const meanSeconds = world.allreduce(seconds, SUM) / pairs
    const rate = (pairs * WINDOW * windows) / meanSeconds
    if (rank === 0) printRates(bytes, (rate * bytes) / 1e6, rate)
  }
}
