import { launch, local, SUM } from '@commworld/mpi'
import { expect, test } from 'vitest'
import type { Flood } from './programs/flood.js'

const program = (name: string): URL => new URL(`./programs/${name}.ts`, import.meta.url)
const TIMEOUT_MS = 60_000
const MIB = 2 ** 20

test('100,000 messages that nobody wants yet hold up no other, in bounded memory', async () => {
  const results = await launch<Flood>(program('flood'), {
    ranks: 2,
    args: ['100000'],
    timeoutMs: TIMEOUT_MS,
    memoryBytes: 64 * MIB,
  })
  expect(results.map(({ inOrder }) => inOrder)).toEqual([true, true])
  // Some hundred bytes a message at either end.
  for (const { heapBytes } of results) expect(heapBytes).toBeLessThan(150 * MIB)
})

test.each([
  [2, 3000],
  [4, 1000],
])(
  'messages of mixed sizes and modes do not overtake each other on %i threads',
  async (ranks, messages) => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const options = { ranks, args: [`${messages}`, `${seed}`], timeoutMs: TIMEOUT_MS }
    const results = await launch<number>(program('order'), options)
    expect(results, `seed ${seed}`).toEqual(Array(ranks).fill(messages))
  },
)

test.each([
  [2, false],
  [4, false],
  [2, true],
])(
  'short messages wait for no receive, however many come at once: %i threads, serial %s',
  async (ranks, serial) => {
    const options = { ranks, args: ['3000'], timeoutMs: TIMEOUT_MS, serial }
    expect(await launch<number>(program('eager'), options)).toEqual(Array(ranks).fill(3000))
  },
)

test('nor do they on coroutines', async () => {
  await local(2, async ({ world }) => {
    const messages = 200
    if (world.rank === 0) {
      for (let i = 0; i < messages; i++) await world.isend(i, { dest: 1, tag: 0 })
      await world.isend('last', { dest: 1, tag: 1 })
    } else {
      expect(await world.irecv({ source: 0, tag: 1 })).toBe('last')
      for (let i = 0; i < messages; i++) expect(await world.irecv({ source: 0, tag: 0 })).toBe(i)
    }
  })
})

test('a message of many pieces arrives whole', async () => {
  const options = { ranks: 2, args: ['160'], timeoutMs: TIMEOUT_MS }
  expect(await launch<number>(program('large'), options)).toEqual([4, 2])
  expect(await launch<number>(program('large'), { ...options, ranks: 1 })).toEqual([2])
})

test('1,024 ranks on one thread reduce', async () => {
  const ranks = 1024
  const results = await local(ranks, async ({ world }) => await world.iallreduce(world.rank, SUM))
  expect(results).toEqual(Array(ranks).fill((ranks * (ranks - 1)) / 2))
})

test('a rank of 1,024 hears from all others, whoever comes first', async () => {
  const ranks = 1024
  const [total] = await local(
    ranks,
    async ({ world }) => {
      if (world.rank !== 0) {
        await world.isend(world.rank, { dest: 0 })
        return 0
      }
      let sum = 0
      const seen = new Set<unknown>()
      for (let source = 1; source < ranks; source++) {
        const request = world.irecv<number>({ source })
        sum += await request
        seen.add(request.status.source)
      }
      return sum + seen.size
    },
    { seed: 3 },
  )
  expect(total).toBe((ranks * (ranks - 1)) / 2 + ranks - 1)
})
