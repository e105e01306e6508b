import {
  coroutines,
  createWorld,
  flights,
  forAllWorlds,
  performFlight,
  schedules,
  threads,
} from '@commworld/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_REPEATS, runs, TIMEOUT_MS } from './runs.js'

test.each([2, 3, 5, 9])(
  'collectives under way together, and messages among them, do not cross, on %i coroutines',
  async (ranks) => {
    const property = forAllWorlds(
      { ...NO_REPEATS, ranks, data: flights(ranks, coroutines) },
      async (mpi, flight) => await performFlight(mpi, flight, 'never blocks'),
      (counts, { data: { steps } }) => {
        expect(counts).toEqual(Array(ranks).fill(steps.length))
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
    await using world = createWorld({ ranks, timeoutMs: TIMEOUT_MS })
    const property = fc.asyncProperty(
      fc.array(flights(ranks, threads), { minLength: 6, maxLength: 12 }),
      schedules(),
      async (list, schedule) => {
        const { values } = await world.run(program, [list], serial ? { schedule } : {})
        expect(values).toEqual(Array(ranks).fill(list.length))
      },
    )
    await fc.assert(property, { ...runs(1), endOnFailure: true })
  },
  TIMEOUT_MS,
)
