import { launch, local } from '@commworld/mpi'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flights } from './flight-case.js'
import { fly } from './flight-run.js'
import { coroutines, threads } from './memory-case.js'
import { runs, TIMEOUT_MS } from './runs.js'

test.each([2, 3, 5, 9])(
  'collectives under way together, and messages among them, do not cross, on %i coroutines',
  async (ranks) => {
    const property = fc.asyncProperty(
      flights(ranks, coroutines),
      fc.option(fc.nat(), { nil: undefined }),
      async (flight, seed) => {
        const options = seed === undefined ? {} : { seed }
        const counts = await local(
          ranks,
          async (mpi) => await fly(mpi, flight, 'never blocks'),
          options,
        )
        expect(counts).toEqual(Array(ranks).fill(flight.steps.length))
      },
    )
    await fc.assert(property, runs(10))
  },
  TIMEOUT_MS,
)

test.each([
  { ranks: 2, serial: false },
  { ranks: 4, serial: false },
  { ranks: 3, serial: true },
])(
  'collectives under way together, and messages among them, do not cross, on threads: %o',
  async ({ ranks, serial }) => {
    const program = new URL('./programs/flights.ts', import.meta.url)
    const property = fc.asyncProperty(
      fc.array(flights(ranks, threads), { minLength: 6, maxLength: 12 }),
      fc.nat(),
      async (list, seed) => {
        const args = [JSON.stringify(list)]
        const options = serial ? { serial, seed } : {}
        const counts = await launch<number>(program, {
          ranks,
          args,
          timeoutMs: TIMEOUT_MS,
          ...options,
        })
        expect(counts).toEqual(Array(ranks).fill(list.length))
      },
    )
    await fc.assert(property, { ...runs(1), endOnFailure: true })
  },
  TIMEOUT_MS,
)
