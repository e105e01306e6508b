import { local, SUM, type Communicator, type Request } from '@commworld/mpi'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** What is begun on a communicator, and what comes of it on every rank. */
const calls = {
  iallreduce: (on: Communicator) => expected(on.iallreduce(1, SUM), on.size),
  ibarrier: (on: Communicator) => expected(on.ibarrier(), undefined),
  iallgather: (on: Communicator) =>
    expected(
      on.iallgather(on.rank),
      Array.from({ length: on.size }, (_, rank) => rank),
    ),
  ibcast: (on: Communicator) => expected(on.ibcast(on.rank === 0 ? 'all' : undefined), 'all'),
} satisfies Record<string, (on: Communicator) => () => Promise<void>>

function expected(request: Request<unknown>, result: unknown): () => Promise<void> {
  return async () => expect(await request).toEqual(result)
}

type Call = keyof typeof calls | 'idup'

test('idup is made while other collectives are under way, on what was made before', async () => {
  const call = fc.constantFrom<Call>('idup', ...(Object.keys(calls) as Call[]))
  const list = fc.array(fc.tuple(call, fc.nat()), { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      list,
      list,
      fc.option(fc.nat(), { nil: undefined }),
      async (ranks, first, second, seed) => {
        const options = seed === undefined ? {} : { seed }
        await local(
          ranks,
          async ({ world }) => {
            const dups = await beginAll(world, first)
            for (const dup of dups) await beginAll(dup, second)
            expect(new Set([world, ...dups].map((one) => one.name)).size).toBe(
              dups.length === 0 ? 1 : 2,
            )
          },
          options,
        )
      },
    ),
    { numRuns: 100 },
  )
})

/** Begins all of them, ends them in another order, and gives the communicators that were made. */
async function beginAll(
  on: Communicator,
  list: readonly (readonly [Call, number])[],
): Promise<Communicator[]> {
  const dups: Communicator[] = []
  const ends = list.map(([call, turn]) => {
    if (call !== 'idup') return { turn, end: calls[call](on) }
    const request = on.idup()
    return { turn, end: async () => void dups.push(await request) }
  })
  ends.sort((a, b) => a.turn - b.turn)
  for (const { end } of ends) await end()
  for (const dup of dups) {
    expect(dup.compare(on)).toBe('congruent')
    for (const other of dups)
      expect(dup.compare(other)).toBe(dup === other ? 'identical' : 'congruent')
  }
  return dups
}

test('a request of a communicator may be waited for again and gives the same one', async () => {
  await local(2, async ({ world }) => {
    const request = world.idup()
    const dup = await request
    expect(await request).toBe(dup)
    expect(request.wait()).toBe(dup)
    expect(request.test()).toBe(true)
  })
})
