import fc from 'fast-check'

import type { ChoiceStream } from '../../src/choice/choice-stream.js'
import { firstCome, scripted, seeded } from '../../src/choice/sources.js'

/** How many alternatives there are, question after question. */
export const questionLists = fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 })), {
  maxLength: 60,
})

/** Makers of equal sources of every kind. */
export const sources = fc.oneof(
  fc.constant(firstCome),
  fc.maxSafeNat().map((seed) => () => seeded(seed)),
  fc.array(fc.tuple(fc.nat(60), fc.nat(30))).map((deviations) => () => scripted(deviations)),
)

/** Asks all questions. */
export function choose(stream: ChoiceStream, questions: readonly number[]): number[] {
  return questions.map((alternatives) => stream.choose(alternatives, 'test'))
}
