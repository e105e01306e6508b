import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Datatype, overlapsItself, type Flat, type Strided } from '../../src/datatype/index.js'
import { ArgumentError, CountError, DatatypeError } from '../../src/errors/index.js'
import { cases, displacementsOf } from './type-map.js'

test('Datatype has size, bounds and true bounds of its type map', () => {
  fc.assert(
    fc.property(cases, ({ datatype, oracle }) => {
      const { map } = oracle
      expect(datatype.size).toBe(map.length)
      expect(datatype.lowerBound).toBe(oracle.lowerBound)
      expect(datatype.extent).toBe(oracle.extent)
      const first = map.length === 0 ? 0 : Math.min(...map)
      const last = map.length === 0 ? -1 : Math.max(...map)
      expect(datatype.trueLowerBound).toBe(first)
      expect(datatype.trueExtent).toBe(last - first + 1)
    }),
    { numRuns: 1000 },
  )
})

function listStrided({ offset, count, blockLength, stride }: Strided): number[] {
  return Array.from(
    { length: count * blockLength },
    (_, i) => offset + Math.floor(i / blockLength) * stride + (i % blockLength),
  )
}

function listRuns({ offsets, lengths }: Flat): number[] {
  return offsets.flatMap((offset, run) =>
    Array.from({ length: lengths[run]! }, (_, i) => offset + i),
  )
}

test('Layout.flat lists the type map in order, joined where runs touch', () => {
  fc.assert(
    fc.property(cases, ({ datatype, oracle }) => {
      const { flat } = datatype.layout
      const { strided, offsets, lengths } = flat
      expect(strided === undefined ? listRuns(flat) : listStrided(strided)).toEqual(oracle.map)
      expect(offsets.filter((at, i) => at === offsets[i - 1]! + lengths[i - 1]!)).toEqual([])
    }),
    { numRuns: 1000 },
  )
})

test('Layout.strided and isContiguous say what several items are', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 1, max: 4 }), ({ datatype, oracle }, count) => {
      fc.pre(oracle.map.length > 0)
      const expected = displacementsOf(oracle, count)
      const strided = datatype.layout.strided(count)
      expect(strided === undefined ? expected : listStrided(strided)).toEqual(expected)
      const inOrder = expected.every((at, i) => at === expected[0]! + i)
      expect(datatype.layout.isContiguous(count)).toBe(inOrder)
    }),
    { numRuns: 1000 },
  )
})

test('Layout.span gives the first element and the one behind the last', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 0, max: 4 }), ({ datatype, oracle }, count) => {
      const touched = displacementsOf(oracle, count)
      const { first, end } = datatype.layout.span(count)
      expect([first, end]).toEqual(
        touched.length === 0 ? [0, 0] : [Math.min(...touched), Math.max(...touched) + 1],
      )
    }),
  )
})

test('overlapsItself finds elements that are touched twice', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 0, max: 5 }), ({ datatype, oracle }, count) => {
      const touched = displacementsOf(oracle, count)
      const twice = new Set(touched).size < touched.length
      expect(overlapsItself(datatype.layout, count)).toBe(twice)
      expect(overlapsItself(datatype.layout, count)).toBe(twice)
    }),
    { numRuns: 2000 },
  )
})

test('Datatype.vector of a million rows keeps its shape and lists no runs', () => {
  const column = Datatype.vector({ count: 1e6, blockLength: 1, stride: 1000 })
  expect(column.layout.flat.strided).toEqual({
    offset: 0,
    count: 1e6,
    blockLength: 1,
    stride: 1000,
  })
  expect(column.layout.flat.offsets).toHaveLength(0)
  expect(overlapsItself(column.resized(0, 1).layout, 1000)).toBe(false)
  expect(overlapsItself(column.resized(0, 1).layout, 1001)).toBe(true)
})

test('Datatype outlives the freeing of its base', () => {
  const base = Datatype.vector({ count: 2, blockLength: 1, stride: 3 })
  const derived = Datatype.contiguous(2, base)
  const copy = base.dup()
  base.free()
  expect(derived.layout.flat.offsets).toEqual([0, 3, 7])
  expect(copy.size).toBe(2)
})

test('Datatype refuses to be used when it is freed', () => {
  const type = Datatype.contiguous(2)
  type.free()
  for (const use of [
    () => type.size,
    () => type.extent,
    () => type.trueExtent,
    () => type.free(),
    () => type.dup(),
    () => type.resized(0, 1),
    () => Datatype.contiguous(1, type),
  ]) {
    expect(use).toThrow(DatatypeError)
    expect(use).toThrow('this datatype was freed')
  }
})

test('Datatype makers refuse what makes no sense, at the call', () => {
  expect(() => Datatype.contiguous(-1)).toThrow(CountError)
  expect(() => Datatype.contiguous(1.5)).toThrow(
    '`count` must be an integer of at least 0, but is 1.5',
  )
  expect(() => Datatype.contiguous(2 ** 40, Datatype.contiguous(2 ** 40))).toThrow(CountError)
  expect(() => Datatype.vector({ count: 1, blockLength: -2, stride: 1 })).toThrow('blockLength')
  expect(() => Datatype.vector({ count: 1, blockLength: 1, stride: NaN })).toThrow(ArgumentError)
  expect(() => Datatype.contiguous(1, 5 as never)).toThrow('a Datatype was expected, but here is 5')
  expect(() => Datatype.contiguous(1).resized(0.5, 1)).toThrow('lowerBound')
  const box = { sizes: [4, 6], subsizes: [2, 3], starts: [1, 2] }
  expect(() => Datatype.subarray({ ...box, starts: [3, 2] })).toThrow(
    '`starts[0]` must be an integer from 0 to 2, but is 3',
  )
  expect(() => Datatype.subarray({ ...box, subsizes: [2] })).toThrow('a list of 2')
  expect(() => Datatype.subarray({ sizes: [], subsizes: [], starts: [] })).toThrow('sizes')
  expect(() => Datatype.subarray({ ...box, order: 'F' as 'C' })).toThrow("'C' or 'Fortran'")
})
