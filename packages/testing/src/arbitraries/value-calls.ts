import type { CollectiveName } from '@commworld/mpi'
import fc from 'fast-check'
import { algorithmsFor } from './algorithms.js'
import { timings, type Timing } from './carriers.js'
import { collectiveShapes } from './collectives.js'
import { contentNames, type ContentName } from './contents.js'
import type { CallConstraints } from './memory-calls.js'
import { rootOf } from './ranks.js'
import { reductionNames, valueReductions, type ReductionName } from './value-reductions.js'

/** A collective of values as plain data, as a `MemoryCall` is one of memory. */
export interface ValueCall extends Timing {
  readonly name: CollectiveName
  /** What the table says when left out. */
  readonly algorithm?: string
  /** By rank, in turn; of collectives that reduce nothing. */
  readonly contents: readonly ContentName[]
  readonly reduction?: ReductionName
  readonly root: number
  /** Of what ranks give. */
  readonly seed: number
}

/**
 * Calls of one collective of values; shrinks toward one call with numbers.
 * @example
 * const data = valueCalls('allreduce', { ranks: 3, carrier: coroutines })
 * await fc.assert(forAllWorlds({ ranks: 3, data }, performValueCall), { numRuns: 5 })
 */
export function valueCalls(
  name: CollectiveName,
  { ranks, carrier, algorithms }: CallConstraints,
): fc.Arbitrary<ValueCall> {
  const reducing = fc.constantFrom(...reductionNames).map((reduction) => ({ reduction }))
  const data: fc.Arbitrary<Pick<ValueCall, 'reduction'>> = collectiveShapes[name].reduces
    ? reducing
    : fc.constant({})
  const rest = fc.record({
    contents: fc.array(fc.constantFrom(...contentNames), { minLength: 1, maxLength: 5 }),
    root: rootOf(ranks),
    seed: fc.nat({ max: 1_000_000 }),
  })
  return data.chain((what) => {
    const { reduction } = what
    const commutative = reduction === undefined || valueReductions[reduction].commutative
    const choices = algorithms ?? [undefined, ...algorithmsFor(name, { size: ranks, commutative })]
    return fc
      .tuple(fc.constantFrom(...choices), rest, timings(carrier))
      .map(([algorithm, call, timing]): ValueCall => {
        const by = algorithm === undefined ? {} : { algorithm }
        return { name, ...by, ...what, ...call, ...timing }
      })
  })
}
