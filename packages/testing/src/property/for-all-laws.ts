import { inspect, isDeepStrictEqual } from 'node:util'
import { Op } from '@commworld/mpi'
import fc from 'fast-check'
import { rootOf } from '../arbitraries/ranks.js'
import { assertAssociative } from '../oracles/associativity.js'
import type { Law } from '../oracles/laws.js'
import { forAllWorlds, type WorldsOptions } from './for-all-worlds.js'
import type { World } from './world-arbitrary.js'

/** What a law is asked of. */
export interface LawOptions<T> extends Omit<WorldsOptions<unknown>, 'data'> {
  /** What ranks give; whole numbers when left out. */
  readonly values?: fc.Arbitrary<T>
  /** Folds two of them; sums when left out. */
  readonly combine?: (lower: T, higher: T) => T
}

/** Values of all ranks, by rank, and a root. */
export interface LawData<T> {
  readonly root: number
  readonly own: readonly T[]
  readonly each: readonly (readonly T[])[]
}

const SAMPLES = 6

/**
 * A property that a law of collectives holds in all worlds.
 *
 * @throws {OperationLawError} the law needs an associative operation, and `combine` is none
 * @example
 * test.each(laws)('$name', (law) => fc.assert(forAllLaws(law)))
 */
export function forAllLaws<T = number>(
  law: Law,
  options: LawOptions<T> = {},
): fc.IAsyncPropertyWithHooks<[World<LawData<T>>]> {
  const values = options.values ?? (fc.integer({ min: -1000, max: 1000 }) as fc.Arbitrary<never>)
  const combine =
    options.combine ?? (((a: number, b: number) => a + b) as unknown as typeof options.combine)
  if (law.associative) assertAssociative(combine!, fc.sample(values, { numRuns: SAMPLES, seed: 1 }))
  const op = Op.create(combine!, { name: combine!.name || 'combine' })
  const row = (size: number) => fc.array(values, { minLength: size, maxLength: size })
  return forAllWorlds(
    {
      ...options,
      data: (size: number): fc.Arbitrary<LawData<T>> =>
        fc.record({
          root: rootOf(size),
          own: row(size),
          each: fc.array(row(size), { minLength: size, maxLength: size }),
        }),
    },
    async ({ world }, { root, own, each }) => {
      const { rank } = world
      const [left, right] = await law.sides(world, {
        value: own[rank],
        each: each[rank]!,
        op,
        root,
      })
      if (isDeepStrictEqual(left, right)) return
      throw new Error(`${law.name}: rank ${rank} has ${inspect(left)} and ${inspect(right)}`)
    },
  )
}
