import fc from 'fast-check'
import type { Carrier } from './carriers.js'
import { memoryNames, valueNames } from './collectives.js'
import { communicators, type CommunicatorShape } from './communicators.js'
import { memoryCalls, type MemoryCall } from './memory-calls.js'
import { valueCalls, type ValueCall } from './value-calls.js'

/** A message from each rank to the one `shift` above it, while collectives are under way. */
export interface MessageStep {
  readonly shift: number
  readonly tag: number
  readonly length: number
  /** Received from anybody: only the tag says what it is. */
  readonly fromAny: boolean
}

/** One of several operations under way; `on` counts the communicators. */
export type FlightStep =
  | { readonly memory: MemoryCall; readonly on: number }
  | { readonly values: ValueCall; readonly on: number }
  | { readonly message: MessageStep }

/** Operations that all ranks begin in this order, and complete in any. */
export interface Flight {
  readonly steps: readonly FlightStep[]
  /** Requests that a rank has open at most. */
  readonly window: number
  /** Communicators, which overlap: the first is the world. */
  readonly communicators: readonly CommunicatorShape[]
  /** Of the order in which requests are completed. */
  readonly seed: number
}

/** Tags as low as those of collectives, which are counted from 0, and the largest one. */
const tags = fc.oneof({ withCrossShrink: true }, fc.nat({ max: 40 }), fc.constant(0x3fffffff))

/**
 * Operations under way together; shrinks toward one on the world.
 * @example
 * await fc.assert(
 *   forAllWorlds({ ranks: 3, data: flights(3, coroutines) }, async (mpi, flight) => {
 *     await performFlight(mpi, flight, 'never blocks')
 *   }),
 *   { numRuns: 3 },
 * )
 */
export function flights(ranks: number, carrier: Carrier): fc.Arbitrary<Flight> {
  const constraints = { ranks, carrier: { ...carrier, forms: ['started' as const] } }
  const on = fc.nat({ max: 2 })
  const memory = fc.constantFrom(...memoryNames).chain((name) => memoryCalls(name, constraints))
  const values = fc.constantFrom(...valueNames).chain((name) => valueCalls(name, constraints))
  const message = fc.record({
    shift: fc.nat({ max: 5 }),
    tag: tags,
    length: fc.oneof({ withCrossShrink: true }, fc.nat({ max: 4 }), fc.constant(900)),
    fromAny: fc.boolean(),
  })
  const step = fc.oneof(
    fc.record({ memory, on }),
    fc.record({ values, on }),
    fc.record({ message }),
  )
  const others = fc.array(communicators(ranks), { maxLength: 2 })
  return fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 24 }),
    window: fc.integer({ min: 1, max: 9 }),
    communicators: others.map((more): CommunicatorShape[] => [{ kind: 'world' }, ...more]),
    seed: fc.nat({ max: 1_000_000 }),
  })
}
