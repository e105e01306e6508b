import { local, type Mpi } from '@commworld/mpi'
import { algorithmNames, bitsFault, createWorld, forAllWorlds, serves } from '@commworld/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import resultsOf from './programs/floats.js'
import {
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
function waysOf({ collective, algorithm }: FloatCase): FloatWay[] {
  const carried = (size: number): boolean => serves(collective, algorithm, { size })
  // 16 ranks are as many as any algorithm needs, and even, and a power of two.
  return floatWays.filter((way) => way !== 'values' || carried(16))
}

/** What a rank gets in each of the ways. */
async function allWays(mpi: Mpi, one: FloatCase): Promise<(Floats | undefined)[]> {
  const results: (Floats | undefined)[] = []
  for (const way of waysOf(one)) results.push(await floatResult(mpi, one, way))
  return results
}

/** Results of a rank that gets any must have the same bits. */
function sameBits(results: readonly (Floats | undefined)[], what: string): void {
  const got = results.filter((result) => result !== undefined)
  if (got.length > 0 && got.length < results.length) throw new Error(`${what}: some got nothing`)
  const fault = bitsFault(got)
  if (fault !== undefined) throw new Error(`${what}: ${fault}`)
}

describe.each(floatCollectives)('%s of floats', (collective) => {
  const algorithms = algorithmNames(collective)

  test.each(algorithms)(
    'by %s has the same bits however it is asked for',
    async (algorithm) => {
      expect.assertions(0)
      const property = forAllWorlds(
        { ranks: { min: 2, max: 13 }, data: cases(collective, algorithm) },
        allWays,
        (results, { data }) => {
          const ways = waysOf(data).join(', ')
          results.forEach((byWay, rank) => sameBits(byWay, `rank ${rank}, by ${ways}`))
          if (collective === 'allreduce')
            sameBits(
              results.map(([first]) => first),
              'all ranks',
            )
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
      const property = forAllWorlds(
        { ranks: { max: 17 }, data: cases(collective, algorithm) },
        async (mpi, one) => await floatResult(mpi, one, 'plain'),
        (results, { ranks, data }) => {
          // A root with ranks below it takes those together first; rank 0 has none.
          results.forEach((result, rank) =>
            sameBits([result, leftFold(data, rank, ranks)], `rank ${rank} and the loop`),
          )
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
      algorithmNames(collective).map((algorithm) => cases(collective, algorithm)),
    )
    const ranks = 4
    await using world = createWorld({ ranks, timeoutMs: TIMEOUT_MS })
    const property = fc.asyncProperty(fc.tuple(...all), async (list) => {
      const onThreads = await world.run<(Floats | undefined)[]>(program, [list])
      const onCoroutines = await local(ranks, async (mpi) => await resultsOf(mpi, list))
      onCoroutines.forEach((results, rank) =>
        results.forEach((result, index) => {
          const what = `rank ${rank} in ${JSON.stringify(list[index])}`
          sameBits([result, onThreads.values[rank][index]], what)
        }),
      )
    })
    expect.assertions(0)
    await fc.assert(property, { ...runs(1), endOnFailure: true })
  },
  TIMEOUT_MS,
)
