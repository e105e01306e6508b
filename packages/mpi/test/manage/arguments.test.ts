import {
  AgreementError,
  ArgumentError,
  DimsError,
  GroupError,
  local,
  RankError,
  SharedThreadError,
  TagError,
  UNDEFINED,
  type CartesianCommunicator,
  type Communicator,
  type MpiError,
} from '@commworld/mpi'
import { describe, expect, test } from 'vitest'
import { allIsWell, expectRefusal, refuses, type Refusal } from '../badinput/refusal.js'

const argument = (says: RegExp): Refusal => ({ is: ArgumentError, code: 'MPI_ERR_ARG', says })
const dims = (says: RegExp): Refusal => ({ is: DimsError, code: 'MPI_ERR_DIMS', says })
const group = (says: RegExp): Refusal => ({ is: GroupError, code: 'MPI_ERR_GROUP', says })
const tag = (says: RegExp): Refusal => ({ is: TagError, code: 'MPI_ERR_TAG', says })

/** Untyped programs give anything. */
type Untyped = Record<keyof Communicator, (...given: unknown[]) => unknown>

const color = /^`color` must be an integer of at least 0, or UNDEFINED, but is /
const type = /^`type` must be 'shared' or UNDEFINED, but is /

const wrong: readonly [string, (one: Untyped) => unknown, Refusal][] = [
  ['split without options', (one) => one.isplit(), argument(color)],
  ['split without a color', (one) => one.isplit({ key: 1 }), argument(color)],
  ['a color below 0', (one) => one.isplit({ color: -1 }), argument(color)],
  ['half a color', (one) => one.isplit({ color: 0.5 }), argument(color)],
  ['no number as a color', (one) => one.isplit({ color: Number.NaN }), argument(color)],
  ['a text as a color', (one) => one.isplit({ color: '1' }), argument(color)],
  [
    'half a key',
    (one) => one.isplit({ color: 0, key: 0.5 }),
    argument(/^`key` must be an integer/),
  ],
  ['a text as a key', (one) => one.isplit({ color: 0, key: '0' }), argument(/^`key` must be/)],
  ['splitType without a type', (one) => one.isplitType({}), argument(type)],
  ['another type', (one) => one.isplitType({ type: 'node' }), argument(type)],
  [
    'no group',
    (one) => one.icreate([0, 1]),
    group(/^`group` must be a Group, but is an array of 2$/),
  ],
  ['no group of members', (one) => one.icreateGroup(undefined), group(/^`group` must be a Group/)],
  ['createCart without options', (one) => one.icreateCart(), argument(/^`dims` must be a list/)],
  ['no list of dims', (one) => one.icreateCart({ dims: 4 }), argument(/^`dims` must be a list/)],
  [
    'dims that createDims would fill in',
    (one) => one.icreateCart({ dims: [0, 2] }),
    dims(/^`dims\[0\]` must be an integer of at least 1, but is 0. `createDims` fills in zeros$/),
  ],
  [
    'a grid that is too large',
    (one) => one.icreateCart({ dims: [2, 2] }),
    dims(/^`dims` must be a grid of at most 3, the size of `world`, but is \[2, 2\]$/),
  ],
  [
    'too few periods',
    (one) => one.icreateCart({ dims: [3, 1], periods: [true] }),
    argument(/^`periods` must be a list of 2/),
  ],
  [
    'reorder that is no flag',
    (one) => one.icreateCart({ dims: [3], reorder: 1 }),
    argument(/^`reorder` must be true or false, but is 1$/),
  ],
  ['compare with nothing', (one) => one.compare(undefined), argument(/^`other` must be a comm/)],
  ['compare with a group', (one) => one.compare(one.group), argument(/^`other` must be a comm/)],
]

test.each(wrong)('%s is refused before anything moves', async (_, call, refusal) => {
  await local(3, async (mpi) => {
    refuses(() => call(mpi.world as unknown as Untyped), refusal)
    await allIsWell(mpi)
  })
})

