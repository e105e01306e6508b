import { launch } from '@commworld/mpi'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namesOf } from './algorithms.js'
import type { KindName } from './elements.js'
import { memoryCases, threads } from './memory-case.js'
import { memoryNames, memoryOperations, type MemoryName } from './operations.js'
import { shapes } from './oracle.js'
import type { Case } from './programs/cases.js'
import type { ReductionName } from './reductions.js'
import { runs, TIMEOUT_MS } from './runs.js'
import { valueCases, valueNames } from './value-case.js'

const program = new URL('./programs/cases.ts', import.meta.url)

/** One case of each operation by each algorithm. */
const everything: fc.Arbitrary<Case[]> = fc.tuple(
  ...memoryNames.flatMap((name) =>
    [undefined, ...namesOf(memoryOperations[name].collective)].map((algorithm) =>
      memoryCases(name, [algorithm], threads).map((memory): Case => ({ memory })),
    ),
  ),
  ...valueNames.flatMap((name) =>
    [undefined, ...namesOf(name)].map((algorithm) =>
      valueCases(name, [algorithm], threads).map((values): Case => ({ values })),
    ),
  ),
)

/** Calls of registered memory that are like the one before, or nearly so: those are looked at once. */
const alike: fc.Arbitrary<Case[]> = fc
  .tuple(...memoryNames.map((name) => fc.array(nearlyAlike(name), { minLength: 6, maxLength: 9 })))
  .map((lists) => lists.flat())

function nearlyAlike(name: MemoryName): fc.Arbitrary<Case> {
  const { reduces } = shapes[memoryOperations[name].collective]
  const place = fc.record({
    layout: fc.constantFrom(...(['whole', 'whole', 'whole', 'part'] as const)),
    registered: fc.nat({ max: 7 }).map((drawn) => drawn > 0),
    strewn: fc.constant(0),
  })
  const mostly = <T>(often: T, seldom: T): fc.Arbitrary<T> =>
    fc.nat({ max: 3 }).map((drawn) => (drawn > 0 ? often : seldom))
  return memoryCases(name, [undefined], threads).chain((memory) =>
    fc
      .record({
        root: mostly(0, 1),
        kind: mostly<KindName>('float64', 'int16'),
        item: fc.constant(1),
        ...(reduces ? { reduction: mostly<ReductionName>('SUM', 'MAX') } : {}),
        lengths: fc
          .constantFrom(...(['2', 'p', 'long', 'long'] as const))
          .map((length) => [length]),
        inPlace: fc.constant(memory.inPlace),
        send: fc.array(place, { minLength: 1, maxLength: 2 }),
        recv: fc.array(place, { minLength: 1, maxLength: 2 }),
      })
      .map((rest): Case => ({ memory: { ...memory, ...rest, form: 'blocking' } })),
  )
}

async function runAll(
  cases: readonly Case[],
  ranks: number,
  options: { serial?: boolean; seed?: number } = {},
): Promise<void> {
  const args = [JSON.stringify(cases)]
  const counts = await launch<number>(program, { ranks, args, timeoutMs: TIMEOUT_MS, ...options })
  expect(counts).toEqual(Array(ranks).fill(cases.length))
}

describe('every collective by every algorithm is what the standard says', () => {
  test.each([1, 2, 5])(
    'on %i threads',
    async (ranks) => {
      await fc.assert(
        fc.asyncProperty(everything, async (cases) => await runAll(cases, ranks)),
        { ...runs(1), endOnFailure: true },
      )
    },
    TIMEOUT_MS,
  )

  test(
    'on threads of which one runs at a time',
    async () => {
      const property = fc.asyncProperty(everything, fc.nat(), async (cases, seed) => {
        await runAll(cases, 3, { serial: true, seed })
      })
      await fc.assert(property, { ...runs(1), endOnFailure: true })
    },
    TIMEOUT_MS,
  )
})

test(
  'calls that are like those before are what the standard says',
  async () => {
    await fc.assert(
      fc.asyncProperty(alike, async (cases) => await runAll(cases, 3)),
      { ...runs(2), endOnFailure: true },
    )
  },
  TIMEOUT_MS,
)

test(
  'calls that are like those before but for the kind of elements are what the standard says',
  async () => {
    const whole = { layout: 'whole', registered: true, strewn: 0 } as const
    const cases = Array.from({ length: 12 }, (_, turn): Case => {
      // Of as many bytes.
      const kind = turn % 2 === 0 ? 'float64' : turn % 3 === 0 ? 'bigint64' : 'int16'
      const call = { kind, reduction: 'SUM', item: 1, lengths: ['long'], send: [whole] } as const
      const rest = { recv: [whole], root: 0, inPlace: turn % 4 > 1, pauses: [0], starts: 2 }
      const form = 'blocking'
      return {
        memory: { name: 'allreduceInto', ...call, ...rest, form, finding: ['wait'], seed: turn },
      }
    })
    await runAll(cases, 2)
  },
  TIMEOUT_MS,
)
