import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import { WorldMemory } from '@commworld/transport'
import { expect, test } from 'vitest'

import { walkHeap } from './heap-walk.js'

const THREADS = 4
const ROUNDS = 20_000

test('Heap serves threads at the same time: blocks stay apart and all come back', async () => {
  const memory = WorldMemory.create({ bytes: 2 ** 20 })
  const workers = Array.from({ length: THREADS }, (_, thread) => {
    const workerData = { shared: memory.shared, thread, rounds: ROUNDS }
    return new Worker(new URL('./heap-worker.mjs', import.meta.url), { workerData })
  })
  try {
    await Promise.all(workers.map((worker) => once(worker, 'message')))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  expect(memory.heap.usedBytes).toBe(0)
  expect(walkHeap(memory.i32)).toEqual([])
})
