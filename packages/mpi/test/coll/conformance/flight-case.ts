import fc from 'fast-check'
import { namesOf, isRefused } from './algorithms.js'
import { memoryCases, type Carrier, type MemoryCase } from './memory-case.js'
import { memoryNames, memoryOperations } from './operations.js'
import { valueReductions } from './contents.js'
import { reductions } from './reductions.js'
import { valueCases, valueNames, type ValueCase } from './value-case.js'

/** A message from each rank to the one `shift` above it, while collectives are under way. */
export interface MessageStep {
  readonly shift: number
  readonly tag: number
  readonly length: number
  /** Received from anybody: only the tag says what it is. */
  readonly fromAny: boolean
}

export type Step =
  | { readonly memory: MemoryCase; readonly on: number }
  | { readonly values: ValueCase; readonly on: number }
  | { readonly message: MessageStep }

/** Operations that all ranks begin in this order, and complete in any. */
export interface Flight {
  readonly steps: readonly Step[]
  /** Requests that a rank has open at most. */
  readonly window: number
  /** Communicators, the world being the first. */
  readonly communicators: number
  readonly seed: number
}

/** Tags as low as those of collectives, which are counted from 0, and the largest one. */
const tags = fc.oneof(fc.nat({ max: 40 }), fc.constant(0x3fffffff))

export function flights(ranks: number, carrier: Carrier): fc.Arbitrary<Flight> {
  const forms: Carrier = { ...carrier, forms: ['started'] }
  const on = fc.nat({ max: 2 })
  const memory = fc.constantFrom(...memoryNames).chain((name) => {
    const { collective, listed } = memoryOperations[name]
    const all = [undefined, undefined, ...namesOf(collective)]
    return memoryCases(name, all, forms).map(({ algorithm, ...one }): MemoryCase => {
      const commutes = one.reduction === undefined || reductions[one.reduction].commutes
      const circumstances = { ranks, commutes, values: false, listed }
      const fits = algorithm !== undefined && !isRefused(collective, algorithm, circumstances)
      return fits ? { ...one, algorithm } : one
    })
  })
  const values = fc.constantFrom(...valueNames).chain((name) =>
    valueCases(name, [undefined, undefined, ...namesOf(name)], forms).map(
      ({ algorithm, ...one }): ValueCase => {
        const commutes = one.reduction === undefined || valueReductions[one.reduction].commutes
        const circumstances = { ranks, commutes, values: true, listed: false }
        const fits = algorithm !== undefined && !isRefused(name, algorithm, circumstances)
        return fits ? { ...one, algorithm } : one
      },
    ),
  )
  const message = fc.record({
    shift: fc.nat({ max: 5 }),
    tag: tags,
    length: fc.oneof(fc.nat({ max: 4 }), fc.constant(900)),
    fromAny: fc.boolean(),
  })
  const step = fc.oneof(
    fc.record({ memory, on }),
    fc.record({ values, on }),
    fc.record({ message }),
  )
  return fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 24 }),
    window: fc.integer({ min: 1, max: 9 }),
    communicators: fc.integer({ min: 1, max: 3 }),
    seed: fc.nat({ max: 1_000_000 }),
  })
}
