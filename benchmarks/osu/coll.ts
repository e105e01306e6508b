/**
 * Latency of one collective, in registered memory (or of numbers, `--values`), over message sizes:
 * `coll.ts allreduce -m 8:1048576 --algorithm ring`. The options: `collective-settings.ts`.
 */
import { MAX, MIN, SUM, type Mpi } from '@commworld/mpi'
import { extentOf, readCollectiveSettings, type CollectiveSettings } from './collective-settings.js'
import { VALUE_CALLS } from './collective-values.js'
import { printHead, printTimes } from './columns.js'
import { CollectiveMemory } from './operands.js'
import { timeCalls, warmUp } from './timed-calls.js'

const NUMBER_BYTES = 8

export default function main(mpi: Mpi) {
  const task = readCollectiveSettings(mpi.args)
  const { name, collective, settings, options, values } = task
  if (mpi.world.rank === 0) {
    const what = values ? `${collective.title} of one number` : collective.title
    const columns = ['Avg Latency(us)', 'Min Latency(us)', 'Max Latency(us)', 'Iterations']
    printHead(options.algorithm ? `${what}, ${options.algorithm}` : what, ...columns)
  }
  if (name === 'barrier') return timeSize(mpi, task, 0, () => mpi.world.barrier(options))
  if (values) return timeSize(mpi, task, NUMBER_BYTES, VALUE_CALLS[name](mpi.world, options))

  const memory = new CollectiveMemory(mpi, collective, settings.maxBytes)
  for (const bytes of memory.wholeMessages(settings.sizes)) {
    const operands = memory.operands(bytes, options)
    timeSize(mpi, task, bytes, collective.call(mpi.world, operands))
    memory.check(bytes, operands)
  }
}

function timeSize(mpi: Mpi, task: CollectiveSettings, bytes: number, call: () => unknown): void {
  const { world } = mpi
  const extent = extentOf(task, bytes)
  const iterations = warmUp(mpi, call, extent)
  world.barrier()
  const seconds = timeCalls(mpi, call, { ...extent, iterations })
  const microseconds = (seconds * 1e6) / iterations
  const mean = world.allreduce(microseconds, SUM) / world.size
  const times = [mean, world.allreduce(microseconds, MIN), world.allreduce(microseconds, MAX)]
  if (world.rank === 0) printTimes(bytes, times, iterations)
}
