// The tools of perftest over the verbs of @commworld/transport, between two threads:
//
//   npm run perftest -- send_lat            ib_send_lat
//   npm run perftest -- write_bw -a         ib_write_bw -a
//
// `npm run perftest -- --help` lists tests and options. What is measured how stands in docs/verbs.md.

import { isMainThread, Worker, workerData } from 'node:worker_threads'

import { createHcaTable, joinCapture, WorldMemory } from '@commworld/transport'
import { measureBandwidth } from './bandwidth.mjs'
import { BOARD_BYTES, Endpoint } from './endpoint.mjs'
import { measureLatency } from './latency.mjs'
import { readOptions } from './options.mjs'
import { bandwidthLine, footer, header, latencyLine } from './report.mjs'
import { TESTS } from './tests.mjs'

const MEMORY_BYTES = 128 * 2 ** 20

if (isMainThread) main(readOptions(process.argv.slice(2)))
else measure(workerData)

function main(options) {
  const memory = WorldMemory.create({ bytes: MEMORY_BYTES })
  createHcaTable(memory, 2)
  const board = memory.heap.allocate(BOARD_BYTES)
  const sides = [0, 1].map((side) => {
    const data = { shared: memory.shared, board, side, options }
    return new Worker(new URL(import.meta.url), { workerData: data })
  })
  let running = sides.length
  for (const side of sides) {
    side.on('error', (error) => {
      console.error(`perftest: ${error.message}`)
      process.exit(1)
    })
    side.on('exit', () => {
      if (--running === 0 && options.pcap !== undefined) joinCapture(options.pcap, sides.length)
    })
  }
}

/** One side of the test, in its thread; the first prints. */
function measure(data) {
  const { options, side } = data
  const endpoint = new Endpoint(data)
  const print = side === 0 ? (line) => console.log(line) : () => {}
  print(header(options, endpoint.own, endpoint.peer))
  for (const bytes of options.sizes) {
    if (TESTS[options.name].kind === 'latency') {
      const times = measureLatency(endpoint, options.name, bytes, options)
      print(latencyLine(options.name, bytes, times))
    } else {
      const times = measureBandwidth(endpoint, options.name, bytes, options)
      print(bandwidthLine(bytes, times, options.gigabits))
    }
  }
  print(footer)
  endpoint.meet()
  endpoint.close()
}
