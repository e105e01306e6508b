import { SUM } from '@commworld/mpi'
import { assertAlgorithm, counts, forAllWorlds, checkAlgorithm } from '@commworld/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ringAllreduce } from './ring-allreduce.js'
import { wrongRing } from './wrong-ring.js'

test('my ring is right for 1 to 32 ranks', () => {
  assertAlgorithm(ringAllreduce, { ranks: 32 })
})

test('my ring adds up in a real world', () =>
  fc.assert(
    forAllWorlds(
      { ranks: { max: 7 }, data: (ranks) => counts({ ranks }) },
      async ({ world, alloc }, count) => {
        const mine = alloc(Float64Array, count).fill(world.rank)
        const sums = new Float64Array(count)
        await world.iallreduceInto(mine, sums, SUM, { algorithm: ringAllreduce })
        return sums
      },
      (results, { ranks, data: count }) => {
        const sum = (ranks * (ranks - 1)) / 2
        for (const sums of results) expect(sums).toEqual(new Float64Array(count).fill(sum))
      },
    ),
  ))

test('the wrong ring is found with three ranks', () => {
  const fault = checkAlgorithm(wrongRing)
  expect(fault?.run.size).toBe(3)
  expect(fault?.text).toContain('rank 0, block 0: missing: the contribution of rank 2')
})
