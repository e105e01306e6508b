import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { passCompletion, peekCompletion, pushCompletion } from '../../src/ring/completion-ring.js'
import { CompletionArming } from '../../src/verbs/completion-arming.js'
import {
  COMPLETION_SOLICITED,
  CQ_BYTES,
  CQ_MASK,
  CQE_BYTES,
} from '../../src/wire/completion-queue.js'
import { Interrupter, withInterruptions } from '../ring/interruption.js'

const CQ = 64
const ENTRIES = 64

function ring(): Int32Array {
  const i32 = new Int32Array(new SharedArrayBuffer(CQ + CQ_BYTES + ENTRIES * CQE_BYTES))
  i32[(CQ + CQ_MASK) >> 2] = ENTRIES - 1
  return i32
}

type Action = 'arm' | 'armSolicited' | 'push' | 'pushSolicited' | 'pushError' | 'poll' | 'take'

describe('CompletionArming', () => {
  test('gives one event an arm, for the first completion of its kind after it', () => {
    const action = fc.constantFrom<Action>(
      ...(['arm', 'armSolicited', 'push', 'pushSolicited', 'pushError', 'poll', 'take'] as const),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const i32 = ring()
        const arming = new CompletionArming(i32)
        let armed: 'no' | 'any' | 'solicited' = 'no'
        let due = 0
        const push = (control: number, counts: boolean): void => {
          pushCompletion(i32, CQ, 0, control, 0, 0, 0, 0, 0)
          if (armed === 'any' || (armed === 'solicited' && counts)) {
            due++
            armed = 'no'
          }
        }
        for (const name of actions) {
          if (name === 'arm') armed = 'any'
          if (name === 'armSolicited' && armed === 'no') armed = 'solicited'
          if (name === 'arm' || name === 'armSolicited') arming.arm(CQ, name === 'armSolicited')
          if (name === 'push') push(0, false)
          if (name === 'pushSolicited') push(COMPLETION_SOLICITED << 16, true)
          if (name === 'pushError') push(5, true)
          if (name === 'poll' && peekCompletion(i32, CQ) !== 0) passCompletion(i32, CQ)
          if (name === 'take') {
            expect(arming.take()).toBe(due > 0)
            if (due > 0) due--
          }
        }
        while (due-- > 0) expect(arming.take()).toBe(true)
        expect(arming.take()).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('misses nothing that is pushed while it looks, under nested interleavings', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 80 }), (choices) => {
        const i32 = ring()
        const arming = new CompletionArming(i32)
        let pushed = 0
        let inside = false
        const producer = (): void => {
          if (inside || pushed > 20) return
          inside = true
          pushCompletion(i32, CQ, 0, 0, 0, 0, 0, 0, 0)
          pushed++
          inside = false
        }
        let events = 0
        const { interrupt } = new Interrupter(choices, [producer, producer])
        withInterruptions(interrupt, () => {
          for (let turn = 0; turn < 10; turn++) {
            const before = pushed
            arming.arm(CQ, false)
            const armedAt = pushed
            producer()
            if (arming.take()) events++
            else expect(pushed === armedAt || before === pushed).toBe(true)
          }
        })
        // Whatever is armed now and has been answered since is still due.
        arming.arm(CQ, false)
        producer()
        if (pushed > 0 && !inside) arming.take()
        expect(events).toBeGreaterThan(0)
      }),
    )
  })
})
