import { local } from '@commworld/mpi'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { run } from './run.js'
import { scripts } from './script.js'

test('messages of every kind, size and mode arrive as they were sent, on coroutines', async () => {
  await fc.assert(
    fc.asyncProperty(
      scripts(fc.integer({ min: 1, max: 5 })),
      fc.option(fc.nat(), { nil: undefined }),
      async (script, seed) => {
        const options = seed === undefined ? {} : { seed }
        await local(script.ranks, async (mpi) => await run(mpi, script, 'await'), options)
      },
    ),
    { numRuns: 150 },
  )
  expect.assertions(0)
})
