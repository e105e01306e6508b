import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance, nearestName } from '../../src/launch/command/nearest-name.js'

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['prefix', 'prefx', 1],
    ['timeout', 'tiemout', 1],
    ['kitten', 'sitting', 3],
  ])('from %j to %j', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
  })

  it('is a distance: symmetric, and zero only for equal words', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a))
        expect(editDistance(a, b) === 0).toBe(a === b)
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })
})

describe('nearestName', () => {
  it('finds a name with a slip in it', () => {
    expect(nearestName('hallo.ts', ['ring.ts', 'hello.ts'])).toBe('hello.ts')
  })

  it('stays silent when nothing is near', () => {
    expect(nearestName('x', ['prefix', 'timeout'])).toBeUndefined()
  })
})
