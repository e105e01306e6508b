import fc from 'fast-check'

/**
 * What goes wrong below the library, as plain data. Worlds take it when the simulated fabric has a
 * fault plan; until then only the empty one can be run.
 */
export interface FaultPlan {
  readonly faults: readonly Fault[]
}

export type Fault =
  | {
      readonly kind: 'delay'
      readonly from: number
      readonly to: number
      readonly message: number
      readonly nanoseconds: number
    }
  | {
      readonly kind: 'lose' | 'duplicate'
      readonly from: number
      readonly to: number
      readonly message: number
    }
  | {
      readonly kind: 'queue pair error'
      readonly from: number
      readonly to: number
      readonly message: number
    }
  | { readonly kind: 'slow rank'; readonly rank: number; readonly factor: number }
  | { readonly kind: 'crash'; readonly rank: number; readonly message: number }

/** Nothing goes wrong. */
export const NO_FAULTS: FaultPlan = { faults: [] }

/** Each kind is in a plan by this chance, and then strikes a few times (as FoundationDB's buggify). */
export function faultPlans(
  ranks: number,
  kinds: readonly Fault['kind'][] = ['delay', 'lose', 'duplicate', 'queue pair error', 'slow rank'],
): fc.Arbitrary<FaultPlan> {
  const rank = fc.nat(ranks - 1)
  const pair = { from: rank, to: rank, message: fc.nat(12) }
  const faultOf = (kind: Fault['kind']): fc.Arbitrary<Fault> => {
    switch (kind) {
      case 'delay':
        return fc.record({ kind: fc.constant(kind), ...pair, nanoseconds: fc.nat(100_000) })
      case 'slow rank':
        return fc.record({ kind: fc.constant(kind), rank, factor: fc.integer({ min: 2, max: 50 }) })
      case 'crash':
        return fc.record({ kind: fc.constant(kind), rank, message: fc.nat(12) })
      default:
        return fc.record({ kind: fc.constant(kind), ...pair })
    }
  }
  const strikes = (kind: Fault['kind']): fc.Arbitrary<Fault[]> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<Fault[]>([]) },
      { weight: 1, arbitrary: fc.array(faultOf(kind), { maxLength: 3 }) },
    )
  return fc.tuple(...kinds.map(strikes)).map((lists) => ({ faults: lists.flat() }))
}
