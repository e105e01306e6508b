import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import { createHcaTable, WorldMemory } from '@commworld/transport'
import { describe, expect, test } from 'vitest'

type Role = [role: string, options?: object]

/** Runs a thread for each role, with the device of its place, and gives what they return. */
async function threads(...roles: Role[]): Promise<unknown[]> {
  const memory = WorldMemory.create({ bytes: 64 * 2 ** 20 })
  createHcaTable(memory, roles.length)
  const board = memory.heap.allocate(4096)
  const workers = roles.map(([role, options = {}], index) => {
    const workerData = { shared: memory.shared, role, index, options, board }
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

describe('on threads', () => {
  test('case 29: atomics of several threads on one counter are indivisible', async () => {
    const count = 2000
    const client: Role = ['addAtomically', { server: 0, count }]
    const results = await threads(['serveAtomics', { peers: [1, 2, 3] }], client, client, client)
    expect(results).toEqual([3 * count, count, count, count])
  })

  test.each([
    ...['deregister', 'reregister', 'error', 'reset', 'destroy'],
    ...['localInvalidate', 'deallocateWindow', 'unbind'],
  ])('%s lets no byte come late from a transfer under way', async (way) => {
    const rounds = 60
    const [written, refused] = (await threads(
      ['defend', { peer: 1, rounds, way }],
      ['attack', { peer: 0, rounds }],
    )) as [number, number]
    expect(written).toBeGreaterThan(0)
    expect(refused).toBe(rounds)
  })

  test('case 37: a completion queue is resized under way, and loses and reorders nothing', async () => {
    const count = 10_000
    const [resized, completed] = (await threads(
      ['drain', { peer: 1, count }],
      ['pour', { peer: 0, count }],
    )) as [number, number]
    expect(resized).toBeGreaterThan(0)
    expect(completed).toBe(count)
  })

  test('queue pairs and completion queues are destroyed while the other thread sends', async () => {
    const rounds = 200
    await threads(['churnHard', { peer: 1, rounds }], ['churnHard', { peer: 0, rounds }])
  })

  test('case 21: a peer that comes up late, fails or goes: its early sender hears of it', async () => {
    const rounds = 150
    const [, statuses] = await threads(
      ['comeLate', { peer: 1, rounds }],
      ['sendEarly', { peer: 0, rounds }],
    )
    expect(statuses).toEqual(
      Array.from({ length: rounds }, (_, index) => {
        return (index + 1) % 3 === 1 ? 'success' : 'retryExceeded'
      }),
    )
  })

  test('case 38: a thread sleeps on its channel until a completion comes', async () => {
    const count = 200
    const [events] = (await threads(
      ['sleepForCompletions', { peer: 1, count }],
      ['nudge', { peer: 0, count }],
    )) as [number, number]
    expect(events).toBe(count)
  })

  test('F1: the responder hears of the refusal in its own thread', async () => {
    const rounds = 20
    const [names, statuses] = await threads(
      ['countEvents', { peer: 1, rounds }],
      ['breakKeys', { peer: 0, rounds }],
    )
    expect(names).toEqual(Array(rounds).fill('queuePairAccessError'))
    expect(statuses).toEqual(Array(rounds).fill('remoteAccessError'))
  })

  test('case 41: connections are made and ended between threads', async () => {
    const count = 20
    expect(
      await threads(['serveConnections', { count }], ['connectRepeatedly', { peer: 0, count }]),
    ).toEqual([count, count])
  })
})
