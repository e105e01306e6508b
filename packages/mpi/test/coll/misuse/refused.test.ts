import {
  CommunicatorError,
  launch,
  local,
  OverlapError,
  SUM,
  type Communicator,
} from '@commworld/mpi'
import { describe, expect, test } from 'vitest'
import { refuses } from '../../badinput/refusal.js'
import { inForm } from './forms.js'
import type { Refused } from './programs/blocking.js'
import { f64, RANKS, type Wrong } from './wrong.js'
import { wrongCalls, wrongForms } from './wrong-calls.js'

const as = (world: Communicator): Communicator => world
const persistent = (world: Communicator): Communicator => inForm(world, 'persistent')

/** What is wrong with a call is seen by the ranks for which it counts. */
const isWrongFor = (rank: number, at: Wrong[3]): boolean =>
  at === undefined || (rank === 0) === (at === 'root')

describe.each(Object.entries({ ...wrongCalls, forms: wrongForms }))(
  'a collective refuses wrong %s',
  (group, wrongs) => {
    const forms = group === 'forms' ? [as] : [as, persistent]
    for (const [what, call, refusal, at] of wrongs) {
      test(what, async () => {
        await local(RANKS, async (mpi) => {
          const { world } = mpi
          // More often than collectives may be open: none of these counts as one.
          const times = isWrongFor(world.rank, at) ? 6 : 0
          for (let i = 0; i < times; i++) {
            for (const form of forms) refuses(() => call(form(world), mpi), refusal)
          }
          expect(await world.iallreduce(1, SUM)).toBe(RANKS)
          const all = f64(RANKS)
          await world.iallgatherInto(Float64Array.of(world.rank), all)
          expect(all).toEqual(Float64Array.of(0, 1, 2))
        })
      })
    }
  },
)

test('and so it does in the forms that block', async () => {
  const program = new URL('./programs/blocking.ts', import.meta.url)
  const byRank = await launch<Refused[]>(program, { ranks: RANKS })
  const wrongs = Object.values(wrongCalls).flat()
  byRank.forEach((refused, rank) => {
    const expected = wrongs.filter(([, , , at]) => isWrongFor(rank, at))
    expect(refused.map(({ what }) => what)).toEqual(expected.map(([what]) => what))
    expected.forEach(([what, , { is, code, says }], index) => {
      expect(refused[index]).toMatchObject({ what, name: is.name, code })
      expect(refused[index].message).toMatch(says)
    })
  })
})

test('a collective refuses buffers of another one that is under way', async () => {
  await local(2, async ({ world, alloc }) => {
    const taken = { is: OverlapError, code: 'MPI_ERR_BUFFER', says: /not complete/ }
    for (const data of [alloc(Float64Array, 4), f64(4)]) {
      const open = world.ibcastInto(data)
      if (!open.test()) {
        refuses(() => world.ibcastInto(data), taken)
        refuses(() => world.iallreduceInto(f64(2), data.subarray(2), SUM), taken)
      }
      await open
    }
    expect(await world.iallreduce(1, SUM)).toBe(2)
  })
})

test('a collective refuses a communicator that was freed', async () => {
  await local(2, async ({ world }) => {
    const other = await world.idup()
    expect(await other.iallreduce(1, SUM)).toBe(2)
    other.free()
    const closed = { is: CommunicatorError, code: 'MPI_ERR_COMM', says: /freed/ }
    refuses(() => other.ibarrier(), closed)
    refuses(() => other.iallreduceInto(f64(1), f64(1), SUM), closed)
    refuses(() => other.bcastInit(1), closed)
    expect(await world.iallreduce(1, SUM)).toBe(2)
  })
})
