import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementKinds } from '../../src/datatype/index.js'
import { ArgumentError, OpError } from '../../src/errors/index.js'
import * as ops from '../../src/op/index.js'
import {
  BAND,
  BOR,
  BXOR,
  LAND,
  LXOR,
  MAX,
  MAXLOC,
  MIN,
  MINLOC,
  Op,
  PROD,
  SUM,
} from '../../src/op/index.js'

const predefined = Object.values(ops).filter((part): part is Op => part instanceof Op)

test('Op constants are the twelve of the standard, all commutative', () => {
  expect(predefined.map((op) => op.name).toSorted()).toEqual(
    'BAND BOR BXOR LAND LOR LXOR MAX MAXLOC MIN MINLOC PROD SUM'.split(' '),
  )
  expect(predefined.every((op) => op.commutative)).toBe(true)
})

test('combineValues of numbers', () => {
  expect(SUM.combineValues(0.5, 2)).toBe(2.5)
  expect(PROD.combineValues(3, -0.5)).toBe(-1.5)
  expect(MAX.combineValues(-0, 0)).toBe(0)
  expect(MIN.combineValues(0, -0)).toBe(-0)
  expect(MAX.combineValues(NaN, 1)).toBe(NaN)
  expect(LAND.combineValues(2, 4)).toBe(1)
  expect(LXOR.combineValues(2, 4)).toBe(0)
  expect(LAND.combineValues(true, false)).toBe(false)
  expect(BAND.combineValues(0xffffffff, 0xfffffff0)).toBe(0xfffffff0)
  expect(BOR.combineValues(2 ** 40, 1)).toBe(2 ** 40 + 1)
  expect(BXOR.combineValues(-1, 2 ** 33)).toBe(-1 - 2 ** 33)
})

test('combineValues of bigints wraps around at 64 bits', () => {
  expect(SUM.combineValues(2n, 3n)).toBe(5n)
  expect(SUM.combineValues(2n ** 63n - 1n, 1n)).toBe(-(2n ** 63n))
  expect(PROD.combineValues(2n ** 32n, 2n ** 32n)).toBe(0n)
})

test('combineValues of value and index prefers the smaller index and not-a-number', () => {
  const at = (value: number, index: number) => ({ value, index })
  expect(MAXLOC.combineValues(at(1, 5), at(2, 9))).toEqual(at(2, 9))
  expect(MAXLOC.combineValues(at(2, 9), at(2, 5))).toEqual(at(2, 5))
  expect(MINLOC.combineValues(at(1, 5), at(2, 1))).toEqual(at(1, 5))
  expect(MINLOC.combineValues(at(NaN, 5), at(2, 1))).toEqual(at(NaN, 5))
  expect(MINLOC.combineValues(at(NaN, 5), at(NaN, 1))).toEqual(at(NaN, 1))
  const pairs = Float64Array.of(7, 0, 3, 3)
  MAXLOC.combineArrays(Float64Array.of(7, 2, 4, 1), pairs)
  expect([...pairs]).toEqual([7, 0, 4, 1])
})

test('combineArrays folds element by element at the width of the kind', () => {
  const pair = (kind: number) => fc.tuple(fc.constant(kind), fc.bigInt(), fc.bigInt())
  const integers = fc
    .integer({ min: 0, max: elementKinds.length - 1 })
    .filter((k) => k !== 7 && k !== 8)
  fc.assert(
    fc.property(integers.chain(pair), ([kind, a, b]) => {
      const { array, name } = elementKinds[kind]!
      const put = (value: bigint) =>
        name.startsWith('big')
          ? (array as typeof BigInt64Array).of(value)
          : (array as typeof Int32Array).of(Number(BigInt.asIntN(32, value)))
      const lower = put(a)
      const wide = (x: bigint) =>
        name.endsWith('clamped') ? (x < 0n ? 0n : x > 255n ? 255n : x) : x
      for (const [op, combine] of [
        [SUM, (x: bigint, y: bigint) => x + y],
        [PROD, (x: bigint, y: bigint) => x * y],
        [BXOR, (x: bigint, y: bigint) => x ^ y],
      ] as const) {
        const higher = put(b)
        const expected = put(wide(combine(BigInt(lower[0]!), BigInt(higher[0]!))))
        op.combineArrays(lower, higher)
        expect(higher).toEqual(expected)
      }
    }),
  )
})

test('combineArrays of float32 rounds as fround does', () => {
  const float = fc.float({ noNaN: true })
  fc.assert(
    fc.property(float, float, (a, b) => {
      const higher = Float32Array.of(b)
      PROD.combineArrays(Float32Array.of(a), higher)
      expect(higher[0]).toBe(Math.fround(a * b))
    }),
  )
})

test('check refuses what a reduction is not defined on', () => {
  const refused: [Op, unknown, string][] = [
    [
      BAND,
      1.5,
      'BAND is not defined on 1.5: it takes integers, bigints of 64 bits, and typed arrays of integers',
    ],
    [BAND, new Float64Array(1), 'BAND is not defined on float64 elements'],
    [BAND, true, 'true'],
    [LAND, new Float32Array(1), 'booleans, integers'],
    [
      SUM,
      'text',
      "SUM is not defined on 'text': it takes numbers, bigints of 64 bits, and typed arrays",
    ],
    [SUM, [1, 2], 'an array of 2'],
    [SUM, 2n ** 63n, 'more than 64 bits'],
    [SUM, undefined, 'undefined'],
    [SUM, true, 'true'],
    [MAXLOC, 3, 'values { value, index }'],
    [MAXLOC, { value: 1, index: 0.5 }, 'an object'],
    [MAXLOC, new Float64Array(3), 'an odd number of elements (3)'],
  ]
  for (const [op, value, message] of refused) {
    expect(() => op.check(value)).toThrow(OpError)
    expect(() => op.check(value)).toThrow(message)
  }
  SUM.check(1.5)
  BAND.check(new Uint8Array(1))
  LAND.check(true)
  MINLOC.check({ value: 1n, index: 0 })
})

test('combineValues refuses operands that do not fit each other', () => {
  expect(() => SUM.combineValues(1, 1n)).toThrow('SUM is not defined on 1 and 1n')
  expect(() => SUM.combineValues(new Int8Array(1), new Int8Array(2))).toThrow('one kind and length')
  expect(() => SUM.combineValues(new Int8Array(1), new Uint8Array(1))).toThrow(OpError)
})

test('Op.create folds values by the function, and arrays into the second', () => {
  const join = Op.create((a: string, b: string) => a + b, { commutative: false, name: 'join' })
  expect([join.name, join.commutative]).toEqual(['join', false])
  expect(join.combineValues('a', 'b')).toBe('ab')
  join.check(Symbol('anything'))
  const difference = Op.create((a, b) => {
    for (let i = 0; i < b.length; i++) b[i] = a[i] - b[i]
  })
  const higher = Float64Array.of(1, 2)
  expect(difference.combineValues(Float64Array.of(5, 5), higher)).toBe(higher)
  expect([...higher]).toEqual([4, 3])
  const add = Op.create((a, b) => a + b, { name: 'add' })
  expect(() => add.combineArrays(higher, higher)).toThrow('writes the result into its second array')
  expect(() => Op.create(1 as never)).toThrow(ArgumentError)
})
