import { Coverage, forAllWorlds } from '@commworld/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import main from './master-worker.js'

test('the master gets every square, whoever answers first', async () => {
  const coverage = new Coverage()
  const property = forAllWorlds(
    { ranks: { min: 2, max: 5 }, data: fc.nat(8), coverage },
    (mpi, tasks) => main(mpi, tasks),
    ([squares], { data: tasks }) => {
      expect(squares).toEqual(Array.from({ length: tasks }, (_, task) => task * task))
    },
  )
  await fc.assert(property)
  coverage.demand('contended wildcard', 'deviation')
})
