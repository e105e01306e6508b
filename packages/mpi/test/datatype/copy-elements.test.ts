import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  Datatype,
  elementKinds,
  kindOf,
  packElements,
  unpackElements,
} from '../../src/datatype/index.js'
import type { TypedArray } from '../../src/datatype/index.js'
import { cases, displacementsOf } from './type-map.js'

const bytesIn = (array: TypedArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** An array of random bits, so that not-a-numbers of every kind are among its elements. */
function scrambled(kind: number, length: number): TypedArray {
  const array = new elementKinds[kind]!.array(length)
  const bytes = bytesIn(array)
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 197 + (i >> 3) * 31 + 7) & 255
  return array
}

const usage = fc.record({
  type: cases,
  count: fc.integer({ min: 0, max: 4 }),
  kind: fc.integer({ min: 0, max: elementKinds.length - 1 }),
  shift: fc.constantFrom(0, 1, 8),
  margin: fc.integer({ min: 0, max: 3 }),
})

test('packElements takes the elements of the type map, bit by bit', () => {
  fc.assert(
    fc.property(usage, ({ type, count, kind, shift, margin }) => {
      const at = displacementsOf(type.oracle, count)
      const { first, end } = type.datatype.layout.span(count)
      const offset = margin - first
      const data = scrambled(kind, offset + end + margin)
      const size = data.BYTES_PER_ELEMENT
      const packed = new Uint8Array(shift + at.length * size + 1).subarray(shift)
      packElements(packed, data, kindOf(data), offset, type.datatype.layout, count)
      const source = bytesIn(data)
      const expected = at.flatMap((place) => {
        const start = (offset + place) * size
        return [...source.subarray(start, start + size)]
      })
      expect(Buffer.compare(packed, Buffer.from([...expected, 0]))).toBe(0)
    }),
    { numRuns: 500 },
  )
})

test('unpackElements fills a front of the type map and leaves the rest alone', () => {
  fc.assert(
    fc.property(usage, fc.double({ min: 0, max: 1, noNaN: true }), (use, share) => {
      const { type, count, kind, shift, margin } = use
      const at = displacementsOf(type.oracle, count)
      const elements = Math.floor(at.length * share)
      const { first, end } = type.datatype.layout.span(count)
      const offset = margin - first
      const data = new elementKinds[kind]!.array(offset + end + margin)
      const size = data.BYTES_PER_ELEMENT
      const message = bytesIn(scrambled(kind, elements + 2))
      const shifted = new Uint8Array(shift + message.length)
      shifted.set(message, shift)
      unpackElements(
        shifted.subarray(shift),
        data,
        kindOf(data),
        offset,
        type.datatype.layout,
        elements,
      )
      const expected = new Uint8Array(data.byteLength)
      for (let i = 0; i < elements; i++) {
        expected.set(message.subarray(i * size, (i + 1) * size), (offset + at[i]!) * size)
      }
      expect(Buffer.compare(bytesIn(data), expected)).toBe(0)
    }),
    { numRuns: 500 },
  )
})

test('packElements moves long runs and columns', () => {
  const matrix = Float64Array.from({ length: 100 * 60 }, (_, i) => i)
  const box = Datatype.subarray({ sizes: [100, 60], subsizes: [50, 40], starts: [10, 5] })
  const packed = new Float64Array(2000)
  packElements(new Uint8Array(packed.buffer), matrix, kindOf(matrix), 0, box.layout, 1)
  expect(packed[0]).toBe(605)
  expect(packed[1999]).toBe(59 * 60 + 44)
  const back = new Float64Array(6000)
  unpackElements(new Uint8Array(packed.buffer), back, kindOf(back), 0, box.layout, 2000)
  expect(back[605]).toBe(605)
  expect(back.filter((value) => value !== 0)).toHaveLength(2000)
})
