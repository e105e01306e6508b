import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { hasReady, nextReady, pushReady, takeReady } from '../../src/ring/ready-list.js'
import {
  addWaiter,
  hasWaiter,
  removeWaiter,
  wakeThisWaiter,
  wakeWaiter,
} from '../../src/ring/waiter-list.js'
import { HCA_BYTES } from '../../src/wire/hca-block.js'
import { QP_BYTES, QP_HCA, QP_WAITING } from '../../src/wire/queue-pair.js'
import { RECEIVE_RING_BYTES } from '../../src/wire/receive-ring.js'
import { Interrupter, withInterruptions } from './interruption.js'

const HCA = 512
const RING = HCA + HCA_BYTES
const FIRST = RING + RECEIVE_RING_BYTES
const COUNT = 5

function world(): Int32Array {
  const i32 = new Int32Array(new SharedArrayBuffer(FIRST + COUNT * QP_BYTES))
  for (let index = 0; index < COUNT; index++) i32[(queuePair(index) + QP_HCA) >> 2] = HCA
  return i32
}

function queuePair(index: number): number {
  return FIRST + index * QP_BYTES
}

/** Takes everything from the ready list, in order. */
function drain(i32: Int32Array): number[] {
  const indices: number[] = []
  let here = takeReady(i32, HCA)
  while (here !== 0) {
    indices.push((here - FIRST) / QP_BYTES)
    here = nextReady(i32, here)
  }
  return indices
}

describe('waiter list', () => {
  test('wakes in the order of waiting, whoever is taken out in between', () => {
    const command = fc.record({
      kind: fc.constantFrom('add', 'wake', 'wakeThis', 'remove'),
      index: fc.nat(COUNT - 1),
    })
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const i32 = world()
        let waiting: number[] = []
        for (const { kind, index } of commands) {
          const waits = waiting.includes(index)
          if (kind === 'add') {
            addWaiter(i32, RING, queuePair(index))
            if (!waits) waiting.push(index)
          } else if (kind === 'wake') {
            expect(wakeWaiter(i32, RING)).toBe(waiting.length > 0 ? HCA : 0)
            expect(drain(i32)).toEqual(waiting.splice(0, 1))
          } else if (kind === 'wakeThis') {
            expect(wakeThisWaiter(i32, RING, queuePair(index))).toBe(waits ? HCA : 0)
            expect(drain(i32)).toEqual(waits ? [index] : [])
            waiting = waiting.filter((other) => other !== index)
          } else {
            removeWaiter(i32, RING, queuePair(index))
            waiting = waiting.filter((other) => other !== index)
          }
          expect(hasWaiter(i32, RING)).toBe(waiting.length > 0)
          for (let other = 0; other < COUNT; other++) {
            const mark = i32[(queuePair(other) + QP_WAITING) >> 2]
            expect(mark).toBe(waiting.includes(other) ? 1 : 0)
          }
        }
      }),
    )
  })
})

describe('ready list', () => {
  test('gives queue pairs in the order they were pushed, each once', () => {
    const i32 = world()
    for (const index of [3, 1, 3, 4, 1]) pushReady(i32, HCA, queuePair(index))
    expect(hasReady(i32, HCA)).toBe(true)
    expect(drain(i32)).toEqual([3, 1, 4])
    expect(hasReady(i32, HCA)).toBe(false)
    pushReady(i32, HCA, queuePair(3))
    expect(drain(i32)).toEqual([3])
  })

  test('loses no push under nested interleavings', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(COUNT + 1), { maxLength: 120 }), (choices) => {
        const i32 = world()
        // What has been pushed and not driven since: must be driven at the end at the latest.
        const due = new Set<number>()
        let draining = false
        const push = (index: number) => () => {
          due.add(index)
          pushReady(i32, HCA, queuePair(index))
        }
        const owner = (): void => {
          if (draining) return
          draining = true
          let here = takeReady(i32, HCA)
          while (here !== 0) {
            const next = nextReady(i32, here)
            due.delete((here - FIRST) / QP_BYTES)
            here = next
          }
          draining = false
        }
        const operations = [owner, ...Array.from({ length: COUNT }, (_, index) => push(index))]
        const { interrupt } = new Interrupter(choices, operations)
        withInterruptions(interrupt, () => operations.forEach((operation) => operation()))
        owner()
        expect([...due]).toEqual([])
      }),
    )
  })
})
