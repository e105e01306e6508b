import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  advanceSend,
  hasSendRoom,
  hasSendWork,
  nextSendEntry,
  publishSend,
  retireSends,
  sendEntryAt,
  sendRoom,
  sendsDone,
} from '../../src/ring/work-queue.js'
import {
  QP_BYTES,
  QP_SEND_DONE,
  QP_SEND_ENTRIES,
  QP_SEND_ENTRY_SHIFT,
  QP_SEND_MASK,
  QP_SEND_POSTED,
  QP_SEND_RETIRED,
} from '../../src/wire/queue-pair.js'

const QP = 64
const CAPACITY = 4

function queue(start: number): Int32Array {
  const i32 = new Int32Array(new SharedArrayBuffer(QP + QP_BYTES + CAPACITY * 64))
  i32[(QP + QP_SEND_ENTRIES) >> 2] = QP + QP_BYTES
  i32[(QP + QP_SEND_ENTRY_SHIFT) >> 2] = 6
  i32[(QP + QP_SEND_MASK) >> 2] = CAPACITY - 1
  for (const word of [QP_SEND_POSTED, QP_SEND_DONE, QP_SEND_RETIRED]) i32[(QP + word) >> 2] = start
  return i32
}

describe('work queue', () => {
  test('behaves as a list of which the front is free only when retired', () => {
    const commands = fc.array(fc.constantFrom('post', 'drive', 'retire'), { maxLength: 100 })
    fc.assert(
      fc.property(commands, fc.nat(10), (sequence, start) => {
        const i32 = queue(-start)
        const model = { waiting: [] as number[], done: [] as { value: number; place: number }[] }
        let value = 0
        for (const command of sequence) {
          const used = model.waiting.length + model.done.length
          expect(hasSendRoom(i32, QP)).toBe(used < CAPACITY)
          expect(sendRoom(i32, QP)).toBe(CAPACITY - used)
          expect(hasSendWork(i32, QP)).toBe(model.waiting.length > 0)
          if (command === 'post' && used < CAPACITY) {
            i32[nextSendEntry(i32, QP) >> 2] = ++value
            publishSend(i32, QP)
            model.waiting.push(value)
          } else if (command === 'drive' && model.waiting.length > 0) {
            const place = sendsDone(i32, QP)
            const next = model.waiting.shift()!
            expect(i32[sendEntryAt(i32, QP, place) >> 2]).toBe(next)
            advanceSend(i32, QP)
            model.done.push({ value: next, place })
          } else if (command === 'retire' && model.done.length > 0) {
            retireSends(i32, QP, model.done.at(-1)!.place)
            model.done = []
          }
        }
      }),
    )
  })
})
