import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DisjointIntervals } from '../../src/p2p/disjoint-intervals.js'

const interval = fc
  .tuple(fc.nat(200), fc.nat(6))
  .map(([start, length]) => [start, start + length] as const)
const steps = fc.array(
  fc.record({
    interval,
    remove: fc.option(fc.nat(), { nil: undefined, freq: 3 }),
    /** Given back from the front, as a window of requests does. */
    oldest: fc.boolean(),
    /** Posted behind all others, as a window of requests does. */
    behind: fc.boolean(),
  }),
  { maxLength: 250, size: 'max' },
)

test('DisjointIntervals refuses what overlaps and keeps the rest, as a list does', () => {
  fc.assert(
    fc.property(steps, (program) => {
      const set = new DisjointIntervals()
      const list: (readonly [number, number])[] = []
      let farthest = 0
      for (const { interval: asked, remove, oldest, behind } of program) {
        if (remove !== undefined && list.length > 0) {
          const [gone] = list.splice(oldest ? 0 : remove % list.length, 1)
          set.remove(gone![0], gone![1])
          continue
        }
        const shift = behind ? farthest : 0
        const [start, end] = [asked[0] + shift, asked[1] + shift]
        const meets = start < end && list.some(([a, b]) => a < end && start < b)
        expect(set.overlaps(start, end)).toBe(meets)
        expect(set.add(start, end)).toBe(!meets)
        if (meets || start === end) continue
        list.push([start, end])
        farthest = Math.max(farthest, end)
        expect(set.size).toBe(list.length)
      }
      for (const [start, end] of list) {
        expect(set.overlaps(start, start + 1)).toBe(true)
        set.remove(start, end)
      }
      expect(set.size).toBe(0)
      expect(set.overlaps(0, 2 ** 32)).toBe(false)
    }),
    { numRuns: 150 },
  )
})
