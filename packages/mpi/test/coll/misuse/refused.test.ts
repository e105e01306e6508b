import { CommunicatorError, local, OverlapError, SUM } from '@commworld/mpi'
import { describe, expect, test } from 'vitest'
import { refuses } from '../../badinput/refusal.js'
import { f64, RANKS, type Wrong } from './wrong.js'
import { inPlace, lengths, listed, memory } from './wrong-memory.js'
import { algorithms, others, reductions, roots, values } from './wrong-values.js'

const onMemory = { lengths, listed, memory, inPlace }
const onBoth = { roots, reductions, values, algorithms, others }
const groups: Readonly<Record<string, readonly Wrong[]>> = { ...onMemory, ...onBoth }

describe.each(Object.entries(groups))('a collective refuses wrong %s', (_, wrongs) => {
  for (const [what, call, refusal, at] of wrongs) {
    test(what, async () => {
      await local(RANKS, async (mpi) => {
        const { world } = mpi
        const makes = at === undefined || (world.rank === 0) === (at === 'root')
        // More often than collectives may be open: none of these counts as one.
        const times = makes ? 6 : 0
        for (let i = 0; i < times; i++) refuses(() => call(world, mpi), refusal)
        expect(await world.iallreduce(1, SUM)).toBe(RANKS)
        const all = f64(RANKS)
        await world.iallgatherInto(Float64Array.of(world.rank), all)
        expect(all).toEqual(Float64Array.of(0, 1, 2))
      })
    })
  }
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
