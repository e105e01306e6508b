import fc from 'fast-check'
import { FIRST_COME, scriptOfPairs, type Schedule } from './schedule.js'

/** What schedules are drawn from. */
export interface ScheduleConstraints {
  /** Which kinds; default all. First come is always among them, and what they shrink to. */
  readonly kinds?: readonly ('deviations' | 'random' | 'pct' | 'pctcp')[]
  /** Depth of `pct` and `pctcp`; default drawn from 1 to 3. */
  readonly depth?: number
  /** About how many choices a run makes; default 200. */
  readonly events?: number
  /** Deviations of a sparse list at most; default 5. */
  readonly deviationsMax?: number
}

const EVENTS = 200
const DEVIATIONS_MAX = 5
const VALUE_MAX = 7
/** Beyond any choice of a small world. */
const HORIZON = 4096

/**
 * Schedules for fast-check. They shrink to first come: sparse deviations by taking some away, drawn
 * ones by deviating during a shorter stretch of the run. Seed and path of fast-check replay them.
 *
 * @example
 * await fc.assert(
 *   fc.asyncProperty(schedules(), async (schedule) => {
 *     expect((await runWorld(3, main, { schedule })).failure).toBe(undefined)
 *   }),
 * )
 */
export function schedules(constraints: ScheduleConstraints = {}): fc.Arbitrary<Schedule> {
  const { kinds = ['deviations', 'random', 'pct', 'pctcp'] } = constraints
  const drawn = kinds.filter((kind) => kind !== 'deviations')
  const choices: fc.Arbitrary<Schedule>[] = [fc.constant(FIRST_COME)]
  if (kinds.includes('deviations')) choices.push(deviations(constraints))
  for (const kind of drawn) choices.push(stretch(kind, constraints))
  // What fails shrinks to first come where that fails, too.
  return fc.oneof({ withCrossShrink: true }, ...choices)
}

/**
 * A sparse list of choices that are not first come: what is not listed is 0.
 * @example
 * await fc.assert(
 *   fc.asyncProperty(deviations(), async (schedule) => {
 *     expect((await runWorld(3, main, { schedule })).failure).toBe(undefined)
 *   }),
 * )
 */
export function deviations({
  events = EVENTS,
  deviationsMax = DEVIATIONS_MAX,
}: ScheduleConstraints = {}): fc.Arbitrary<Schedule> {
  const index = fc.oneof(
    { weight: 2, arbitrary: fc.nat(20) },
    { weight: 3, arbitrary: fc.nat(events) },
  )
  const pair = fc.tuple(index, fc.integer({ min: 1, max: VALUE_MAX }))
  return fc
    .uniqueArray(pair, { maxLength: deviationsMax, selector: ([at]) => at })
    .map(scriptOfPairs)
}

function stretch(
  kind: 'random' | 'pct' | 'pctcp',
  { depth, events = EVENTS }: ScheduleConstraints,
): fc.Arbitrary<Schedule> {
  return fc
    .record({
      // A smaller seed is not a simpler one.
      seed: fc.noShrink(fc.nat(2 ** 31 - 1)),
      depth: depth === undefined ? fc.integer({ min: 1, max: 3 }) : fc.constant(depth),
      until: whole(HORIZON),
      length: whole(HORIZON),
    })
    .map(({ seed, depth: orderings, until, length }): Schedule => {
      const from = Math.max(0, until - length)
      if (until === from) return FIRST_COME
      return { kind, seed, depth: orderings, events, from, until }
    })
}

/** The most, which shrinks to less. */
function whole(most: number): fc.Arbitrary<number> {
  return new Whole(most)
}

class Whole extends fc.Arbitrary<number> {
  readonly #inner: fc.Arbitrary<number>
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
    this.#inner = fc.integer({ min: 0, max: most })
  }

  generate(): fc.Value<number> {
    return new fc.Value(this.#most, undefined)
  }

  canShrinkWithoutContext(value: unknown): value is number {
    return this.#inner.canShrinkWithoutContext(value)
  }

  shrink(value: number, context: unknown): fc.Stream<fc.Value<number>> {
    return this.#inner.shrink(value, context)
  }
}
