// Replay strings: the choices of a run that were not first come, as `14=1,20=2`. The grammar is
//   choices = "" | pair *("," pair)      pair = number "=" number
// with indices ascending; the empty string is first come throughout.

/** At the choice with this index, take this alternative instead of 0. */
export type ChoiceDeviation = readonly [index: number, value: number]

/** A replay string that does not follow the grammar. */
export class ChoicesSyntaxError extends Error {
  override readonly name = 'ChoicesSyntaxError'
  readonly code = 'CHOICES_SYNTAX'
  readonly text: string
  /** Where in `text` reading stopped, from 0. */
  readonly position: number
  /** What would have been right there. */
  readonly expected: string

  constructor(text: string, position: number, expected: string) {
    const seen = position < text.length ? `'${text[position]}'` : 'the end'
    super(
      `choices '${text}', position ${position}: expected ${expected}, found ${seen}. ` +
        `Choices are written as 14=1,20=2.`,
    )
    this.text = text
    this.position = position
    this.expected = expected
  }
}

/**
 * Writes deviations as a replay string; pairs are sorted by index.
 * @example
 * formatChoices([[3, 1], [0, 2]]) // '0=2,3=1'
 */
export function formatChoices(deviations: Iterable<ChoiceDeviation>): string {
  return [...deviations]
    .sort(([left], [right]) => left - right)
    .map(([index, value]) => `${index}=${value}`)
    .join(',')
}

/**
 * Reads a replay string.
 *
 * @throws {ChoicesSyntaxError} with the position at which it stops to make sense.
 * @example
 * parseChoices('0=2,3=1') // [ [ 0, 2 ], [ 3, 1 ] ]
 */
export function parseChoices(text: string): ChoiceDeviation[] {
  const deviations: ChoiceDeviation[] = []
  if (text === '') return deviations
  let position = 0
  let indexMin = 0
  for (;;) {
    const index = readNumber(text, position, indexMin)
    position = skip(text, index.end, '=')
    const value = readNumber(text, position, 0)
    deviations.push([index.value, value.value])
    if (value.end === text.length) return deviations
    position = skip(text, value.end, ',')
    indexMin = index.value + 1
  }
}

function readNumber(text: string, position: number, min: number): { value: number; end: number } {
  const digits = /^[0-9]+/.exec(text.slice(position))?.[0] ?? ''
  const value = Number(digits)
  if (digits === '' || value < min || !Number.isSafeInteger(value)) {
    const expected = min === 0 ? 'a number' : `a number from ${min}`
    throw new ChoicesSyntaxError(text, position, expected)
  }
  return { value, end: position + digits.length }
}

function skip(text: string, position: number, character: string): number {
  if (text[position] !== character) throw new ChoicesSyntaxError(text, position, `'${character}'`)
  return position + 1
}
