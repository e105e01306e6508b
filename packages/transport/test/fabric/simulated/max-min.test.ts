import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { maxMinRates } from '../../../src/fabric/simulated/link/max-min.js'

interface Case {
  capacity: number[]
  /** Links of each flow. */
  flows: number[][]
  weight?: number[]
  bound?: number[]
  fatPipe?: number[]
}

function solve({ capacity, flows, weight, bound, fatPipe }: Case): number[] {
  const firstOf = [0]
  for (const links of flows) firstOf.push(firstOf.at(-1)! + links.length)
  return [
    ...maxMinRates({
      capacity: Float64Array.from(capacity),
      firstOf: Int32Array.from(firstOf),
      links: Int32Array.from(flows.flat()),
      ...(weight && { weight: Float64Array.from(weight) }),
      ...(bound && { bound: Float64Array.from(bound) }),
      ...(fatPipe && { fatPipe: Uint8Array.from(fatPipe) }),
    }),
  ]
}

/** Water filling as a child would do it: everybody gets a drop more, until a link runs over. */
function pour({ capacity, flows, weight, bound }: Case, drop: number): number[] {
  const rates = flows.map(() => 0)
  const stopped = flows.map(() => false)
  while (stopped.includes(false)) {
    flows.forEach((_, f) => {
      if (!stopped[f]) rates[f]! += drop * (weight?.[f] ?? 1)
    })
    const used = capacity.map((_, l) =>
      flows.reduce((sum, links, f) => sum + (links.includes(l) ? rates[f]! : 0), 0),
    )
    flows.forEach((links, f) => {
      if (links.some((l) => used[l]! >= capacity[l]!) || rates[f]! >= (bound?.[f] ?? Infinity)) {
        stopped[f] = true
      }
    })
  }
  return rates
}

const cases: fc.Arbitrary<Case> = fc.integer({ min: 1, max: 5 }).chain((links) =>
  fc.integer({ min: 1, max: 6 }).chain((count) => {
    const each = <T>(value: fc.Arbitrary<T>) =>
      fc.array(value, { minLength: count, maxLength: count })
    return fc.record({
      capacity: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: links, maxLength: links }),
      flows: each(fc.uniqueArray(fc.nat(links - 1), { minLength: 1 })),
      weight: each(fc.integer({ min: 1, max: 3 })),
      bound: each(fc.integer({ min: 1, max: 8 })),
    })
  }),
)

describe('maxMinRates', () => {
  test('gives what water filling drop by drop gives', () => {
    const drop = 1 / 512
    const property = fc.property(cases, (one) => {
      const rates = solve(one)
      // A link may run over by a drop of each flow, and so on from link to link.
      pour(one, drop).forEach((rate, f) => expect(Math.abs(rate - rates[f]!)).toBeLessThan(0.3))
    })
    fc.assert(property, { numRuns: 300 })
  })

  test('uses no link beyond its capacity and ends each flow at a full link or its bound', () => {
    const property = fc.property(cases, (one) => {
      const rates = solve(one)
      const used = one.capacity.map((_, l) =>
        one.flows.reduce((sum, links, f) => sum + (links.includes(l) ? rates[f]! : 0), 0),
      )
      used.forEach((sum, l) => expect(sum).toBeLessThanOrEqual(one.capacity[l]! * (1 + 1e-9)))
      one.flows.forEach((links, f) => {
        const full = links.some(
          (l) =>
            used[l]! >= one.capacity[l]! * (1 - 1e-9) &&
            one.flows.every(
              (other, g) =>
                !other.includes(l) ||
                rates[g]! / one.weight![g]! <= (rates[f]! / one.weight![f]!) * (1 + 1e-9),
            ),
        )
        expect(full || rates[f]! >= one.bound![f]! * (1 - 1e-9)).toBe(true)
      })
    })
    fc.assert(property, { numRuns: 500 })
  })
})

// The cases of SimGrid's solver tests (teshsuite/models/lmm_usage); values derived by hand.
describe('V2: maxMinRates', () => {
  test('shares three links in a row', () => {
    const rates = solve({ capacity: [1, 10, 1], flows: [[0, 1, 2], [0], [1], [2]] })
    expect(rates).toEqual([0.5, 0.5, 9.5, 0.5])
  })

  test('shares two separate processors', () => {
    expect(solve({ capacity: [200, 100], flows: [[0], [1]] })).toEqual([200, 100])
  })

  test('shares ten links among eleven flows', () => {
    const flows = [
      [4, 5, 6],
      [0, 1, 2],
      [7, 8],
      [4, 5],
      [5, 6, 7],
      [9],
      [7, 9],
      [0, 1],
      [1, 2, 3],
      [4, 5, 6, 7, 9],
      [6, 7, 8],
    ]
    const wanted = [3, 10 / 3, 2, 3, 2, 6, 2, 10 / 3, 10 / 3, 2, 2]
    const rates = solve({ capacity: Array.from({ length: 10 }, () => 10), flows })
    wanted.forEach((rate, f) => expect(rates[f]).toBeCloseTo(rate, 9))
  })

  test('lets each flow have all of a fat pipe', () => {
    const rates = solve({ capacity: [10, 4], flows: [[0], [0, 1], [0, 1]], fatPipe: [1, 0] })
    expect(rates).toEqual([10, 2, 2])
  })

  test('gives what a bounded flow leaves to the others', () => {
    expect(solve({ capacity: [10], flows: [[0], [0], [0]], bound: [1, 20, 20] })).toEqual([
      1, 4.5, 4.5,
    ])
  })
})
