import { local, SUM } from '@commworld/mpi'
import { createWorld, drawing, turns } from '@commworld/testing'
import { expect, test } from 'vitest'
import { runs, TIMEOUT_MS } from './runs.js'

const program = new URL('./programs/repeated.ts', import.meta.url)

test.each([
  { ranks: 2, rounds: 70_000 },
  { ranks: 4, rounds: 4000 },
  { ranks: 10, rounds: 400 },
  { ranks: 3, rounds: 2000, serial: true },
])(
  'collectives are right however often and fast they follow each other: %o',
  async ({ ranks, rounds, serial }) => {
    // More than 2^16 of them, where what ranks agree on is counted anew.
    const count = rounds * runs(1).numRuns
    await using world = createWorld({ ranks, timeoutMs: TIMEOUT_MS })
    const schedule = {
      kind: 'random',
      seed: count,
      depth: 1,
      events: 1,
      from: 0,
      until: Infinity,
    } as const
    const { values } = await world.run(program, [count, ranks], serial === true ? { schedule } : {})
    expect(values).toEqual(Array(ranks).fill(count))
  },
  TIMEOUT_MS,
)

test('a slow reader is waited for, whoever it is', async () => {
  const rounds = 300
  const sums = await local(
    5,
    async ({ world }) => {
      const draw = drawing(world.rank)
      let sum = 0
      for (let round = 0; round < rounds; round++) {
        // The root of a broadcast runs ahead of whoever is slow in this round.
        if (round % 5 === world.rank && draw(4) === 0) await turns(3)
        const root = Math.floor(round / 20) % 5
        sum += await world.ibcast(world.rank === root ? round : -1, { root })
        if (round % 50 === 0) sum -= (await world.iallreduce(1, SUM)) - 5
      }
      return sum
    },
    { seed: 3 },
  )
  expect(sums).toEqual(Array(5).fill((rounds * (rounds - 1)) / 2))
})
