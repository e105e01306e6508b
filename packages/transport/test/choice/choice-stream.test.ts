import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { CHOICE_STATE_WORDS, joinChoices, startChoices } from '../../src/choice/choice-stream.js'
import { choiceSource, firstCome, scripted, seeded } from '../../src/choice/sources.js'
import { CHOICE_INDEX_WORD } from '../../src/wire/world-header.js'
import { choose, questionLists, sources } from './questions.js'

describe('choose', () => {
  test('gives one of the alternatives', () => {
    fc.assert(
      fc.property(sources, questionLists, (source, questions) => {
        const answers = choose(startChoices(source()), questions)
        answers.forEach((answer, i) => {
          expect(answer).toBeGreaterThanOrEqual(0)
          expect(answer).toBeLessThan(questions[i]!)
        })
      }),
    )
  })

  test('takes an index for a choice among several only', () => {
    fc.assert(
      fc.property(sources, questionLists, (source, questions) => {
        const stream = startChoices(source())
        choose(stream, questions)
        expect(stream.nextIndex).toBe(questions.filter((alternatives) => alternatives > 1).length)
      }),
    )
  })

  test('is not disturbed by choices among one', () => {
    fc.assert(
      fc.property(sources, questionLists, (source, questions) => {
        const several = questions.filter((alternatives) => alternatives > 1)
        const answers = choose(startChoices(source()), questions)
        expect(answers.filter((_, i) => questions[i]! > 1)).toEqual(
          choose(startChoices(source()), several),
        )
      }),
    )
  })

  test('refuses a choice among none', () => {
    expect(() => startChoices(firstCome()).choose(0, 'deliver')).toThrow(RangeError)
  })

  test('gives the same answers when threads take turns on one state as one stream alone', () => {
    fc.assert(
      fc.property(
        sources,
        questionLists,
        fc.infiniteStream(fc.nat(2)),
        (source, questions, turn) => {
          const memory = new Int32Array(new SharedArrayBuffer(1024))
          const start = CHOICE_INDEX_WORD >> 2
          const state = () => memory.subarray(start, start + CHOICE_STATE_WORDS)
          const threads = [
            startChoices(source(), state()),
            joinChoices(source(), state()),
            joinChoices(source(), state()),
          ]
          const answers = questions.map((alternatives) =>
            threads[turn.next().value]!.choose(alternatives, 'run'),
          )
          expect(answers).toEqual(choose(startChoices(source()), questions))
        },
      ),
    )
  })
})

describe('firstCome', () => {
  test('is always 0', () => {
    fc.assert(
      fc.property(questionLists, (questions) => {
        expect(choose(startChoices(firstCome()), questions)).toEqual(questions.map(() => 0))
      }),
    )
  })
})

describe('seeded', () => {
  test('gives the same sequence for the same seed', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), questionLists, (seed, questions) => {
        expect(choose(startChoices(seeded(seed)), questions)).toEqual(
          choose(startChoices(seeded(seed)), questions),
        )
      }),
    )
  })

  test('gives another sequence for another seed, also beyond 32 bits', () => {
    const questions = Array<number>(32).fill(1000)
    const sequences = [0, 1, 2, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1].map((seed) =>
      choose(startChoices(seeded(seed)), questions).join(),
    )
    expect(new Set(sequences).size).toBe(sequences.length)
  })

  test.each([-1, 0.5, NaN, 2 ** 53])('refuses %s as a seed', (seed) => {
    expect(() => seeded(seed)).toThrow(RangeError)
  })
})

describe('scripted', () => {
  test('takes the listed value modulo the alternatives, and 0 elsewhere', () => {
    const stream = startChoices(
      scripted([
        [1, 2],
        [3, 7],
      ]),
    )
    expect(choose(stream, [3, 3, 1, 3, 5])).toEqual([0, 2, 0, 0, 2])
  })

  test('refuses what is not a whole number from 0', () => {
    expect(() => scripted([[0, -1]])).toThrow('0=-1')
    expect(() => scripted([[0.5, 1]])).toThrow(RangeError)
  })
})

describe('choiceSource', () => {
  test('prefers choices to a seed and a seed to first come', () => {
    const questions = Array<number>(20).fill(10)
    const run = (options: { seed?: number; choices?: string }) =>
      choose(startChoices(choiceSource(options)), questions)
    expect(run({})).toEqual(questions.map(() => 0))
    expect(run({ seed: 3 })).toEqual(choose(startChoices(seeded(3)), questions))
    expect(run({ seed: 3, choices: '19=4' })).toEqual([...Array<number>(19).fill(0), 4])
  })
})
