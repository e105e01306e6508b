import { launch, local, type Mpi } from '@commworld/mpi'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardsOf, namesOf } from './algorithms.js'
import {
  difference,
  floatCollectives,
  floatOps,
  floatResult,
  floatWays,
  leftFold,
  type FloatCase,
  type FloatWay,
} from './float-run.js'
import { runs, TIMEOUT_MS } from './runs.js'

type Floats = Float32Array | Float64Array

function cases(collective: FloatCase['collective'], algorithm: string): fc.Arbitrary<FloatCase> {
  return fc.record({
    collective: fc.constant(collective),
    algorithm: fc.constant(algorithm),
    op: fc.constantFrom(...Object.keys(floatOps)),
    kind: fc.constantFrom(...(['float32', 'float64'] as const)),
    elements: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 900, max: 1500 })),
    seed: fc.nat({ max: 1_000_000 }),
  })
}

/** Values are whole: algorithms that cut bracket them in another way, or cannot carry them. */
function waysOf(collective: FloatCase['collective'], algorithm: string): FloatWay[] {
  const card = cardsOf(collective).find(({ name }) => name === algorithm.split(':')[0])!
  const whole = card.cut === undefined || card.wholeInSlots === true
  return floatWays.filter((way) => way !== 'values' || whole)
}

/** Results by way and rank. */
function allWays(one: FloatCase): (mpi: Mpi) => Promise<(Floats | undefined)[]> {
  return async (mpi) => {
    const results: (Floats | undefined)[] = []
    for (const way of waysOf(one.collective, one.algorithm)) {
      results.push(await floatResult(mpi, one, way))
    }
    return results
  }
}

describe.each(floatCollectives)('%s of floats', (collective) => {
  const algorithms = namesOf(collective)

  test.each(algorithms)(
    'by %s has the same bits however it is asked for',
    async (algorithm) => {
      expect.assertions(0)
      const property = fc.asyncProperty(
        cases(collective, algorithm),
        fc.integer({ min: 2, max: 13 }),
        fc.option(fc.nat(), { nil: undefined }),
        async (one, ranks, seed) => {
          const options = seed === undefined ? {} : { seed }
          const results = await local(ranks, allWays(one), options)
          const ways = waysOf(collective, algorithm)
          results.forEach((byWay, rank) =>
            byWay.forEach((result, way) => {
              const found = difference(byWay[0], result)
              if (found === undefined) return
              throw new Error(`${ways[0]} and ${ways[way]} differ at rank ${rank} in ${found}`)
            }),
          )
          results.forEach(([result], rank) => {
            const [[first]] = results
            const found = collective === 'allreduce' ? difference(first, result) : undefined
            if (found !== undefined) throw new Error(`ranks 0 and ${rank} differ in ${found}`)
          })
        },
      )
      await fc.assert(property, runs(3))
    },
    TIMEOUT_MS,
  )

  const inOrder = algorithms.filter((name) => name === 'direct' || name === 'linear')

  test.each(inOrder)(
    'by %s is the fold of a loop, to the bit',
    async (algorithm) => {
      expect.assertions(0)
      const property = fc.asyncProperty(
        cases(collective, algorithm),
        fc.integer({ min: 1, max: 17 }),
        async (one, ranks) => {
          const results = await local(ranks, async (mpi) => await floatResult(mpi, one, 'plain'))
          results.forEach((result, rank) => {
            // A root with ranks below it takes those together first; rank 0 has none.
            const found = difference(result, leftFold(one, rank, ranks))
            if (found !== undefined) throw new Error(`rank ${rank} differs in ${found}`)
          })
        },
      )
      await fc.assert(property, runs(6))
    },
    TIMEOUT_MS,
  )
})

test(
  'reductions of floats have the same bits on threads as on coroutines',
  async () => {
    const program = new URL('./programs/floats.ts', import.meta.url)
    const all = floatCollectives.flatMap((collective) =>
      namesOf(collective).map((algorithm) => cases(collective, algorithm)),
    )
    const property = fc.asyncProperty(fc.tuple(...all), async (list) => {
      const ranks = 4
      const args = [JSON.stringify(list)]
      const onThreads = await launch<(Floats | undefined)[]>(program, {
        ranks,
        args,
        timeoutMs: TIMEOUT_MS,
      })
      const onCoroutines = await local(ranks, async (mpi) => {
        const results: (Floats | undefined)[] = []
        for (const one of list) results.push(await floatResult(mpi, one, 'registered'))
        return results
      })
      onCoroutines.forEach((results, rank) =>
        results.forEach((result, index) => {
          const found = difference(onThreads[rank][index], result)
          const what = JSON.stringify(list[index])
          if (found !== undefined) throw new Error(`${what} differs at rank ${rank} in ${found}`)
        }),
      )
    })
    expect.assertions(0)
    await fc.assert(property, { ...runs(1), endOnFailure: true })
  },
  TIMEOUT_MS,
)
