import { launch } from '@commworld/mpi'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Style } from './actor.js'
import { scripts } from './script.js'

const program = new URL('./programs/scripts.ts', import.meta.url)
/** Far longer than any of them takes: ends a world that hangs, with a report of where. */
const TIMEOUT_MS = 20_000

/** Starting threads is dear, so that a world runs many scripts. */
function batches(ranks: number, styles: readonly Style[]) {
  const one = fc.record({
    script: scripts(fc.constant(ranks)),
    style: fc.constantFrom(...styles),
  })
  return fc.array(one, { minLength: 10, maxLength: 16 })
}

describe('messages of every kind, size and mode arrive as they were sent', () => {
  const always: Style[] = ['plain', 'wait', 'await']

  test.each([1, 2, 3, 5])('on %i threads', async (ranks) => {
    await fc.assert(
      fc.asyncProperty(batches(ranks, always), async (batch) => {
        const options = { ranks, args: [JSON.stringify(batch)], timeoutMs: TIMEOUT_MS }
        const counts = await launch<number>(program, options)
        expect(counts).toEqual(Array(ranks).fill(batch.length))
      }),
      { numRuns: 2, endOnFailure: true },
    )
  })
})
