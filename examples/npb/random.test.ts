import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RandomNumbers } from './random.js'

const seeds = fc.integer({ min: 1, max: 2 ** 46 - 1 })

test('RandomNumbers next is exact', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const random = new RandomNumbers(seed)
      let state = BigInt(seed)
      for (let count = 0; count < 20; count++) {
        state = (5n ** 13n * state) % 2n ** 46n
        expect(random.next() * 2 ** 46).toBe(Number(state))
      }
    }),
  )
})

test('RandomNumbers with skip goes on where that many numbers end', () => {
  fc.assert(
    fc.property(seeds, fc.nat({ max: 500 }), (seed, skip) => {
      const walked = new RandomNumbers(seed)
      for (let count = 0; count < skip; count++) walked.next()
      expect(new RandomNumbers(seed, skip).next()).toBe(walked.next())
    }),
  )
})

test('RandomNumbers nextInto gives what next gives', () => {
  const numbers = new Float64Array(100)
  new RandomNumbers(271828183).nextInto(numbers)
  const oneByOne = new RandomNumbers(271828183)
  expect([...numbers]).toEqual(Array.from(numbers, () => oneByOne.next()))
})
