import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { startChoices } from '../../src/choice/choice-stream.js'
import { chainOf } from '../../src/choice/priorities.js'
import { ChoiceRecorder, describeDeviation } from '../../src/choice/recorder.js'
import { ChoicesSyntaxError, formatChoices, parseChoices } from '../../src/choice/replay.js'
import { scripted } from '../../src/choice/sources.js'
import { choose, questionLists, sources } from './questions.js'

const deviationLists = fc
  .uniqueArray(fc.tuple(fc.maxSafeNat(), fc.maxSafeNat()), { selector: ([index]) => index })
  .map((pairs) => pairs.sort(([left], [right]) => left - right))

describe('replay string', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(deviationLists, (deviations) => {
        expect(parseChoices(formatChoices(deviations))).toEqual(deviations)
      }),
    )
  })

  test('is sorted by index, and empty for first come', () => {
    expect(
      formatChoices([
        [20, 2],
        [14, 1],
      ]),
    ).toBe('14=1,20=2')
    expect(formatChoices([])).toBe('')
    expect(parseChoices('')).toEqual([])
  })

  test.each([
    ['x', 0, 'a number'],
    ['14', 2, "'='"],
    ['14=', 3, 'a number'],
    ['14=1;', 4, "','"],
    ['14=1,', 5, 'a number from 15'],
    ['14=1,14=2', 5, 'a number from 15'],
    ['14=-1', 3, 'a number'],
    [' 14=1', 0, 'a number'],
    ['99999999999999999999=1', 0, 'a number'],
  ])('is refused when it is %j, at position %i', (text, position, expected) => {
    const error = errorOf(text)
    expect(error).toBeInstanceOf(ChoicesSyntaxError)
    expect(error).toMatchObject({ code: 'CHOICES_SYNTAX', text, position, expected })
    expect(String(error)).toContain(`position ${position}`)
  })

  test('never makes parseChoices throw anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('0', '1', '9', '=', ',', ' ') }), (text) => {
        const error = errorOf(text)
        expect(error === undefined || error instanceof ChoicesSyntaxError).toBe(true)
      }),
    )
  })
})

describe('ChoiceRecorder', () => {
  test('gives a replay string that repeats the run', () => {
    fc.assert(
      fc.property(sources, questionLists, (source, questions) => {
        const recorder = new ChoiceRecorder(startChoices(source()))
        const answers = choose(recorder, questions)
        const replayed = startChoices(scripted(parseChoices(recorder.replay())))
        expect(choose(replayed, questions)).toEqual(answers)
      }),
    )
  })

  test('knows what was chosen where', () => {
    const recorder = new ChoiceRecorder(startChoices(scripted([[1, 1]])))
    recorder.choose(2, 'run')
    recorder.choose(1, 'match')
    recorder.choose(3, 'deliver')
    expect(recorder.nextIndex).toBe(2)
    expect(recorder.deviations.map(describeDeviation)).toEqual(['choice 1: deliver took 1 of 3'])
  })

  test('says who went before whom, where that is known', () => {
    const always = { start() {}, pick: () => 1 }
    const recorder = new ChoiceRecorder(startChoices(always))
    recorder.choose(2, 'run', (place) => place + 4)
    recorder.choose(2, 'deliver', (place) => chainOf(place + 1, 0))
    recorder.choose(2, 'test')
    expect(recorder.deviations.map(describeDeviation)).toEqual([
      'choice 0: rank 5 went on before rank 4, which was ready earlier',
      'choice 1: rank 0 got the message of rank 2 before that of rank 1, which had come first',
      'choice 2: a test said no although it could have said yes',
    ])
  })
})

function errorOf(text: string): unknown {
  try {
    parseChoices(text)
    return undefined
  } catch (error) {
    return error
  }
}
