import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSize, parseSize } from '../../src/launch/command/size-grammar.js'

describe('parseSize', () => {
  it.each([
    ['0', 0],
    ['65536', 65536],
    ['1B', 1],
    ['64KiB', 65536],
    ['64k', 65536],
    ['1.5MiB', 1572864],
    ['4GiB', 2 ** 32],
    ['4 gib', 2 ** 32],
  ])('reads %s', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes)
  })

  it.each(['', 'GiB', '4GB', '-1', '1.1B', '1e3', '4GiBs', '999999999GiB'])(
    'refuses %j',
    (text) => {
      expect(parseSize(text)).toBeUndefined()
    },
  )

  it('reads what formatSize writes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(1, 2 ** 10, 2 ** 20), (count, unit) => {
        expect(parseSize(formatSize(count * unit))).toBe(count * unit)
      }),
    )
  })
})
