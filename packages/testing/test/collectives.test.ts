import type { CollectiveName } from '@commworld/mpi'
import {
  algorithms,
  anyReduction,
  communicators,
  contribution,
  contributionFault,
  Coverage,
  algorithmsFor,
  forAllLaws,
  forAllWorlds,
  laws,
  makeCommunicator,
  modelOf,
  outcomeFault,
  perform,
  programs,
  TREE,
  treeFault,
} from '@commworld/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('collectives of values', () => {
  const reducing = ['reduce', 'allreduce', 'scan', 'exscan', 'reduceScatter'] as const

  test.each(reducing)('%s gives what the model says, by every algorithm', async (collective) => {
    const property = forAllWorlds(
      {
        ranks: { max: 9 },
        data: (size) =>
          anyReduction().chain((reduction) =>
            fc.record({
              reduction: fc.constant(reduction),
              root: fc.nat(size - 1),
              algorithm: algorithms(collective, { size, commutative: reduction.commutative }),
              given: fc.array(fc.array(reduction.values, { minLength: size, maxLength: size }), {
                minLength: size,
                maxLength: size,
              }),
            }),
          ),
      },
      async ({ world }, { reduction: { op }, root, algorithm, given }) => {
        const mine = given[world.rank]!
        const options = algorithm === undefined ? {} : { algorithm }
        switch (collective) {
          case 'reduce':
            return await world.ireduce(mine[0], op, { ...options, root })
          case 'reduceScatter':
            return await world.ireduceScatter(mine, op, options)
          case 'allreduce':
            return await world.iallreduce(mine[0], op, options)
          case 'scan':
            return await world.iscan(mine[0], op, options)
          case 'exscan':
            return await world.iexscan(mine[0], op, options)
        }
      },
      (values, { ranks: size, data: { reduction, root, given } }) => {
        const { combine: fold } = reduction
        const at = (rank: number, block: number): unknown => given[rank]![block]
        expect(values).toEqual(modelOf(collective, { size, root, given: at, fold }))
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })

  test('every algorithm of allreduce folds each contribution once, in order, by one tree', async () => {
    for (const size of [1, 2, 3, 5, 8]) {
      for (const algorithm of algorithmsFor('allreduce', { size, commutative: false })) {
        const property = forAllWorlds(
          { ranks: size },
          async ({ world }) =>
            await world.iallreduce(contribution(world.rank), TREE, { algorithm }),
          (trees) => {
            for (const tree of trees)
              expect(contributionFault(tree, { count: size })).toBe(undefined)
            expect(treeFault(trees)).toBe(undefined)
          },
        )
        await fc.assert(property, { numRuns: 5 })
      }
    }
  })

  test.each(laws)('law: $name', async (law) => {
    await fc.assert(forAllLaws(law, { ranks: { max: 6 } }), { numRuns: 25 })
  })

  test('a law refuses an operation that is not associative', () => {
    const minus = (a: number, b: number): number => a - b
    expect(() => forAllLaws(laws[0]!, { combine: minus })).toThrow(
      /minus is not associative.*of .* it gives .* when the first two are folded first/,
    )
  })

  test('gather keeps the order of ranks in any communicator', async () => {
    const coverage = new Coverage()
    const property = forAllWorlds(
      { ranks: { max: 6 }, data: communicators, coverage },
      async ({ world }, shape) => {
        const part = await makeCommunicator(world, shape)
        const seen = await part.iallgather(part.rank)
        if (part !== world) part.free()
        expect(seen).toEqual(seen.map((_, rank) => rank))
        return seen.length
      },
      (lengths, { ranks: size, data }) => {
        if (data.kind !== 'split') expect(lengths).toEqual(lengths.map(() => size))
      },
    )
    await fc.assert(property, { numRuns: 60 })
    coverage.demand('collective', 'several ranks')
  })
})

test('matched programs end, messages of one sender keep their order, and sums are right', async () => {
  const coverage = new Coverage()
  const property = forAllWorlds(
    { ranks: { max: 4 }, data: (size) => programs(size), coverage },
    perform,
    (outcomes, { data }) => {
      expect(outcomeFault(data, outcomes)).toBe(undefined)
      const overlaps = data.steps.some(
        (step) => step.kind !== 'message' && 'overlaps' in step && step.overlaps,
      )
      if (overlaps) coverage.reach('overlap')
      if (data.steps.some(({ on }) => on > 0)) coverage.reach('part of the world')
    },
  )
  await fc.assert(property, { numRuns: 150 })
  coverage.demand('contended wildcard', 'collective', 'deviation', 'overlap', 'part of the world')
})

test('modelOf knows all collectives', () => {
  const given = (rank: number, block: number): string => `${rank}${block}`
  const fold = (a: string, b: string): string => `${a}+${b}`
  const model = (name: CollectiveName): unknown => modelOf(name, { size: 2, root: 1, given, fold })
  expect(model('bcast')).toEqual(['10', '10'])
  expect(model('gather')).toEqual([undefined, ['00', '10']])
  expect(model('scatter')).toEqual(['10', '11'])
  expect(model('alltoall')).toEqual([
    ['00', '10'],
    ['01', '11'],
  ])
  expect(model('exscan')).toEqual([undefined, '00'])
  expect(model('reduceScatter')).toEqual(['00+10', '01+11'])
})
