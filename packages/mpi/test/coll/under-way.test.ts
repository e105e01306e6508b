import { local, SUM, type Communicator, type Request } from '@commworld/mpi'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const collectives = {
  ibarrier: (world: Communicator) => world.ibarrier(),
  ibcast: (world: Communicator) => world.ibcast(world.rank === 0 ? 7 : undefined),
  iallreduce: (world: Communicator) => world.iallreduce(1, SUM),
  iallgather: (world: Communicator) => world.iallgather(world.rank),
  igather: (world: Communicator) => world.igather(world.rank, { root: world.size - 1 }),
} satisfies Record<string, (world: Communicator) => Request<unknown>>

const names = Object.keys(collectives) as (keyof typeof collectives)[]

test('any number of collectives may be under way, and end in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.tuple(fc.constantFrom(...names), fc.nat()), { minLength: 1, maxLength: 12 }),
      fc.option(fc.nat(), { nil: undefined }),
      async (ranks, calls, seed) => {
        await local(
          ranks,
          async ({ world }) => {
            const begun = calls.map(([name]) => collectives[name](world))
            const order = [...begun.keys()].sort((a, b) => calls[a]![1] - calls[b]![1])
            for (const index of order) await begun[index]
          },
          seed === undefined ? {} : { seed },
        )
      },
    ),
    { numRuns: 300 },
  )
  expect.assertions(0)
})