test('tags of createGroup are checked', async () => {
  await local(2, async (mpi) => {
    const { world } = mpi
    for (const wrongTag of [-1, 2 ** 30, 0.5]) {
      refuses(() => world.icreateGroup(world.group, { tag: wrongTag }), tag(/^`tag` must be/))
    }
    await allIsWell(mpi)
  })
})

test('a group must be a part of the communicator', async () => {
  await local(4, async (mpi) => {
    const half = await mpi.world.isplit({ color: mpi.world.rank % 2 })
    const says =
      /^`group` must be a group of ranks of `world\/split [01]`, but is one of 4 ranks, 2 of which are not$/
    refuses(() => half.icreate(mpi.world.group), group(says))
    refuses(() => half.icreateGroup(mpi.world.group), group(says))
    await allIsWell(mpi)
  })
})

test('questions to a grid are checked', async () => {
  await local(6, async (mpi) => {
    const grid = (await mpi.world.icreateCart({ dims: [3, 2], periods: [true, false] }))!
    const rank: Refusal = {
      is: RankError,
      code: 'MPI_ERR_RANK',
      says: /^`rank`: rank 6 is outside 0..5 of `world\/cart 3x2`/,
    }
    const questions: [(one: CartesianCommunicator) => unknown, Refusal][] = [
      [(one) => one.coords(6), rank],
      [(one) => one.rankAt([0]), argument(/^`coords` must be a list of 2/)],
      [(one) => one.rankAt([0, 2]), argument(/^`coords\[1\]` must be an integer from 0 to 1/)],
      [(one) => one.shift(2), dims(/^`dimension` must be an integer from 0 to 1, but is 2$/)],
      [(one) => one.shift(0, 0.5), argument(/^`displacement` must be an integer, but is 0.5$/)],
      [(one) => one.isub([true]), argument(/^`keep` must be a list of 2/)],
      [
        (one) => one.isub([1, 0] as never),
        argument(/^`keep\[0\]` must be true or false, but is 1$/),
      ],
    ]
    for (const [question, refusal] of questions) refuses(() => question(grid), refusal)
    await allIsWell(mpi)
  })
})

test('a plain verb on a shared thread makes nothing and names the form that works', async () => {
  await local(2, async (mpi) => {
    const { world } = mpi
    const grid = (await world.icreateCart({ dims: [2] }))!
    const plain: [string, () => unknown][] = [
      ['world.idup()', () => world.dup()],
      ['world.isplit(...)', () => world.split({ color: 0 })],
      ['world.isplitType(...)', () => world.splitType({ type: 'shared' })],
      ['world.icreate(...)', () => world.create(world.group)],
      ['world.icreateGroup(...)', () => world.createGroup(world.group)],
      ['world.icreateCart(...)', () => world.createCart({ dims: [2] })],
      ['world.idup()', () => grid.dup()],
      ['grid.isub(...)', () => grid.sub([true])],
    ]
    for (const [instead, call] of plain) {
      const { thrown } = await seen(() => call())
      expect(thrown).toBeInstanceOf(SharedThreadError)
      expect((thrown as SharedThreadError).instead).toBe(`await ${instead}`)
    }
    await allIsWell(mpi)
  })
})

/** What a call throws, at once or later, or gives. */
async function seen(call: () => unknown): Promise<{ thrown?: unknown; given?: unknown }> {
  try {
    return { given: await call() }
  } catch (thrown) {
    return { thrown }
  }
}

