import {
  anyReduction,
  assertAssociative,
  bitsFault,
  communicators,
  contributionFault,
  counts,
  fillings,
  kinds,
  layouts,
  programs,
  ranks,
  reductions,
  rootOf,
  roundingFault,
  schedules,
  treeFault,
} from '@commworld/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** What a property that never holds shrinks to. */
function smallest<T>(arbitrary: fc.Arbitrary<T>, isWrong: (value: T) => boolean = () => true): T {
  const property = fc.property(arbitrary, (value) => !isWrong(value))
  const { counterexample } = fc.check(property, { seed: 3, numRuns: 2000 })
  return counterexample![0]
}

describe('arbitraries shrink toward what is easy to read', () => {
  test('numbers of ranks toward 1, then 2; roots toward 0', () => {
    expect(smallest(ranks({ max: 64 }))).toBe(1)
    expect(smallest(ranks({ max: 64 }), (size) => size > 1)).toBe(2)
    expect(smallest(rootOf(9))).toBe(0)
  })

  test('schedules toward first come, then one deviation', () => {
    expect(smallest(schedules())).toEqual({ kind: 'first come' })
    const deviating = smallest(schedules({ kinds: ['deviations'] }), (one) => one.kind === 'script')
    expect(deviating).toEqual({ kind: 'script', choices: '0=1' })
  })

  test('the others toward their plainest', () => {
    expect(smallest(counts())).toBe(0)
    expect(smallest(counts(), (count) => count > 0)).toBe(1)
    expect(smallest(communicators(4))).toEqual({ kind: 'world' })
    expect(smallest(kinds())).toBe(Int32Array)
    expect(smallest(fillings({ floats: true })).name).toBe('rank * 1000 + index')
    expect(smallest(anyReduction()).name).toBe('SUM of numbers')
    expect(smallest(programs(3)).steps).toEqual([])
    const { counts: blocks, displacements } = smallest(layouts(3), ({ length }) => length > 2)
    expect([blocks, displacements]).toEqual([
      [1, 1, 1],
      [0, 1, 2],
    ])
  })
})

test('layouts have blocks that do not overlap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }).chain((size) => layouts(size)),
      ({ counts: blocks, displacements, length }) => {
        const used = new Set<number>()
        blocks.forEach((count, rank) => {
          for (let i = 0; i < count; i++) used.add(displacements[rank]! + i)
        })
        expect(used.size).toBe(blocks.reduce((sum, count) => sum + count, 0))
        for (const place of used) expect(place).toBeLessThan(length)
      },
    ),
  )
})

test.each(reductions.map((one) => [one.name, one] as const))(
  'the reduction "%s" is associative, and commutes when it says so',
  (_, { combine, values, commutative }) => {
    assertAssociative(combine, fc.sample(values, { numRuns: 8, seed: 1 }), { commutative })
  },
)

test('roundingFault takes any order and any tree of a sum, and nothing else', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 })
  fc.assert(
    fc.property(fc.array(finite, { minLength: 2, maxLength: 20 }), (terms) => {
      const backwards = terms.reduceRight((sum, term) => sum + term, 0)
      expect(roundingFault(backwards, terms)).toBe(undefined)
      const magnitude = terms.reduce((sum, term) => sum + Math.abs(term), 0)
      const off = backwards + Math.max(magnitude, Number.MIN_VALUE) * 1e-3
      if (magnitude > 1e-300) expect(roundingFault(off, terms)).toMatch(/rounding explains/)
    }),
  )
  expect(roundingFault(0.1 + 0.2 + 1e16, [0.1, 0.2, 1e16])).toBe(undefined)
  expect(roundingFault(1, [Infinity, 1])).toContain('must be Infinity')
})

test('bitsFault tells zeros apart, and takes NaN for NaN', () => {
  expect(bitsFault([NaN, NaN])).toBe(undefined)
  expect(bitsFault([0, -0])).toBe('ranks 0 and 1 hold different bits')
  expect(bitsFault([Float64Array.of(1, 2), Float64Array.of(1, 3)])).toContain('in element 1')
})

test('contributionFault sees what is missing, doubled, extra and misplaced', () => {
  expect(contributionFault('((0 1) 2)', { count: 3 })).toBe(undefined)
  expect(contributionFault('(0 2)', { count: 3 })).toContain('rank 1 is missing')
  expect(contributionFault('((0 1) (1 2))', { count: 3 })).toContain('rank 1 is there 2 times')
  expect(contributionFault('((0 1) 2)', { count: 2 })).toContain('rank 2 contributed')
  expect(contributionFault('((1 0) 2)', { count: 3 })).toContain('rank 1 stands where rank 0')
  expect(contributionFault('((1 0) 2)', { count: 3, ordered: false })).toBe(undefined)
  expect(contributionFault(undefined, { count: 1 })).toBe('there is no result')
  expect(treeFault(['((0 1) 2)', '(0 (1 2))'])).toContain('rank 1 folded (0 (1 2))')
})
