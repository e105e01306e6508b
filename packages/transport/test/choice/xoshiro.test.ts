import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { drawBelow, drawWord, seedGenerator } from '../../src/choice/xoshiro.js'

describe('drawWord', () => {
  test('is xoshiro128**', () => {
    // Output of the authors' reference implementation for this state.
    const words = new Int32Array([1, 2, 3, 4])
    expect(Array.from({ length: 10 }, () => drawWord(words))).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597,
      4258142804,
    ])
  })
})

describe('drawBelow', () => {
  test('draws each number about equally often', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 2, max: 12 }), (seed, bound) => {
        const words = new Int32Array(4)
        seedGenerator(words, seed)
        const draws = 6000
        const counts = Array<number>(bound).fill(0)
        for (let i = 0; i < draws; i++) counts[drawBelow(words, bound)]!++
        const expected = draws / bound
        const deviation = 6 * Math.sqrt(expected)
        for (const count of counts) expect(Math.abs(count - expected)).toBeLessThan(deviation)
      }),
      { numRuns: 30 },
    )
  })
})
