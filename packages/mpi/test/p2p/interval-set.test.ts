import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IntervalSet } from '../../src/p2p/interval-set.js'

const interval = fc
  .tuple(fc.nat(60), fc.nat(12))
  .map(([start, length]) => [start, start + length] as const)
const step = fc.record({
  interval,
  remove: fc.option(fc.nat(), { nil: undefined, freq: 2 }),
  /** Removed from the front, as a window of requests does. */
  oldest: fc.boolean(),
})

test('IntervalSet knows what overlaps, as a list does', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 200, size: 'max' }),
      fc.array(interval),
      (program, questions) => {
        const set = new IntervalSet()
        const list: (readonly [number, number])[] = []
        for (const {
          interval: [start, end],
          remove,
          oldest,
        } of program) {
          if (remove !== undefined && list.length > 0) {
            const [gone] = list.splice(oldest ? 0 : remove % list.length, 1)
            set.remove(gone![0], gone![1])
          } else {
            set.add(start, end)
            list.push([start, end])
          }
          expect(set.size).toBe(list.filter(([a, b]) => a < b).length)
          expect(set.overlaps(start, end)).toBe(overlaps(list, start, end))
        }
        for (const [start, end] of questions) {
          expect(set.overlaps(start, end)).toBe(overlaps(list, start, end))
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('IntervalSet takes equal intervals more than once', () => {
  const set = new IntervalSet()
  for (let i = 0; i < 3; i++) set.add(8, 16)
  set.remove(8, 16)
  set.remove(8, 16)
  expect(set.overlaps(15, 20)).toBe(true)
  set.remove(8, 16)
  expect(set.overlaps(0, 100)).toBe(false)
})

test('IntervalSet holds addresses above 2 GiB', () => {
  const set = new IntervalSet()
  set.add(3 * 2 ** 30, 2 ** 32)
  expect(set.overlaps(2 ** 32 - 1, 2 ** 32)).toBe(true)
  expect(set.overlaps(0, 3 * 2 ** 30)).toBe(false)
})

function overlaps(list: (readonly [number, number])[], start: number, end: number): boolean {
  return start < end && list.some(([a, b]) => a < b && a < end && start < b)
}
