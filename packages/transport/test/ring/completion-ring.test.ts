import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  passCompletion,
  peekCompletion,
  pushCompletion,
  RELEASE_BATCH,
} from '../../src/ring/completion-ring.js'
import {
  CQ_BYTES,
  CQ_CLAIMED,
  CQ_MASK,
  CQ_POLLED,
  CQ_RELEASED,
  CQE_BYTES,
  CQE_LENGTH,
  CQE_REQUEST_ID,
} from '../../src/wire/completion-queue.js'
import { Interrupter, withInterruptions } from './interruption.js'

const CQ = 64

function ring(capacity: number, start = 0): Int32Array {
  const i32 = new Int32Array(new SharedArrayBuffer(CQ + CQ_BYTES + capacity * CQE_BYTES))
  i32[(CQ + CQ_MASK) >> 2] = capacity - 1
  for (const word of [CQ_CLAIMED, CQ_POLLED, CQ_RELEASED]) i32[(CQ + word) >> 2] = start
  return i32
}

function push(i32: Int32Array, producer: number, value: number): boolean {
  return pushCompletion(i32, CQ, producer, 0, value, 0, 0, 0, 0)
}

function poll(i32: Int32Array): { producer: number; value: number } | undefined {
  const entry = peekCompletion(i32, CQ)
  if (entry === 0) return undefined
  const producer = i32[(entry + CQE_REQUEST_ID) >> 2]!
  const value = i32[(entry + CQE_LENGTH) >> 2]!
  passCompletion(i32, CQ)
  return { producer, value }
}

describe('completion ring', () => {
  test('is full after its capacity, and has room for what was promised whatever was polled', () => {
    const i32 = ring(16)
    for (let round = 0; round < 40; round++) {
      let pushed = 0
      while (push(i32, 0, pushed)) pushed++
      expect(pushed).toBeGreaterThanOrEqual(16 - RELEASE_BATCH + 1)
      expect(pushed).toBeLessThanOrEqual(16)
      for (let value = 0; value < pushed; value++) expect(poll(i32)).toEqual({ producer: 0, value })
      expect(poll(i32)).toBeUndefined()
    }
  })

  test('keeps its order where positions wrap', () => {
    const i32 = ring(16, -24)
    for (let value = 0; value < 100; value++) {
      expect(push(i32, 1, value)).toBe(true)
      expect(poll(i32)).toEqual({ producer: 1, value })
      expect(poll(i32)).toBeUndefined()
    }
  })

  test('is not taken for full by a producer whose guess has become too low', () => {
    for (let rounds = 1; rounds < 40; rounds++) {
      const i32 = ring(16)
      // While the first looks, another fills the ring again and again, and all is polled.
      let interrupted = false
      const interrupt = (): void => {
        if (interrupted) return
        interrupted = true
        for (let value = 0; value < rounds; value++) {
          expect(push(i32, 1, value)).toBe(true)
          expect(poll(i32)).toEqual({ producer: 1, value })
        }
      }
      expect(withInterruptions(interrupt, () => push(i32, 0, 7))).toBe(true)
      expect(poll(i32)).toEqual({ producer: 0, value: 7 })
    }
  })

  test('loses, doubles and reorders nothing under nested interleavings', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 400 }), fc.nat(40), (choices, start) => {
        const i32 = ring(16, -start)
        const sent = [0, 0, 0]
        const accepted: number[][] = [[], [], []]
        const polled: number[][] = [[], [], []]
        const held = (): number => accepted.flat().length - polled.flat().length
        // A producer is one thread: it does not interrupt itself.
        const inside = [false, false, false, false]
        const alone = (thread: number, operation: () => void) => () => {
          if (inside[thread]) return
          inside[thread] = true
          operation()
          inside[thread] = false
        }
        const produce = (producer: number) =>
          alone(producer, () => {
            const value = sent[producer]!++
            if (push(i32, producer, value)) accepted[producer]!.push(value)
            else expect(held()).toBeGreaterThan(16 - RELEASE_BATCH - 3)
          })
        const consume = alone(3, () => {
          const completion = poll(i32)
          if (completion !== undefined) polled[completion.producer]!.push(completion.value)
        })
        const operations = [produce(0), produce(1), produce(2), consume]
        const { interrupt } = new Interrupter(choices, operations)
        withInterruptions(interrupt, () => {
          for (let turn = 0; turn < 80; turn++) operations[turn % 4]!()
        })
        for (let completion = poll(i32); completion !== undefined; completion = poll(i32)) {
          polled[completion.producer]!.push(completion.value)
        }
        expect(polled).toEqual(accepted)
      }),
    )
  })
})
