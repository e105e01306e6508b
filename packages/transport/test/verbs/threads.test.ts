import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import { createHcaTable, WorldMemory } from '@commworld/transport'
import { describe, expect, test } from 'vitest'

interface Role {
  role: 'pingPong' | 'flood' | 'collect' | 'attack' | 'defend' | 'churn'
  options: object
}

/** Runs one thread per role, each with the device of its place, and gives what they return. */
async function threads(memory: WorldMemory, roles: Role[]): Promise<unknown[]> {
  createHcaTable(memory, roles.length)
  const workers = roles.map(({ role, options }, index) => {
    const workerData = { shared: memory.shared, role, index, options }
    return new Worker(new URL('./threads.worker.mjs', import.meta.url), { workerData })
  })
  try {
    await Promise.all(workers.map((worker) => once(worker, 'message')))
    const results = workers.map(async (worker) => {
      const [message] = (await once(worker, 'message')) as [{ result: unknown }]
      return message.result
    })
    for (const worker of workers) worker.postMessage('go')
    return await Promise.all(results)
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

function world(): WorldMemory {
  return WorldMemory.create({ bytes: 16 * 2 ** 20 })
}

describe('on threads', () => {
  test('send and receive pass a number to and fro', async () => {
    const rounds = 5000
    const results = await threads(world(), [
      { role: 'pingPong', options: { peer: 1, rounds } },
      { role: 'pingPong', options: { peer: 0, rounds } },
    ])
    expect(Math.max(...(results as number[]))).toBeGreaterThanOrEqual(rounds)
  })

  test('many senders wait for few receives; nothing is lost, doubled or reordered', async () => {
    const count = 5000
    const results = await threads(world(), [
      { role: 'collect', options: { senders: [1, 2, 3], count, receives: 2 } },
      { role: 'flood', options: { target: 0, count } },
      { role: 'flood', options: { target: 0, count } },
      { role: 'flood', options: { target: 0, count } },
    ])
    expect(results).toEqual([[count, count, count], count, count, count])
  })

  test('deregister lets no byte come late', async () => {
    const memory = world()
    const board = memory.heap.allocate(64)
    const rounds = 300
    const [written, refused] = (await threads(memory, [
      { role: 'defend', options: { peer: 1, board, rounds } },
      { role: 'attack', options: { peer: 0, board } },
    ])) as [number, number]
    expect(written).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  })
  test('connect and destroy at any moment leave nothing behind', async () => {
    const memory = world()
    const board = memory.heap.allocate(64)
    const others = (index: number) => [0, 1, 2].filter((peer) => peer !== index)
    const churn = (index: number): Role => {
      const options = { peers: others(index), rounds: 3000, board }
      return { role: 'churn', options }
    }
    const arrived = (await threads(memory, [churn(0), churn(1), churn(2)])) as number[]
    for (const count of arrived) expect(count).toBeGreaterThan(0)
  })
})
