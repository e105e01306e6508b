import { createWorld, algorithmNames, forAllWorlds } from '@commworld/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { meet } from './programs/barriers.js'
import { NO_REPEATS, runs, TIMEOUT_MS } from './runs.js'

const algorithms = algorithmNames('barrier')

test(
  'nobody leaves a barrier before all have come, on coroutines',
  async () => {
    expect.assertions(0)
    const property = forAllWorlds(
      { ...NO_REPEATS, ranks: { max: 17 }, data: fc.nat() },
      async (mpi, seed) => {
        await meet(mpi, { algorithms, rounds: 3, seed, blocks: false })
      },
    )
    await fc.assert(property, runs(20))
  },
  TIMEOUT_MS,
)

test.each([2, 5])(
  'nobody leaves a barrier before all have come, on %i threads',
  async (ranks) => {
    const program = new URL('./programs/barriers.ts', import.meta.url)
    const rounds = 100 * runs(1).numRuns
    await using world = createWorld({ ranks, timeoutMs: TIMEOUT_MS })
    const { values } = await world.run(program, [{ algorithms, rounds, seed: 1, blocks: true }])
    expect(values).toEqual(Array(ranks).fill(rounds))
  },
  TIMEOUT_MS,
)
