import { local, type Mpi } from '@commworld/mpi'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namesOf } from './algorithms.js'
import { coroutines, memoryCases } from './memory-case.js'
import { runMemory } from './memory-run.js'
import { memoryNames, memoryOperations } from './operations.js'
import { runs, TIMEOUT_MS } from './runs.js'

const rankCounts = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 17 }))

describe.each(memoryNames)('%s is what the standard says, on coroutines', (name) => {
  const { collective } = memoryOperations[name]
  test.each([undefined, ...namesOf(collective)])(
    'by %s',
    async (algorithm) => {
      expect.assertions(0)
      const worlds = fc.record({
        ranks: rankCounts,
        seed: fc.option(fc.nat(), { nil: undefined }),
        cases: fc.array(memoryCases(name, [algorithm], coroutines), { minLength: 1, maxLength: 4 }),
      })
      await fc.assert(
        fc.asyncProperty(worlds, async ({ ranks, seed, cases }) => {
          const options = seed === undefined ? {} : { seed }
          const main = async (mpi: Mpi): Promise<void> => {
            for (const one of cases) await runMemory(mpi, one)
          }
          await local(ranks, main, options)
        }),
        runs(3),
      )
    },
    TIMEOUT_MS,
  )
})
