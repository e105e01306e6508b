import type { ChoiceStream } from '../../choice/choice-stream.js'
import type { FaultJudge, FaultMatch, FaultRule, Transmission } from './fault.js'

const PERCENT = 100

/**
 * Which faults strike when: at chosen operations, or drawn from a choice stream. The same plan on the
 * same run strikes in the same places.
 *
 * @example
 * new FaultPlan([
 *   { fault: 'loss', match: { destination: 1 }, at: 3 },
 *   { fault: 'killed', hca: 1, at: 20 },
 *   { fault: 'duplicate', percent: 5 },
 * ], startChoices(seeded(7)))
 */
export class FaultPlan implements FaultJudge {
  readonly #rules: readonly { rule: FaultRule; seen: number; struck: number }[]
  readonly #choices: ChoiceStream | undefined

  /** @throws {RangeError} a rule draws, and there is no choice stream to draw from */
  constructor(rules: readonly FaultRule[], choices?: ChoiceStream) {
    const draws = rules.some(({ percent }) => percent !== undefined)
    if (draws && choices === undefined) {
      throw new RangeError('a rule with a percentage needs a choice stream')
    }
    this.#rules = rules.map((rule) => ({ rule, seen: 0, struck: 0 }))
    this.#choices = choices
  }

  /** The rules that strike this transmission, in their order. */
  judge(transmission: Transmission): FaultRule[] {
    const striking: FaultRule[] = []
    for (const entry of this.#rules) {
      if (!matches(entry.rule.match, transmission)) continue
      entry.seen++
      if (!this.#strikes(entry.rule, entry.seen)) continue
      entry.struck++
      striking.push(entry.rule)
    }
    return striking
  }

  /** How often each rule has struck, in the order of the rules. */
  get struck(): readonly number[] {
    return this.#rules.map(({ struck }) => struck)
  }

  #strikes({ at = 1, times = 1, percent }: FaultRule, seen: number): boolean {
    if (percent === undefined) return seen >= at && seen < at + times
    // 0, first come, is no fault: a scripted stream strikes only where it says so.
    return this.#choices!.choose(PERCENT, 'fault') > PERCENT - 1 - percent
  }
}

function matches(match: FaultMatch | undefined, transmission: Transmission): boolean {
  if (match === undefined) return true
  const { source, destination, opcode, queuePairNumber, psn } = match
  if (source !== undefined && source !== transmission.source) return false
  if (destination !== undefined && destination !== transmission.destination) return false
  const lid = match.destinationLocalIdentifier
  if (lid !== undefined && lid !== transmission.destinationLocalIdentifier) return false
  if (opcode !== undefined && opcode !== transmission.opcode) return false
  if (queuePairNumber !== undefined && queuePairNumber !== transmission.queuePairNumber)
    return false
  if (psn === undefined) return true
  return transmission.psn !== undefined && transmission.psn >= psn[0] && transmission.psn <= psn[1]
}
