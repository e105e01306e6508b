import fc from 'fast-check'
import {
  contentNames,
  valueReductionNames,
  type ContentName,
  type ValueReductionName,
} from './contents.js'
import type { Carrier } from './memory-case.js'
import type { Finding, Form } from './operations.js'
import { shapes, type CollectiveName } from './oracle.js'

/** One collective of values: all ranks read their part, and what they must get, out of it. */
export interface ValueCase {
  readonly name: CollectiveName
  /** What the table says when left out. */
  readonly algorithm?: string
  /** By rank, in turn; of collectives that reduce nothing. */
  readonly contents: readonly ContentName[]
  readonly reduction?: ValueReductionName
  /** Modulo the number of ranks. */
  readonly root: number
  readonly form: Form
  readonly finding: readonly Finding[]
  /** Turns of the event loop before each call. */
  readonly pauses: readonly number[]
  readonly starts: number
  readonly seed: number
}

export const valueNames = Object.keys(shapes) as CollectiveName[]

/** Cases of one operation, with some of these algorithms. */
export function valueCases(
  name: CollectiveName,
  algorithms: readonly (string | undefined)[],
  { forms, findings }: Carrier,
): fc.Arbitrary<ValueCase> {
  const { reduces } = shapes[name]
  return fc
    .record({
      algorithm: fc.constantFrom(...algorithms),
      contents: fc.array(fc.constantFrom(...contentNames), { minLength: 1, maxLength: 5 }),
      reduction: reduces ? fc.constantFrom(...valueReductionNames) : fc.constant(undefined),
      root: fc.nat({ max: 16 }),
      form: fc.constantFrom(...forms),
      finding: fc.array(fc.constantFrom(...findings), { minLength: 1, maxLength: 3 }),
      pauses: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
      starts: fc.integer({ min: 1, max: 3 }),
      seed: fc.nat({ max: 1_000_000 }),
    })
    .map(({ algorithm, reduction, ...rest }) => ({
      name,
      ...(algorithm === undefined ? {} : { algorithm }),
      ...(reduction === undefined ? {} : { reduction }),
      ...rest,
    }))
}
