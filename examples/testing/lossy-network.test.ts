import { Coverage, forAllWorlds, HARMLESS_FAULTS } from '@commworld/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import main from './master-worker.js'

test('a lossy network changes no square', async () => {
  const coverage = new Coverage()
  const property = forAllWorlds(
    { ranks: { min: 2, max: 4 }, data: fc.nat(6), faults: HARMLESS_FAULTS, coverage },
    (mpi, tasks) => main(mpi, tasks),
    ([squares], { data: tasks }) => {
      expect(squares).toEqual(Array.from({ length: tasks }, (_, task) => task * task))
    },
  )
  await fc.assert(property)
  coverage.demand('loss', 'duplicate')
})
