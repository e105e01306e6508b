import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { EventLog } from '../../../src/fabric/simulated/kernel/event-log.js'
import { EventQueue } from '../../../src/fabric/simulated/kernel/event-queue.js'
import { formatDuration } from '../../../src/fabric/simulated/kernel/time.js'

interface Entry {
  time: number
  sequence: number
}

/** Pushes at `now + delay` and pops by turns, on the queue and on a sorted list. */
function compare(steps: readonly { delay: number; pops: number }[]): void {
  const queue = new EventQueue()
  const oracle: Entry[] = []
  let sequence = 0
  const pop = () => {
    oracle.sort((a, b) => a.time - b.time || a.sequence - b.sequence)
    const expected = oracle.shift()!
    expect(queue.pop()).toBe(expected.sequence)
    expect(queue.now).toBe(expected.time)
  }
  for (const { delay, pops } of steps) {
    oracle.push({ time: queue.now + delay, sequence })
    queue.push(queue.now + delay, sequence++)
    for (let i = 0; i < pops && oracle.length > 0; i++) pop()
    expect(queue.size).toBe(oracle.length)
    if (oracle.length > 0) {
      expect(queue.nextTime).toBe(Math.min(...oracle.map(({ time }) => time)))
    }
  }
  while (oracle.length > 0) pop()
}

const few = fc.record({ delay: fc.nat(3), pops: fc.nat(2) })
const many = fc.record({ delay: fc.nat(2 ** 40), pops: fc.nat(1) })
// Times that are 2^32 apart share a slot of the table of recent times.
const colliding = fc.record({ delay: fc.nat(3).map((n) => n * 2 ** 32), pops: fc.nat(1) })

describe('EventQueue', () => {
  test('gives events in the order of time and pushing', () => {
    const steps = fc.oneof(fc.array(few), fc.array(many), fc.array(colliding))
    fc.assert(fc.property(steps, compare), { numRuns: 500 })
  })

  test('grows', () => {
    const queue = new EventQueue()
    for (let i = 0; i < 5000; i++) queue.push((i * 7919) % 5003, i)
    const times: number[] = []
    while (queue.size > 0) {
      queue.pop()
      times.push(queue.now)
    }
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.length).toBe(5000)
  })
})

describe('EventLog', () => {
  test('depends on time, kind and order', () => {
    const digest = (...events: [number, number][]) => {
      const log = new EventLog()
      for (const [time, what] of events) log.add(time, what)
      return log.digest
    }
    expect(digest([1, 2], [3, 4])).toBe(digest([1, 2], [3, 4]))
    const others = [
      digest([3, 4], [1, 2]),
      digest([1, 2], [3, 5]),
      digest([1, 2], [2 ** 40 + 3, 4]),
    ]
    for (const other of others) expect(other).not.toBe(digest([1, 2], [3, 4]))
  })
})

describe('formatDuration', () => {
  test('chooses a unit', () => {
    const spelled = [17, 840_000, 9_254_321, 1.2e9, 3e12].map(formatDuration)
    expect(spelled).toEqual(['17 ps', '840 ns', '9.254 us', '1.2 ms', '3 s'])
  })
})
