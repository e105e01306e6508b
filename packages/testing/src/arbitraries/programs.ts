import fc from 'fast-check'

/** A message between two ranks of the world, on a communicator that both are in. */
export interface MatchedMessage {
  readonly kind: 'message'
  /** Ranks of the world. */
  readonly from: number
  readonly to: number
  readonly tag: number
  /** Which communicator, counted in the order in which they are made; 0 is the world. */
  readonly on: number
  /** The receiver takes it from any source, or with any tag. */
  readonly anySource: boolean
  readonly anyTag: boolean
}

/** One operation of a matched program. */
export type Step =
  | MatchedMessage
  | {
      readonly kind: 'barrier' | 'allreduce'
      readonly on: number
      /** Begun and left under way while the program goes on; otherwise all before it is completed first. */
      readonly overlaps: boolean
    }
  /** Makes the next communicator: the part of `on` with the same color, by rank of the world. */
  | { readonly kind: 'split'; readonly on: number; readonly colors: readonly number[] }

/** A program in which every send has its receive: the trace of all ranks, which each takes its part of. */
export interface MatchedProgram {
  readonly ranks: number
  readonly steps: readonly Step[]
}

/** Of a communicator: by rank of the world, its members as ranks of the world, in their order. */
export type Members = readonly (readonly number[])[]

const COLORS = 2

/**
 * Matched programs: messages with and without wildcards, collectives that are waited for or left under
 * way, on the world and on communicators made of it and of each other. Shrinks toward fewer operations,
 * then plainer ones.
 *
 * @example
 * await fc.assert(
 *   forAllWorlds({ data: (ranks) => programs(ranks) }, perform, (outcomes, { data }) => {
 *     expect(outcomeFault(data, outcomes)).toBe(undefined)
 *   }),
 * )
 */
export function programs(ranks: number, stepsMax = 12): fc.Arbitrary<MatchedProgram> {
  const rank = fc.nat(ranks - 1)
  const on = fc.nat(2)
  const message = fc.record({
    kind: fc.constant('message' as const),
    from: rank,
    to: rank,
    tag: fc.nat(2),
    on,
    anySource: fc.boolean(),
    anyTag: fc.boolean(),
  })
  const collective = fc.record({
    kind: fc.constantFrom('barrier' as const, 'allreduce' as const),
    on,
    overlaps: fc.boolean(),
  })
  const split = fc.record({
    kind: fc.constant('split' as const),
    on,
    colors: fc.array(fc.nat(COLORS - 1), { minLength: ranks, maxLength: ranks }),
  })
  const step = fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: collective },
    { weight: 6, arbitrary: message },
    { weight: 1, arbitrary: split },
  )
  return fc
    .array(step, { maxLength: stepsMax })
    .map((steps) => ({ ranks, steps: alike(possible(ranks, steps)) }))
}

/** The members of every communicator of a program, the world first. */
export function membersOf({ ranks, steps }: MatchedProgram): readonly Members[] {
  const all = Array.from({ length: ranks }, (_, rank) => rank)
  const made: Members[] = [all.map(() => all)]
  for (const step of steps) {
    if (step.kind === 'split') made.push(partsOf(made[step.on]!, step.colors))
  }
  return made
}

function partsOf(whole: Members, colors: readonly number[]): Members {
  return whole.map((members, rank) => members.filter((other) => colors[other] === colors[rank]))
}

/** Names communicators that there are, and of a message one that both ends are in. */
function possible(ranks: number, steps: readonly Step[]): Step[] {
  const before: Step[] = []
  for (const step of steps) {
    const made = membersOf({ ranks, steps: before })
    const on = step.on % made.length
    const together = step.kind !== 'message' || made[on]![step.from]!.includes(step.to)
    before.push({ ...step, on: together ? on : 0 })
  }
  return before
}

/**
 * A wildcard may take what a plainer receive needs, and then the program is wrong. So of one rank and
 * communicator all receives are as general as the first, until a collective of the world has been waited
 * for: only behind that nothing from before is under way.
 */
function alike(steps: readonly Step[]): Step[] {
  const first = new Map<string, MatchedMessage>()
  return steps.map((step) => {
    if (step.kind !== 'message') {
      if (isFence(step)) first.clear()
      return step
    }
    const key = `${step.to} ${step.on}`
    const { anySource, anyTag } = first.get(key) ?? step
    if (!first.has(key)) first.set(key, step)
    return { ...step, anySource, anyTag }
  })
}

function isFence(step: Exclude<Step, MatchedMessage>): boolean {
  return step.on === 0 && step.kind !== 'split' && !step.overlaps
}
