import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import {
  DOORBELL_BYTES,
  doorbellCount,
  markAsleep,
  markAwake,
  WorldMemory,
} from '@commworld/transport'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  MESSAGE_HEADER_BYTES,
  messageRingBytes,
  messageRingPayloadMax,
  MessageRingReceiver,
  MessageRingSender,
} from '../../src/ring/message-ring.js'

const memory = WorldMemory.create({ bytes: 2 ** 20 })

interface Message {
  head: number
  words: number[]
  payload: Uint8Array
}

/** Both ends of a new ring, and a model of what is in it. */
class Pair {
  readonly doorbell = memory.heap.allocate(DOORBELL_BYTES)
  readonly senderDoorbell = memory.heap.allocate(DOORBELL_BYTES)
  readonly #address: number
  readonly #source = memory.heap.allocate(2 ** 16)
  readonly #sender: MessageRingSender
  readonly #receiver: MessageRingReceiver
  readonly inRing: Message[] = []
  #sent = 0

  constructor(lines: number) {
    this.#address = memory.heap.allocate(messageRingBytes(lines))
    this.#sender = new MessageRingSender(memory, this.#address, lines, this.doorbell)
    this.#receiver = new MessageRingReceiver(memory, this.#address, lines, this.senderDoorbell)
  }

  /** @returns whether there was room, and then whether the receiver must be woken */
  send(bytes: number, inPlace: boolean): { sent: boolean; wake: boolean } {
    const at = this.#sender.reserve(bytes)
    if (at === 0) return { sent: false, wake: false }
    const id = ++this.#sent
    const payload = Uint8Array.from({ length: bytes }, (_, index) => id * 31 + index)
    const words = Array.from({ length: 7 }, (_, word) => (id * 7919 + word * 104729) | 0)
    const message = { head: id % 5 === 0 ? -2 : id, words, payload }
    if (inPlace) memory.u8.set(payload, at + MESSAGE_HEADER_BYTES)
    else memory.u8.set(payload, this.#source)
    const [a, b, c, d, e, f, g] = words as [number, number, number, number, number, number, number]
    const from = inPlace ? 0 : this.#source
    const wake = this.#sender.publish(message.head, a, b, c, d, e, f, g, from, bytes)
    this.inRing.push(message)
    return { sent: true, wake }
  }

  /** Takes the oldest message and compares it with the model. @returns whether there was one */
  receive(): boolean {
    const at = this.#receiver.poll()
    const expected = this.inRing.shift()
    if (expected === undefined) {
      expect(at).toBe(0)
      return false
    }
    const { head, words, payload } = expected
    const header = memory.i32.subarray(at >>> 2, (at + MESSAGE_HEADER_BYTES) >>> 2)
    const from = at + MESSAGE_HEADER_BYTES
    const same =
      header.join() === [head, ...words].join() &&
      Buffer.compare(memory.u8.subarray(from, from + payload.length), payload) === 0
    if (!same) expect.fail(`message ${head}: ${header.join()} and ${payload.length} bytes`)
    expect(this.#receiver.poll(), 'a second look sees the same').toBe(at)
    this.#receiver.release(payload.length)
    return true
  }

  free(): void {
    for (const address of [this.doorbell, this.senderDoorbell, this.#address, this.#source])
      memory.heap.free(address)
  }
}

test('MessageRing gives messages of any sizes in order, over wraps and a full ring', () => {
  const steps = fc.oneof(
    fc.record({
      size: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.01, 1)),
      inPlace: fc.boolean(),
    }),
    fc.record({ receive: fc.constantFrom(1, 2, 100) }),
  )
  let wraps = 0
  let refusals = 0
  fc.assert(
    fc.property(
      fc.constantFrom(8, 16, 32),
      fc.array(steps, { maxLength: 300, size: 'max' }),
      (lines, program) => {
        const pair = new Pair(lines)
        let sentLines = 0
        for (const step of program) {
          if ('receive' in step) {
            for (let i = 0; i < step.receive && pair.receive(); i++);
          } else {
            const bytes = Math.round(step.size * messageRingPayloadMax(lines))
            if (pair.send(bytes, step.inPlace).sent) sentLines += 1 + (bytes >> 6)
            else refusals++
          }
        }
        while (pair.receive());
        wraps += sentLines > lines ? 1 : 0
        pair.free()
      },
    ),
    { numRuns: 60 },
  )
  expect(wraps, 'rings were gone around').toBeGreaterThan(0)
  expect(refusals, 'rings were full').toBeGreaterThan(0)
})

test('MessageRing has room for the longest message once all have been taken, wherever it stands', () => {
  for (const lines of [8, 16]) {
    for (let position = 0; position < 2 * lines; position++) {
      const pair = new Pair(lines)
      for (let i = 0; i < position; i++) {
        expect(pair.send(0, false).sent).toBe(true)
        pair.receive()
      }
      expect(pair.send(messageRingPayloadMax(lines), true).sent).toBe(true)
      expect(pair.receive()).toBe(true)
      pair.free()
    }
  }
})

test('publish says that the receiver sleeps only while it has said so', () => {
  const pair = new Pair(16)
  expect(pair.send(8, true)).toEqual({ sent: true, wake: false })
  markAsleep(memory.i32, pair.doorbell)
  expect(pair.send(8, true)).toEqual({ sent: true, wake: true })
  markAwake(memory.i32, pair.doorbell)
  expect(pair.send(8, true)).toEqual({ sent: true, wake: false })
  pair.free()
})

test('MessageRing rings a sender that sleeps for want of room, and no other', () => {
  const pair = new Pair(16)
  const rung = (): number => doorbellCount(memory.i32, pair.senderDoorbell)
  const fillUp = (): void => {
    while (pair.send(0, true).sent);
  }
  markAsleep(memory.i32, pair.senderDoorbell)
  for (let i = 0; i < 40; i++) {
    pair.send(0, true)
    pair.receive()
  }
  expect(rung(), 'it never wanted room').toBe(0)
  fillUp()
  while (pair.receive());
  expect(rung(), 'it wanted room once').toBe(1)
  fillUp()
  markAwake(memory.i32, pair.senderDoorbell)
  while (pair.receive());
  expect(rung(), 'it was awake').toBe(1)
  markAsleep(memory.i32, pair.senderDoorbell)
  fillUp()
  for (let i = 0; i < 4; i++) pair.receive()
  expect(rung(), 'there is room for some').toBe(2)
  fillUp()
  while (pair.receive());
  expect(rung(), 'and again').toBe(3)
  pair.free()
})

test('MessageRing carries messages between threads that run at the same time', async () => {
  const lines = 64
  const shared = WorldMemory.create({ bytes: 2 ** 20 })
  const facts = {
    shared: shared.shared,
    ring: shared.heap.allocate(messageRingBytes(lines)),
    doorbells: [DOORBELL_BYTES, DOORBELL_BYTES].map((bytes) => shared.heap.allocate(bytes)),
    lines,
    messages: 30_000,
  }
  const threads = ['sender', 'receiver'].map(
    (role) =>
      new Worker(new URL('./message-ring-worker.mjs', import.meta.url), {
        workerData: { ...facts, role },
      }),
  )
  try {
    const done = await Promise.all(threads.map(async (thread) => await once(thread, 'message')))
    expect(done).toEqual([[facts.messages], [facts.messages]])
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
})
