import { launch, local } from '@commworld/mpi'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namesOf } from './algorithms.js'
import { meet } from './programs/barriers.js'
import { runs, TIMEOUT_MS } from './runs.js'

const algorithms = namesOf('barrier')

test(
  'nobody leaves a barrier before all have come, on coroutines',
  async () => {
    expect.assertions(0)
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 17 }),
      fc.nat(),
      async (ranks, seed) => {
        const barriers = { algorithms, rounds: 3, seed, blocks: false }
        await local(ranks, async (mpi) => await meet(mpi, barriers), { seed })
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
    const args = [JSON.stringify({ algorithms, rounds, seed: 1, blocks: true })]
    const seen = await launch(program, { ranks, args, timeoutMs: TIMEOUT_MS })
    expect(seen).toEqual(Array(ranks).fill(rounds))
  },
  TIMEOUT_MS,
)
