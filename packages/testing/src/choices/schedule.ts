import {
  firstCome,
  formatChoices,
  parseChoices,
  pct,
  pctcp,
  scripted,
  seeded,
  type ChoiceDeviation,
  type ChoiceSource,
} from '@commworld/transport'

/** How the open questions of a run are answered. Plain data, and short when printed. */
export type Schedule =
  /** First come throughout. */
  | { readonly kind: 'first come' }
  /** First come but for these choices. */
  | { readonly kind: 'script'; readonly choices: string }
  /** Drawn, from choice `from` on and before choice `until`; first come elsewhere. */
  | {
      readonly kind: 'random' | 'pct' | 'pctcp'
      readonly seed: number
      /** Orderings that a fault needs at once; of `pct` and `pctcp`. */
      readonly depth: number
      /** About how many choices the run makes. */
      readonly events: number
      readonly from: number
      readonly until: number
    }

/** First come, first served. */
export const FIRST_COME: Schedule = { kind: 'first come' }

/**
 * The schedule that a replay string says.
 *
 * @throws {ChoicesSyntaxError} it is none
 * @example
 * await runWorld(4, main, { schedule: scriptOf('14=1,20=2') })
 */
export function scriptOf(choices: string): Schedule {
  parseChoices(choices)
  return choices === '' ? FIRST_COME : { kind: 'script', choices }
}

/** The same of pairs. */
export function scriptOfPairs(pairs: Iterable<ChoiceDeviation>): Schedule {
  return scriptOf(formatChoices(pairs))
}

/**
 * Where a run with this schedule gets its answers from.
 * @example
 * sourceOf(FIRST_COME).pick(0, 3, 'run', new Int32Array(4), undefined) // 0
 */
export function sourceOf(schedule: Schedule): ChoiceSource {
  switch (schedule.kind) {
    case 'first come':
      return firstCome()
    case 'script':
      return scripted(parseChoices(schedule.choices))
    case 'random':
      return within(schedule, seeded(schedule.seed))
    case 'pct':
      return within(schedule, pct(schedule))
    case 'pctcp':
      return within(schedule, pctcp(schedule))
  }
}

/**
 * In words, for reports.
 * @example
 * describeSchedule(scriptOf('3=1')) // 'choices 3=1'
 */
export function describeSchedule(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'first come':
      return 'first come, first served'
    case 'script':
      return `choices ${schedule.choices}`
    default: {
      const { kind, seed, depth, from, until } = schedule
      const how =
        kind === 'random' ? `random (seed ${seed})` : `${kind} (seed ${seed}, depth ${depth})`
      return `${how} from choice ${from} to ${until}`
    }
  }
}

/** A source whose answers count only in a stretch of the run: what a schedule shrinks by. */
function within(
  { from, until }: { from: number; until: number },
  inner: ChoiceSource,
): ChoiceSource {
  return {
    start: (words) => inner.start(words),
    pick(index, alternatives, label, words, identify) {
      if (index >= until) return 0
      const picked = inner.pick(index, alternatives, label, words, identify)
      return index < from ? 0 : picked
    },
  }
}
