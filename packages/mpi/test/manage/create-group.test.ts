import { ANY_SOURCE, local, SUM, type Communicator, type Mpi } from '@commworld/mpi'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** Groups by their members in world ranks, each with a tag of its own. */
interface Case {
  readonly ranks: number
  readonly groups: readonly (readonly number[])[]
  readonly tags: readonly number[]
  /** By rank, in which order it calls. */
  readonly turns: readonly number[]
}

function cases(groups: (ranks: number) => fc.Arbitrary<number[][]>): fc.Arbitrary<Case> {
  return fc.integer({ min: 1, max: 8 }).chain((ranks) =>
    groups(ranks).chain((list) =>
      fc.record({
        ranks: fc.constant(ranks),
        groups: fc.constant(list),
        tags: fc.uniqueArray(fc.nat(1000), { minLength: list.length, maxLength: list.length }),
        turns: fc.array(fc.nat(), { minLength: ranks, maxLength: ranks }),
      }),
    ),
  )
}

const all = (ranks: number): number[] => Array.from({ length: ranks }, (_, rank) => rank)

/** Every rank in one group, or in none. */
const disjoint = (ranks: number): fc.Arbitrary<number[][]> =>
  fc
    .tuple(
      fc.shuffledSubarray(all(ranks), { minLength: 1 }),
      fc.array(fc.nat(2), { minLength: ranks, maxLength: ranks }),
    )
    .map(([members, group]) =>
      [0, 1, 2].map((one) => members.filter((rank) => group[rank] === one)),
    )

const overlapping = (ranks: number): fc.Arbitrary<number[][]> =>
  fc.array(fc.shuffledSubarray(all(ranks), { minLength: 1 }), { minLength: 1, maxLength: 4 })

/** Calls for all groups at once, in an order of this rank's own, with other messages in between. */
async function makeAll({ world }: Mpi, { groups, tags, turns }: Case): Promise<void> {
  const { rank, size } = world
  const own = [...groups.keys()].filter((index) => groups[index]!.includes(rank))
  const turn = own.length === 0 ? 0 : turns[rank]! % own.length
  const order = [...own.slice(turn), ...own.slice(0, turn)]
  const next = (rank + 1) % size
  // Messages of programs, and of collectives, with the tags of the groups.
  const sends = tags.map((tag) => world.isend(tag, { dest: next, tag }))
  const aside = world.isplit({ color: rank % 2 })
  const requests = order.map((index) =>
    world.icreateGroup(world.group.incl(groups[index]!), { tag: tags[index]! }),
  )
  const sum = world.iallreduce(1, SUM)
  await Promise.all(
    order.map(async (index, place) => await check((await requests[place])!, groups[index]!, rank)),
  )
  for (const tag of tags.toReversed()) {
    expect(await world.irecv({ source: ANY_SOURCE, tag })).toBe(tag)
  }
  expect(await sum).toBe(size)
  expect((await aside).size).toBe(Math.ceil((size - (rank % 2)) / 2))
  await Promise.all(sends)
}

async function check(made: Communicator, members: readonly number[], rank: number): Promise<void> {
  expect(made.rank).toBe(members.indexOf(rank))
  expect(await made.iallgather(rank)).toEqual(members)
}

test.each([
  ['disjoint groups at one time', disjoint],
  ['overlapping groups in any order', overlapping],
])('createGroup makes communicators of %s, told apart by tags', async (_, groups) => {
  await fc.assert(
    fc.asyncProperty(cases(groups), fc.option(fc.nat(), { nil: undefined }), async (one, seed) => {
      const options = seed === undefined ? {} : { seed }
      await local(one.ranks, async (mpi) => await makeAll(mpi, one), options)
    }),
    { numRuns: 80 },
  )
})

test('createGroup with one tag makes one communicator after the other', async () => {
  await local(3, async ({ world }) => {
    const group = world.group.incl([2, 0])
    for (let round = 0; round < 10 && group.rank !== undefined; round++) {
      const made = (await world.icreateGroup(group))!
      expect(await made.iallgather([round, world.rank])).toEqual([
        [round, 2],
        [round, 0],
      ])
      made.free()
    }
  })
})

test('createGroup gives nothing to who is no member, and nobody waits for it', async () => {
  await local(4, async ({ world }) => {
    const none = await world.icreateGroup(world.group.incl([1]).difference(world.group.incl([1])))
    expect(none).toBeUndefined()
    const some = await world.icreateGroup(world.group.incl([1, 2]))
    expect(some?.size).toBe(world.rank === 1 || world.rank === 2 ? 2 : undefined)
  })
})
