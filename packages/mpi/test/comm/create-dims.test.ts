import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDims } from '../../src/comm/create-dims.js'
import { ArgumentError, DimsError } from '../../src/errors/index.js'

/** All lists of `count` factors whose product is `product`, in every order. */
function factorizations(product: number, count: number): number[][] {
  if (count === 0) return product === 1 ? [[]] : []
  const lists: number[][] = []
  for (let factor = 1; factor <= product; factor++) {
    if (product % factor !== 0) continue
    for (const rest of factorizations(product / factor, count - 1)) lists.push([factor, ...rest])
  }
  return lists
}

function spreadOf(list: readonly number[]): number {
  return list.length === 0 ? 0 : Math.max(...list) - Math.min(...list)
}

/** Below zero where the first is smaller at the first place where they differ. */
function lexicographically(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((entry, i) => entry !== b[i])
  return at === -1 ? 0 : a[at]! - b[at]!
}

test('createDims takes the smallest spread of all factorizations, then the smallest entries', () => {
  for (let count = 0; count <= 5; count++) {
    for (let size = 1; size <= (count === 5 ? 130 : 260); size++) {
      if (count === 0 && size > 1) continue
      const dims = createDims(size, new Array<number>(count).fill(0))
      const all = factorizations(size, count)
      const least = Math.min(...all.map(spreadOf))
      const [expected] = all
        .filter((list) => spreadOf(list) === least)
        .filter((list) => list.every((entry, i) => i === 0 || entry <= list[i - 1]!))
        .sort(lexicographically)
      expect({ size, dims }).toEqual({ size, dims: expected })
    }
  }
})

test('createDims fills in zeros only, in non-increasing order', () => {
  const entry = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 6 }))
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 6 }),
      fc.integer({ min: 1, max: 500 }),
      (given, factor) => {
        const before = [...given]
        const free = given.filter((extent) => extent === 0).length
        const kept = given.reduce((product, extent) => product * (extent || 1), 1)
        const size = kept * (free === 0 ? 1 : factor)
        const dims = createDims(size, given)
        expect(given).toEqual(before)
        expect(dims).toHaveLength(given.length)
        expect(dims.reduce((product, extent) => product * extent, 1)).toBe(size)
        const filled = dims.filter((_, i) => given[i] === 0)
        expect(dims.filter((_, i) => given[i] !== 0)).toEqual(given.filter((it) => it !== 0))
        expect(filled).toEqual([...filled].sort((a, b) => b - a))
        expect(filled).toEqual(createDims(free === 0 ? 1 : factor, new Array(free).fill(0)))
      },
    ),
    { numRuns: 500 },
  )
})

test('createDims refuses fixed entries that do not divide the size', () => {
  const fixed = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fixed, fc.integer({ min: 1, max: 200 }), fc.boolean(), (kept, size, free) => {
      const product = kept.reduce((all, extent) => all * extent, 1)
      fc.pre(free ? size % product !== 0 : size !== product)
      expect(() => createDims(size, free ? [0, ...kept] : kept)).toThrow(DimsError)
    }),
  )
})

test('createDims is as the examples of the standard', () => {
  expect(createDims(6, [0, 0])).toEqual([3, 2])
  expect(createDims(7, [0, 0])).toEqual([7, 1])
  expect(createDims(6, [0, 3, 0])).toEqual([2, 3, 1])
  expect(() => createDims(7, [0, 3, 0])).toThrow(
    '`dims` must be a list whose product divides 7, but is [0, 3, 0]',
  )
})

test('createDims splits what implementations have got wrong', () => {
  expect(createDims(16, [0, 0, 0])).toEqual([4, 2, 2])
  expect(createDims(25, [0, 0])).toEqual([5, 5])
  expect(createDims(361, [0, 0])).toEqual([19, 19])
  for (const [size, dims] of [
    [72, [9, 8]],
    [180, [15, 12]],
    [240, [16, 15]],
    [450, [25, 18]],
    [504, [24, 21]],
    [540, [27, 20]],
    [1_000_003, [1_000_003, 1]],
    [1_000_000, [1000, 1000]],
    [2 ** 30, [2 ** 15, 2 ** 15]],
    [2 ** 31 - 1, [2 ** 31 - 1, 1]],
  ] as const) {
    expect(createDims(size, [0, 0])).toEqual(dims)
  }
})

test('createDims takes many dimensions and none', () => {
  expect(createDims(1, [])).toEqual([])
  expect(createDims(1, [1, 1])).toEqual([1, 1])
  expect(createDims(1, new Array(5000).fill(0))).toEqual(new Array(5000).fill(1))
  expect(createDims(30, new Array(5).fill(0))).toEqual([5, 3, 2, 1, 1])
  expect(() => createDims(2, [])).toThrow(DimsError)
})

test('createDims refuses what is no size and what are no dims', () => {
  for (const size of [0, -4, 1.5, NaN, Infinity, 2 ** 31, '4', undefined, 4n]) {
    expect(() => createDims(size as number, [0])).toThrow(ArgumentError)
  }
  for (const dims of [undefined, null, 2, 'ab', { length: 2 }, new Int32Array(2)]) {
    expect(() => createDims(4, dims as never)).toThrow(ArgumentError)
  }
  for (const entry of [-1, 0.5, NaN, Infinity, '2', undefined, null, 2n]) {
    expect(() => createDims(4, [0, entry as number])).toThrow(DimsError)
  }
  const holes = [0, 0]
  delete holes[1]
  expect(() => createDims(4, holes)).toThrow('`dims[1]`')
  expect(() => createDims(4, [0, -2])).toThrow(
    '`dims[1]` must be 0 (to be filled in) or a positive integer, but is -2',
  )
  expect(() => createDims(6, [2, 2])).toThrow(
    '`dims` must be a list whose product is 6, but is [2, 2]',
  )
})
