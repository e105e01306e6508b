import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  circulantGather,
  circulantRounds,
  circulantScatter,
} from '../../src/coll/pattern/circulant-exchange.js'
import { digitCount, digitRuns } from '../../src/coll/pattern/digit-runs.js'
import { blocksAt, farthestFirst, mirrored, nearestFirst } from '../../src/coll/pattern/halving.js'
import { neighborExchange } from '../../src/coll/pattern/neighbor-exchange.js'
import { powerOfTwo } from '../../src/coll/pattern/power-of-two.js'

const sizes = fc.integer({ min: 2, max: 2000 })
const fractions = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('circulantScatter gives what the other takes, p - 1 blocks in all', () => {
  fc.assert(
    fc.property(sizes, fractions, (size, fraction) => {
      const rank = Math.floor(fraction * size)
      let blocks = 0
      for (let k = 0; k < circulantRounds(size); k++) {
        for (const exchange of [circulantScatter, circulantGather]) {
          const { to, given, count } = exchange(k, size, rank)
          expect(exchange(k, size, to)).toMatchObject({ from: rank, taken: given, count })
        }
        blocks += circulantScatter(k, size, rank).count
      }
      expect(blocks).toBe(size - 1)
    }),
  )
})

test('neighborExchange gives what the other takes', () => {
  fc.assert(
    fc.property(sizes, fractions, fractions, (half, fraction, other) => {
      const size = 2 * half
      const rank = Math.floor(fraction * size)
      const k = Math.floor(other * half)
      const { peer, given, taken } = neighborExchange(k, size, rank)
      const back = { peer: rank, given: taken, taken: given }
      // In the first round each gives one of the two blocks of its own pair.
      expect(neighborExchange(k, size, peer)).toEqual(back)
      if (k > 0) expect(taken).not.toBe(given)
    }),
  )
})

test('nearestFirst and farthestFirst leave each part to one position in the end', () => {
  for (let rounds = 0; rounds <= 6; rounds++) {
    const positions = Array.from({ length: 2 ** rounds }, (_, position) => position)
    expect(positions.map((position) => farthestFirst(position, rounds, rounds).first)).toEqual(
      positions,
    )
    expect(positions.map((position) => mirrored(mirrored(position, rounds), rounds))).toEqual(
      positions,
    )
    for (const position of positions) {
      expect(nearestFirst(position, 0, rounds)).toEqual({ first: 0, count: 2 ** rounds })
      expect(farthestFirst(position, 0, rounds)).toEqual({ first: 0, count: 2 ** rounds })
    }
  }
})

test('blocksAt shares all blocks out among positions', () => {
  for (let size = 1; size <= 40; size++) {
    const fold = powerOfTwo(size)
    let next = 0
    for (let position = 0; position < fold.power; position++) {
      const { first, count } = blocksAt({ first: position, count: 1 }, fold)
      expect(first).toBe(next)
      next += count
    }
    expect(next).toBe(size)
  }
})

test('digitRuns has the numbers with a digit, digitCount says how many', () => {
  const small = fc.integer({ min: 0, max: 4 })
  fc.assert(
    fc.property(sizes, small, fc.integer({ min: 2, max: 9 }), fractions, (n, place, radix, of) => {
      const digit = Math.floor(of * radix)
      const step = radix ** place
      const expected: number[] = []
      for (let i = 0; i < n; i++) if (Math.floor(i / step) % radix === digit) expected.push(i)
      const runs = digitRuns(n, step, radix, digit)
      const seen = runs.flatMap(({ first, count }) =>
        Array.from({ length: count }, (_, i) => first + i),
      )
      expect(seen).toEqual(expected)
      expect(digitCount(n, step, radix, digit)).toBe(expected.length)
    }),
  )
})
