import {
  algorithmNames,
  AT_ONCE,
  collectiveShapes,
  createWorld,
  memoryCalls,
  memoryNames,
  memoryOperations,
  schedules,
  threads,
  valueCalls,
  valueNames,
  type ElementReductionName,
  type KindName,
  type MemoryName,
  type Schedule,
  type ThreadWorld,
} from '@commworld/testing'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Call } from './programs/calls.js'
import { runs, TIMEOUT_MS } from './runs.js'

const program = new URL('./programs/calls.ts', import.meta.url)
const worlds = new Map<number, ThreadWorld>()
afterAll(async () => {
  for (const world of worlds.values()) await world.close()
})

function worldOf(ranks: number): ThreadWorld {
  let world = worlds.get(ranks)
  if (world === undefined)
    worlds.set(ranks, (world = createWorld({ ranks, timeoutMs: TIMEOUT_MS })))
  return world
}

async function performAll(
  ranks: number,
  calls: readonly Call[],
  schedule?: Schedule,
): Promise<void> {
  const { values } = await worldOf(ranks).run(program, [calls], schedule && { schedule })
  expect(values).toEqual(Array(ranks).fill(calls.length))
}

/** One call of each operation by each algorithm. */
function everything(ranks: number): fc.Arbitrary<Call[]> {
  const drawn = { ranks, carrier: threads }
  return fc.tuple(
    ...memoryNames.flatMap((name) =>
      [undefined, ...algorithmNames(memoryOperations[name].collective)].map((algorithm) =>
        memoryCalls(name, { ...drawn, algorithms: [algorithm] }).map((memory): Call => ({
          memory,
        })),
      ),
    ),
    ...valueNames.flatMap((name) =>
      [undefined, ...algorithmNames(name)].map((algorithm) =>
        valueCalls(name, { ...drawn, algorithms: [algorithm] }).map((values): Call => ({ values })),
      ),
    ),
  )
}

/** Bytes that no slot holds. */
const LONG_BYTES = 8000

/** Calls of registered memory that are like the one before, or nearly so: those are looked at once. */
function nearlyAlike(name: MemoryName, ranks: number): fc.Arbitrary<Call> {
  const { reduces } = collectiveShapes[memoryOperations[name].collective]
  const place = fc.record({
    layout: fc.constantFrom(...(['whole', 'whole', 'whole', 'part'] as const)),
    registered: fc.nat({ max: 7 }).map((drawn) => drawn > 0),
    strewn: fc.constant(0),
  })
  const mostly = <T>(often: T, seldom: T): fc.Arbitrary<T> =>
    fc.nat({ max: 3 }).map((drawn) => (drawn > 0 ? often : seldom))
  const like = {
    root: mostly(0, 1),
    kind: mostly<KindName>('float64', 'int16'),
    item: fc.constant(1),
    ...(reduces ? { reduction: mostly<ElementReductionName>('SUM', 'MAX') } : {}),
    lengths: fc.constantFrom(2, ranks, LONG_BYTES / 8, LONG_BYTES / 8).map((length) => [length]),
    send: fc.array(place, { minLength: 1, maxLength: 2 }),
    recv: fc.array(place, { minLength: 1, maxLength: 2 }),
  }
  const call = memoryCalls(name, { ranks, carrier: threads, algorithms: [undefined] })
  return fc
    .tuple(call, fc.record(like))
    .map(([memory, rest]): Call => ({ memory: { ...memory, ...rest, form: 'blocking' } }))
}

describe('every collective by every algorithm is what the standard says', () => {
  test.each([1, 2, 5])(
    'on %i threads',
    async (ranks) => {
      await fc.assert(
        fc.asyncProperty(everything(ranks), async (calls) => await performAll(ranks, calls)),
        { ...runs(1), endOnFailure: true },
      )
    },
    TIMEOUT_MS,
  )

  test(
    'on threads of which one runs at a time',
    async () => {
      const property = fc.asyncProperty(everything(3), schedules(), async (calls, schedule) => {
        await performAll(3, calls, schedule)
      })
      await fc.assert(property, { ...runs(1), endOnFailure: true })
    },
    TIMEOUT_MS,
  )
})

test(
  'calls that are like those before are what the standard says',
  async () => {
    const ranks = 3
    const some = memoryNames.map((name) =>
      fc.array(nearlyAlike(name, ranks), { minLength: 6, maxLength: 9 }),
    )
    const property = fc.asyncProperty(fc.tuple(...some), async (lists) => {
      await performAll(ranks, lists.flat())
    })
    await fc.assert(property, { ...runs(2), endOnFailure: true })
  },
  TIMEOUT_MS,
)

test(
  'calls that are like those before but for the kind of elements are what the standard says',
  async () => {
    const whole = { layout: 'whole', registered: true, strewn: 0 } as const
    const calls = Array.from({ length: 12 }, (_, turn): Call => {
      // Of as many bytes.
      const kind = turn % 2 === 0 ? 'float64' : turn % 3 === 0 ? 'bigint64' : 'int16'
      const lengths = [LONG_BYTES / (kind === 'int16' ? 2 : 8)]
      const rest = { recv: [whole], root: 0, inPlace: turn % 4 > 1, seed: turn }
      const like = { kind, reduction: 'SUM', item: 1, lengths, send: [whole], ...rest } as const
      const timing = { ...AT_ONCE, form: 'blocking', starts: 2 } as const
      return { memory: { name: 'allreduceInto', ...like, ...timing } }
    })
    await performAll(2, calls)
  },
  TIMEOUT_MS,
)
