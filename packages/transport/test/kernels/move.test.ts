import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'

import { WorldMemory } from '../../src/memory/world-memory.js'

const MEMORY_BYTES = 65_536
const memory = WorldMemory.create({ bytes: MEMORY_BYTES })
const { kernels, u8 } = memory

const REGION = 4096
const length = fc.oneof(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 2000 }))

beforeEach(() => {
  for (let i = 0; i < MEMORY_BYTES; i++) u8[i] = (i * 31 + (i >> 8) * 7) & 255
})

describe('copy', () => {
  test('is TypedArray.copyWithin for every length and overlap', () => {
    fc.assert(
      fc.property(fc.nat(REGION), fc.nat(REGION), length, (target, source, bytes) => {
        const expected = u8.slice().copyWithin(target, source, source + bytes)
        kernels.copy(target, source, bytes)
        expect(Buffer.compare(u8, expected)).toBe(0)
      }),
      { numRuns: 300 },
    )
  })

  test('works for each short length and each small shift', () => {
    for (let bytes = 0; bytes <= 66; bytes++) {
      for (const shift of [-17, -8, -3, -1, 0, 1, 3, 8, 17]) {
        const expected = u8.slice().copyWithin(500 + shift, 500, 500 + bytes)
        kernels.copy(500 + shift, 500, bytes)
        expect(Buffer.compare(u8, expected)).toBe(0)
      }
    }
  })

  test('reaches the last byte of memory and traps behind it', () => {
    kernels.copy(MEMORY_BYTES - 40, 100, 40)
    expect(u8[MEMORY_BYTES - 1]).toBe(u8[139])
    expect(() => kernels.copy(MEMORY_BYTES - 39, 100, 40)).toThrow(WebAssembly.RuntimeError)
  })
})

describe('fill', () => {
  test('sets the bytes of its range only', () => {
    fc.assert(
      fc.property(fc.nat(REGION), fc.integer(), length, (target, value, bytes) => {
        const expected = u8.slice().fill(value, target, target + bytes)
        kernels.fill(target, value, bytes)
        expect(Buffer.compare(u8, expected)).toBe(0)
      }),
    )
  })
})

describe('equal', () => {
  test('sees a difference at each place', () => {
    fc.assert(
      fc.property(fc.nat(REGION), length, fc.option(fc.nat(2000)), (at, bytes, difference) => {
        const copyAt = 20_000
        kernels.copy(copyAt, at, bytes)
        expect(kernels.equal(at, copyAt, bytes)).toBe(1)
        if (difference === null || bytes === 0) return
        u8[copyAt + (difference % bytes)]! ^= 1
        expect(kernels.equal(at, copyAt, bytes)).toBe(0)
      }),
    )
  })
})

describe('pack and unpack', () => {
  const layouts = fc
    .record({
      blockBytes: fc.oneof(fc.constantFrom(1, 2, 4, 8, 16, 24), fc.integer({ min: 1, max: 100 })),
      blockCount: fc.nat(40),
      gap: fc.nat(50),
      backwards: fc.boolean(),
    })
    .map(({ blockBytes, blockCount, gap, backwards }) => ({
      blockBytes,
      blockCount,
      strideBytes: (blockBytes + gap) * (backwards ? -1 : 1),
    }))
  const strided = 20_000
  const packed = 40_000

  test('pack gathers block after block', () => {
    fc.assert(
      fc.property(layouts, ({ blockCount, blockBytes, strideBytes }) => {
        const expected = u8.slice()
        for (let block = 0; block < blockCount; block++) {
          const from = strided + block * strideBytes
          expected.copyWithin(packed + block * blockBytes, from, from + blockBytes)
        }
        kernels.pack(packed, strided, blockCount, blockBytes, strideBytes)
        expect(Buffer.compare(u8, expected)).toBe(0)
      }),
    )
  })

  test('unpack scatters block after block and leaves the gaps', () => {
    fc.assert(
      fc.property(layouts, ({ blockCount, blockBytes, strideBytes }) => {
        const expected = u8.slice()
        for (let block = 0; block < blockCount; block++) {
          const from = packed + block * blockBytes
          expected.copyWithin(strided + block * strideBytes, from, from + blockBytes)
        }
        kernels.unpack(strided, packed, blockCount, blockBytes, strideBytes)
        expect(Buffer.compare(u8, expected)).toBe(0)
      }),
    )
  })
})
