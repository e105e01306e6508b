import fc from 'fast-check'

/** How a collective is called: `x`, `ix`, or `xInit` and then `start`. */
export type Form = 'blocking' | 'started' | 'persistent'

/** How a rank finds out that a request is complete. */
export type Finding = 'await' | 'test' | 'wait'

/** What programs can do on a carrier. */
export interface Carrier {
  readonly forms: readonly Form[]
  readonly findings: readonly Finding[]
  /** Largest message that is buffered. */
  readonly eagerLimitBytes: number
}

/** Ranks that share a thread, where nobody may block. */
export const coroutines: Carrier = {
  forms: ['started', 'persistent'],
  findings: ['await', 'test'],
  eagerLimitBytes: 1024,
}

/** Ranks with a thread each. */
export const threads: Carrier = {
  forms: ['blocking', 'started', 'persistent'],
  findings: ['await', 'test', 'wait'],
  eagerLimitBytes: 4096,
}

/** When and how the ranks make a call, whatever it is; what is by rank goes round. */
export interface Timing {
  readonly form: Form
  readonly finding: readonly Finding[]
  /** Turns of the event loop before each start. */
  readonly pauses: readonly number[]
  /** How often it is called, or of the persistent form started. */
  readonly starts: number
}

/**
 * Shrinks toward one call that nobody is late for.
 * @example
 * fc.assert(fc.property(timings(coroutines), ({ form }) => form !== 'blocking'))
 */
export function timings({ forms, findings }: Carrier): fc.Arbitrary<Timing> {
  return fc.record({
    form: fc.constantFrom(...forms),
    finding: fc.array(fc.constantFrom(...findings), { minLength: 1, maxLength: 3 }),
    pauses: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
    starts: fc.integer({ min: 1, max: 3 }),
  })
}

/** One call, started and awaited, that nobody is late for. */
export const AT_ONCE: Timing = { form: 'started', finding: ['await'], pauses: [0], starts: 1 }
