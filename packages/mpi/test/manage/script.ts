import fc from 'fast-check'
import type { Step } from './model.js'

/** Steps that are begun together; `freed` are the families that end before the batch that follows. */
export interface Batch {
  readonly steps: readonly Step[]
  readonly freed: readonly number[]
  /** In which order the communicators are looked at afterwards. */
  readonly order: number
}

export interface Script {
  readonly ranks: number
  readonly batches: readonly Batch[]
}

/** Random trees of communicators on a world of so many ranks. */
export function scripts(ranks: fc.Arbitrary<number>): fc.Arbitrary<Script> {
  return ranks.chain((count) =>
    fc.record({ ranks: fc.constant(count), batches: fc.array(batch(count), { maxLength: 4 }) }),
  )
}

function batch(ranks: number): fc.Arbitrary<Batch> {
  return fc.record({
    steps: fc.array(step(ranks), { minLength: 1, maxLength: 3 }),
    freed: fc.array(fc.nat(20), { maxLength: 2 }),
    order: fc.nat(),
  })
}

function step(ranks: number): fc.Arbitrary<Step> {
  const byRank = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.array(one, { minLength: ranks, maxLength: ranks })
  const of = fc.nat(20)
  const keys = byRank(fc.integer({ min: -2, max: 2 }))
  const flags = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
  return fc.oneof(
    fc.record({ make: fc.constant('dup' as const), of }),
    fc.record({
      make: fc.constant('split' as const),
      of,
      colors: byRank(fc.option(fc.nat(2), { freq: 6 })),
      keys,
    }),
    fc.record({ make: fc.constant('splitType' as const), of, keys }),
    fc.record({
      make: fc.constantFrom('create' as const, 'createGroup' as const),
      of,
      chosen: byRank(fc.boolean()),
      keys,
    }),
    fc.record({
      make: fc.constant('createCart' as const),
      of,
      grid: fc
        .tuple(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }), flags)
        .map(([dims, periods]) => ({ dims, periods: periods.slice(0, dims.length) })),
    }),
    fc.record({ make: fc.constant('sub' as const), of, keep: flags }),
  )
}
