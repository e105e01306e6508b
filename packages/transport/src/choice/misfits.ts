import { parseChoices } from './replay.js'

/** A replay string names choices that the run did not make: it belongs to another program. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
  readonly choices: string
  /** Which choices do not fit, and why. */
  readonly misfits: readonly string[]

  constructor(choices: string, misfits: readonly string[]) {
    super(
      `the choices ${choices} do not fit this program: ${misfits.join('; ')}. They belong to another ` +
        `program, other data, another version or another number of ranks; or the program is not a ` +
        `function of its choices (Math.random, the clock, files, variables outside of main).`,
    )
    this.choices = choices
    this.misfits = misfits
  }
}

/**
 * Says which choices of a replay string a run did not make as it says: such a string belongs to
 * another program, other arguments or another version.
 *
 * @example
 * misfitsOf('3=1,900=1', { replay: '3=1', choicesMade: 40 })
 * // [ 'choice 900 was not made: there were 40' ]
 */
export function misfitsOf(
  choices: string,
  run: { readonly replay: string; readonly choicesMade: number },
): string[] {
  const made = new Map(parseChoices(run.replay))
  return parseChoices(choices).flatMap(([index, value]) => {
    if (value === 0) return []
    if (index >= run.choicesMade) {
      return [`choice ${index} was not made: there were ${run.choicesMade}`]
    }
    const seen = made.get(index) ?? 0
    return seen === value ? [] : [`choice ${index} has no alternative ${value}: ${seen} was taken`]
  })
}

/** The error of a run that a replay string does not fit, where there is one. */
export function misfitOf(
  choices: string | undefined,
  run: { readonly replay: string; readonly choicesMade: number },
): ScriptError | undefined {
  if (choices === undefined) return undefined
  const misfits = misfitsOf(choices, run)
  return misfits.length === 0 ? undefined : new ScriptError(choices, misfits)
}