describe('ranks that do not ask for the same', () => {
  const agreement = (says: RegExp): Refusal => ({
    is: AgreementError,
    code: 'MPI_ERR_NOT_SAME',
    says,
  })

  test('are told so when they call different operations', async () => {
    await local(2, async ({ world }) => {
      const call = world.rank === 0 ? () => world.idup() : () => world.isplit({ color: 0 })
      const { thrown } = await seen(call)
      if (thrown === undefined) return
      const says = /: this rank calls (idup|isplit), but a rank .* called (idup|isplit)$/
      expectRefusal(thrown, agreement(says))
    })
  })

  test('are told so when they name different grids', async () => {
    const errors = await local(6, async ({ world }) => {
      const options = world.rank === 4 ? { dims: [3, 2] } : { dims: [2, 3], periods: [false, true] }
      return await messageOf(() => world.icreateCart(options))
    })
    const says =
      /^collective #0 on `world` does not agree: this rank calls icreateCart \((.*)\), but rank (\d) called icreateCart \((.*)\)$/
    const read = errors.map((error) => says.exec(error!)!.slice(1))
    const flat = 'dims [3, 2]'
    const ring = 'dims [2, 3], periods [false, true]'
    expect(read[4]).toEqual([flat, '0', ring])
    for (const rank of [0, 1, 2, 3, 5]) expect(read[rank]).toEqual([ring, '4', flat])
  })

  test('or grids of many dimensions', async () => {
    const errors = await local(2, async ({ world }) => {
      const many = Array.from({ length: 7 + world.rank }, () => 1)
      return await messageOf(() => world.icreateCart({ dims: many }))
    })
    expect(errors[0]).toMatch(/rank 1 called icreateCart \(another grid of 8 dimensions\)$/)
  })

  test('are told so when they keep different dimensions', async () => {
    const errors = await local(4, async ({ world }) => {
      const grid = (await world.icreateCart({ dims: [2, 2] }))!
      return await messageOf(() => grid.isub([true, world.rank === 0]))
    })
    expect(errors[0]).toMatch(
      /isub \(keep \[true, true\]\), but rank 1 .* \(keep \[true, false\]\)$/,
    )
    expect(errors[3]).toMatch(
      /isub \(keep \[true, false\]\), but rank 0 .* \(keep \[true, true\]\)$/,
    )
  })

  test('are told so when members of a group name another one', async () => {
    const errors = await local(5, async ({ world }) => {
      const { group: all } = world
      const groups = [[0, 1], [1, 0], [2, 3], [2, 3], []]
      return await messageOf(() => world.icreate(all.incl(groups[world.rank]!)))
    })
    const says = /icreate \(a group of 2\), but rank (\d) called icreate \(another group of 2\)$/
    expect(errors[0]).toMatch(says)
    expect(errors[1]).toMatch(says)
    expect(errors.slice(2)).toEqual([undefined, undefined, undefined])
  })

  test('are told so when the first member of a group names another one', async () => {
    const errors = await local(3, async ({ world }) => {
      const members = world.rank === 2 ? [0, 2] : [0, 1, 2]
      return await messageOf(() => world.icreateGroup(world.group.incl(members), { tag: 4 }))
    })
    expect(errors.slice(0, 2)).toEqual([undefined, undefined])
    expect(errors[2]).toBe(
      'icreateGroup on `world` does not agree: this rank calls icreateGroup (a group of 2), ' +
        'but rank 0 called icreateGroup (a group of 3)',
    )
  })

  async function messageOf(call: () => unknown): Promise<string | undefined> {
    const { thrown } = await seen(call)
    return (thrown as MpiError | undefined)?.message
  }
})

test('colors may be large and keys far apart, and UNDEFINED is in none', async () => {
  await local(3, async ({ world }) => {
    const key = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0][world.rank]!
    const one = await world.isplit({ color: Number.MAX_SAFE_INTEGER, key })
    expect(await one.iallgather(world.rank)).toEqual([1, 2, 0])
    const two = await world.isplit({ color: world.rank === 1 ? UNDEFINED : 1 })
    expect(two?.size).toBe(world.rank === 1 ? undefined : 2)
    const none = await world.isplitType({ type: UNDEFINED })
    expect(none).toBeUndefined()
  })
})
