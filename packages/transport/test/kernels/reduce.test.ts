import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { ELEMENT_CODES, REDUCTIONS, reductionKernel } from '../../src/memory/kernels.js'
import type { ElementCode, Reduction } from '../../src/memory/kernels.js'
import { WorldMemory } from '../../src/memory/world-memory.js'

const memory = WorldMemory.create({ bytes: 65_536 })
const { kernels, buffer } = memory
const LOWER = 4096
const HIGHER = 16_384
const TARGET = 32_768

const ARRAYS = {
  i8: Int8Array,
  u8: Uint8Array,
  u8c: Uint8ClampedArray,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
} as const

/** A typed array, whichever kind its elements have. */
type Numbers = Iterable<number | bigint> & { [index: number]: number | bigint }
type NumbersConstructor = new (
  buffer: SharedArrayBuffer,
  byteOffset: number,
  length: number,
) => Numbers

const isFloat = (element: ElementCode) => element === 'f32' || element === 'f64'

/** The operation on exact integers; the kind then wraps or clamps the result. */
const INTEGER_ORACLE: Record<Reduction, (a: bigint, b: bigint) => bigint> = {
  sum: (a, b) => a + b,
  prod: (a, b) => a * b,
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
  land: (a, b) => (a !== 0n && b !== 0n ? 1n : 0n),
  lor: (a, b) => (a !== 0n || b !== 0n ? 1n : 0n),
  lxor: (a, b) => ((a !== 0n) !== (b !== 0n) ? 1n : 0n),
  band: (a, b) => a & b,
  bor: (a, b) => a | b,
  bxor: (a, b) => a ^ b,
}

const FLOAT_ORACLE: Partial<Record<Reduction, (a: number, b: number) => number>> = {
  sum: (a, b) => a + b,
  prod: (a, b) => a * b,
  min: Math.min,
  max: Math.max,
}

function oracle(
  reduction: Reduction,
  element: ElementCode,
  a: number | bigint,
  b: number | bigint,
) {
  if (isFloat(element)) {
    const value = FLOAT_ORACLE[reduction]!(a as number, b as number)
    return element === 'f32' ? Math.fround(value) : value
  }
  const exact = INTEGER_ORACLE[reduction](BigInt(a), BigInt(b))
  if (element === 'u8c') return Number(exact > 255n ? 255n : exact)
  const bits = ARRAYS[element].BYTES_PER_ELEMENT * 8
  const wrapped = element.startsWith('i') ? BigInt.asIntN(bits, exact) : BigInt.asUintN(bits, exact)
  return bits === 64 ? wrapped : Number(wrapped)
}

function elements(element: ElementCode): fc.Arbitrary<number | bigint> {
  if (element === 'f32') return fc.oneof(fc.float(), fc.constantFrom(0, -0, NaN, Infinity))
  if (element === 'f64') return fc.oneof(fc.double(), fc.constantFrom(0, -0, NaN, -Infinity))
  const bits = ARRAYS[element].BYTES_PER_ELEMENT * 8
  const signed = element.startsWith('i')
  const min = signed ? -(2n ** BigInt(bits - 1)) : 0n
  const max = signed ? 2n ** BigInt(bits - 1) - 1n : 2n ** BigInt(bits) - 1n
  const any = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(0n, 1n, min, max))
  return bits === 64 ? any : any.map(Number)
}

const pairs = REDUCTIONS.flatMap((reduction) =>
  ELEMENT_CODES.map((element) => [reduction, element] as const),
)
const isDefined = ([reduction, element]: (typeof pairs)[number]) =>
  !isFloat(element) || FLOAT_ORACLE[reduction] !== undefined

test.each(pairs.filter((pair) => !isDefined(pair)))(
  'reductionKernel has no %s of %s: the standard defines none',
  (reduction, element) => {
    expect(reductionKernel(kernels, reduction, element)).toBeUndefined()
  },
)

describe.each(pairs.filter(isDefined))('%s of %s', (reduction, element) => {
  const kernel = reductionKernel(kernels, reduction, element)!
  const view = (address: number, length: number): Numbers =>
    new (ARRAYS[element] as NumbersConstructor)(buffer, address, length)
  const place = (address: number, values: (number | bigint)[]) => {
    const array = view(address, values.length)
    values.forEach((value, index) => (array[index] = value))
  }

  test('is the operation on each element, for all lengths and targets', () => {
    const rows = fc.array(fc.tuple(elements(element), elements(element)), { maxLength: 80 })
    const targets = fc.constantFrom(LOWER, HIGHER, TARGET)
    fc.assert(
      fc.property(rows, targets, fc.nat(3), (row, targetRange, shift) => {
        const target = targetRange + 8 * shift
        const lower = LOWER + 8 * shift
        const higher = HIGHER + 8 * shift
        place(
          lower,
          row.map((pair) => pair[0]),
        )
        place(
          higher,
          row.map((pair) => pair[1]),
        )
        const expected = row.map((pair) => oracle(reduction, element, pair[0], pair[1]))
        const guarded = view(target, row.length + 1)
        const behind = guarded[row.length]

        kernel(target, lower, higher, row.length)

        expect([...view(target, row.length)]).toEqual(expected)
        expect(guarded[row.length]).toEqual(behind)
      }),
      { numRuns: 50 },
    )
  })
})
