import { describe, expect, test } from 'vitest'
import { judge, mutated, StaleMutantError } from './judge.js'
import { productMutants } from './mutants/index.js'

/** So many are judged here, by a seed that is printed; `npm run mutation` judges all. */
const SAMPLE = 8
/** Of these the time to find one is short, so that a test can afford them. */
const QUICK = new Set(['matching', 'rings', 'hca', 'verbs', 'messages'])

/** Another sample each day, and the same for all who look on that day. */
const seed = Number(process.env['COMMWORLD_MUTATION_SEED'] ?? Math.floor(Date.now() / 86_400_000))

describe('mutants of the packages', () => {
  test('are there in number, each under a name of its own, and fit the sources', async () => {
    expect(productMutants.length).toBeGreaterThan(150)
    expect(new Set(productMutants.map(({ name }) => name)).size).toBe(productMutants.length)
    // Throws where a text is not there, or there twice.
    const texts = await Promise.all(productMutants.map((mutant) => mutated(mutant)))
    expect(texts.every((text, index) => text.includes(productMutants[index]!.replace))).toBe(true)
  })

  test('that do not fit are refused', async () => {
    const stale = { ...productMutants[0]!, find: 'what no source says' }
    await expect(mutated(stale)).rejects.toThrow(StaleMutantError)
  })

  test(`are found by the tests of the kit: ${SAMPLE} of them, with seed ${seed}`, async () => {
    const candidates = productMutants.filter(
      ({ suite, equivalent }) => QUICK.has(suite) && equivalent === undefined,
    )
    // A stride that has no divisor in common with the number of mutants comes by all of them.
    const sample = Array.from(
      { length: SAMPLE },
      (_, index) => candidates[(seed * SAMPLE + index * 37) % candidates.length]!,
    )
    const judgements = await Promise.all(sample.map((mutant) => judge(mutant, 1)))
    const missed = judgements.filter(({ caughtBy }) => caughtBy === undefined)
    expect(missed.map(({ mutant }) => `${mutant.file}: ${mutant.name}`)).toEqual([])
  }, 120_000)
})
