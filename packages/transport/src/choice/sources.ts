import { preferring, type Preference } from './preferring.js'
import { pct, pctcp, type PriorityOptions } from './priorities.js'
import { parseChoices } from './replay.js'
import type { ChoiceDeviation } from './replay.js'
import type { ChoiceSource } from './choice-stream.js'
import { drawBelow, seedGenerator } from './xoshiro.js'

/** Always the alternative that came first. */
export function firstCome(): ChoiceSource {
  return { start() {}, pick: () => 0 }
}

/**
 * Uniform choices that depend on the seed only.
 *
 * @param seed a whole number from 0 to 2^53 - 1.
 * @throws {RangeError} the seed is not such a number.
 */
export function seeded(seed: number): ChoiceSource {
  if (!(Number.isSafeInteger(seed) && seed >= 0)) {
    throw new RangeError(`a seed must be a whole number from 0 to 2^53 - 1, not ${seed}`)
  }
  return {
    start: (words) => seedGenerator(words, seed),
    pick: (_index, alternatives, _label, words) => drawBelow(words, alternatives),
  }
}

/**
 * First come except at the listed choices. A value is taken modulo the number of alternatives, so
 * that every list is a possible schedule and removing one pair leaves the others in place.
 *
 * @throws {RangeError} an index or a value is not a whole number from 0.
 */
export function scripted(deviations: Iterable<ChoiceDeviation>): ChoiceSource {
  const values = new Map<number, number>()
  for (const [index, value] of deviations) {
    if (!isNatural(index) || !isNatural(value)) {
      throw new RangeError(`choices are pairs of whole numbers from 0, not ${index}=${value}`)
    }
    values.set(index, value)
  }
  return {
    start() {},
    pick: (index, alternatives) => (values.get(index) ?? 0) % alternatives,
  }
}

/** A schedule as plain data: what threads that share a stream are told. */
export type PrioritySchedule =
  | ({ readonly kind: 'pct' | 'pctcp' } & PriorityOptions)
  | ({ readonly kind: 'prefer' } & Preference)

/**
 * The source that a world's options ask for: the replay string `choices` if there is one, else
 * `priorities`, else the `seed`, else first come.
 *
 * @throws {ChoicesSyntaxError} `choices` is not a replay string.
 */
export function choiceSource(options: {
  seed?: number
  choices?: string
  priorities?: PrioritySchedule
}): ChoiceSource {
  const { choices, priorities } = options
  if (choices !== undefined) return scripted(parseChoices(choices))
  if (priorities !== undefined) return byPlan(priorities)
  return options.seed === undefined ? firstCome() : seeded(options.seed)
}

function byPlan(plan: PrioritySchedule): ChoiceSource {
  if (plan.kind === 'prefer') return preferring(plan)
  return plan.kind === 'pct' ? pct(plan) : pctcp(plan)
}

function isNatural(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
