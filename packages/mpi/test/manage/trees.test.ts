import { launch, local } from '@commworld/mpi'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { run, type Style } from './run.js'
import { scripts } from './script.js'

test('communicators made of others are what the model says, on coroutines', async () => {
  await fc.assert(
    fc.asyncProperty(
      scripts(fc.integer({ min: 1, max: 12 })),
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

test.each([1, 2, 3, 6])('and on %i threads', async (ranks) => {
  const style = fc.constantFrom<Style>('plain', 'await')
  const batch = fc.array(fc.record({ script: scripts(fc.constant(ranks)), style }), {
    minLength: 8,
    maxLength: 12,
  })
  const program = new URL('./programs/trees.ts', import.meta.url)
  await fc.assert(
    fc.asyncProperty(batch, fc.boolean(), async (list, serial) => {
      const args = [JSON.stringify(list)]
      const counts = await launch<number>(program, { ranks, args, serial, timeoutMs: 20_000 })
      expect(counts).toEqual(Array(ranks).fill(list.length))
    }),
    { numRuns: 3, endOnFailure: true },
  )
})
