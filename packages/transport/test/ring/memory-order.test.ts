import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { passCompletion, peekCompletion, pushCompletion } from '../../src/ring/completion-ring.js'
import { doorbellCount, markAsleep, markAwake, ringDoorbell } from '../../src/ring/doorbell.js'
import {
  MESSAGE_HEADER_BYTES,
  messageRingBytes,
  messageRingPayloadMax,
  MessageRingReceiver,
  MessageRingSender,
} from '../../src/ring/message-ring.js'
import { hasReady, nextReady, pushReady, takeReady } from '../../src/ring/ready-list.js'
import {
  nextReceiveEntry,
  publishReceive,
  takeReceive,
  TAKEN_WORDS,
} from '../../src/ring/receive-queue.js'
import { addWaiter, hasWaiter, removeWaiter, wakeWaiter } from '../../src/ring/waiter-list.js'
import { CQ_BYTES, CQ_MASK, CQE_BYTES } from '../../src/wire/completion-queue.js'
import { CQE_LENGTH, CQE_REQUEST_ID } from '../../src/wire/completion-queue.js'
import { HCA_BYTES } from '../../src/wire/hca-block.js'
import { QP_BYTES, QP_HCA } from '../../src/wire/queue-pair.js'
import {
  RECEIVE_ENTRY_BYTES,
  RECEIVE_MASK,
  RECEIVE_RING_BYTES,
  RECEIVE_SEGMENT_COUNT,
  RECEIVE_WAIT_LOCK,
} from '../../src/wire/receive-ring.js'
import { Interrupter } from './interruption.js'
import { MemoryOrder } from './memory-order.js'

/** What a scene is made of: a memory, and what each of its threads does again and again. */
interface Scene {
  readonly order: MemoryOrder
  readonly operations: readonly (readonly [thread: number, operation: () => void])[]
  /** Nobody is interrupted now. */
  readonly held?: () => boolean
  /** What must hold when all is done. */
  readonly end?: () => void
}

/** Every thread is interrupted by the others, at every atomic, as drawn. */
function holds(make: () => Scene, numRuns = 60): void {
  const choices = fc.array(fc.oneof(fc.constant(0), fc.nat(9)), { maxLength: 300, size: 'max' })
  fc.assert(
    fc.property(choices, (drawn) => {
      const { order, operations, held, end } = make()
      const inside = new Set<number>()
      const guarded = operations.map(([thread, operation]) => (): void => {
        if (inside.has(thread)) return
        inside.add(thread)
        order.as(thread, operation)
        inside.delete(thread)
      })
      const { interrupt } = new Interrupter(drawn, guarded)
      order.observe(
        () => {
          if (held?.() !== true) interrupt()
        },
        () => {
          for (let turn = 0; turn < 60; turn++) guarded[turn % guarded.length]!()
          end?.()
        },
      )
    }),
    { numRuns },
  )
}

const BASE = 512

function shared(bytes: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(BASE + bytes))
}

function completionRing(): Scene {
  const raw = shared(CQ_BYTES + 16 * CQE_BYTES)
  raw[(BASE + CQ_MASK) >> 2] = 15
  const order = new MemoryOrder(raw, 4)
  const { i32 } = order
  let sent = 0
  const push = (): void => void pushCompletion(i32, BASE, ++sent, 0, sent, 0, 0, 0, 0)
  const poll = (): void => {
    const entry = peekCompletion(i32, BASE)
    if (entry === 0) return
    expect(i32[(entry + CQE_REQUEST_ID) >> 2]).toBe(i32[(entry + CQE_LENGTH) >> 2])
    passCompletion(i32, BASE)
  }
  return {
    order,
    operations: [
      [0, push],
      [3, poll],
      [1, push],
      [3, poll],
      [2, push],
      [3, poll],
    ],
  }
}

function receiveQueue(): Scene {
  const entryBytes = 64
  const raw = shared(RECEIVE_RING_BYTES + 4 * entryBytes)
  raw[(BASE + RECEIVE_MASK) >> 2] = 3
  raw[(BASE + RECEIVE_ENTRY_BYTES) >> 2] = entryBytes
  const order = new MemoryOrder(raw, 3)
  const { i32 } = order
  let posted = 0
  const post = (): void => {
    const entry = nextReceiveEntry(i32, BASE)
    if (entry === 0) return
    i32[entry >> 2] = posted++
    i32[(entry + RECEIVE_SEGMENT_COUNT) >> 2] = 1
    i32[(entry >> 2) + 2] = 64
    for (const word of [4, 5, 6]) i32[(entry >> 2) + word] = posted
    publishReceive(i32, BASE)
  }
  const take = (): void => void takeReceive(i32, BASE, new Uint32Array(TAKEN_WORDS))
  return {
    order,
    operations: [
      [0, post],
      [0, post],
      [1, take],
      [2, take],
    ],
  }
}

function queuePairs(count: number): { raw: Int32Array; at: (index: number) => number } {
  const first = BASE + HCA_BYTES + RECEIVE_RING_BYTES
  const raw = shared(first + count * QP_BYTES)
  for (let index = 0; index < count; index++) raw[(first + index * QP_BYTES + QP_HCA) >> 2] = BASE
  return { raw, at: (index) => first + index * QP_BYTES }
}

function readyList(): Scene {
  const { raw, at } = queuePairs(3)
  const order = new MemoryOrder(raw, 4)
  const { i32 } = order
  const drive = (): void => {
    if (!hasReady(i32, BASE)) return
    for (let one = takeReady(i32, BASE); one !== 0; one = nextReady(i32, one));
  }
  const push = (index: number) => (): void => pushReady(i32, BASE, at(index))
  return {
    order,
    operations: [
      [1, push(0)],
      [2, push(1)],
      [0, drive],
      [3, push(0)],
      [1, push(2)],
    ],
  }
}

function waiterList(): Scene {
  const { raw, at } = queuePairs(3)
  const ring = BASE + HCA_BYTES
  const order = new MemoryOrder(raw, 4)
  const { i32 } = order
  const join = (index: number) => (): void => addWaiter(i32, ring, at(index))
  const wake = (): void => void (hasWaiter(i32, ring) && wakeWaiter(i32, ring))
  return {
    order,
    operations: [
      [1, join(0)],
      [2, join(1)],
      [0, wake],
      [3, join(2)],
      [2, () => removeWaiter(i32, ring, at(1))],
    ],
    held: () => raw[(ring + RECEIVE_WAIT_LOCK) >> 2] !== 0,
  }
}

/** The two operations that are in wasm, on the memory that is watched. */
function kernelsOn(i32: Int32Array) {
  return {
    publish(
      line: number,
      terminator: number,
      later: number,
      mark: number,
      head: number,
      ...rest: readonly number[]
    ): number {
      const [payload, bytes] = rest.slice(7) as [number, number]
      for (let word = 1; word < 8; word++) i32[(line >> 2) + word] = rest[word - 1]!
      const end = payload === 0 ? 0 : bytes
      for (let at = 0; at < end; at += 4) {
        i32[(line + MESSAGE_HEADER_BYTES + at) >> 2] = i32[(payload + at) >> 2]!
      }
      if (terminator !== 0) i32[terminator >> 2] = 0
      Atomics.store(i32, line >> 2, head)
      const asleep = Atomics.load(i32, mark >> 2)
      if (later !== 0) i32[later >> 2] = 0
      return asleep
    },
    acquire: (address: number): number => Atomics.load(i32, address >> 2),
  }
}

/** One that sleeps when it finds nothing to do, as the wait loop does, and is woken by its bell alone. */
class Sleeper {
  readonly #i32: Int32Array
  readonly #bell: number
  #count = 0
  asleep = false

  constructor(i32: Int32Array, bell: number) {
    this.#i32 = i32
    this.#bell = bell
  }

  /** @param work does something, if there is anything. @returns whether it was awake */
  turn(work: () => boolean): boolean {
    if (this.asleep) {
      if (doorbellCount(this.#i32, this.#bell) === this.#count) return false
      this.asleep = false
      markAwake(this.#i32, this.#bell)
    }
    if (work()) return true
    this.#count = doorbellCount(this.#i32, this.#bell)
    markAsleep(this.#i32, this.#bell)
    if (work()) markAwake(this.#i32, this.#bell)
    else this.asleep = true
    return true
  }
}

/** Sizes of messages in turn, from one line to four: they seldom end where the ring does. */
const PAYLOADS = [0, 160, 96, 224, 32]
/** Behind the ring, to be left alone. */
const GUARD_WORDS = 64
const SENDER = 0
const RECEIVER = 1

function messageRing(): Scene {
  const lines = 16
  const raw = shared(messageRingBytes(lines) + GUARD_WORDS * 4)
  const order = new MemoryOrder(raw, 2)
  const { i32 } = order
  const memory = { i32, kernels: kernelsOn(i32) } as unknown as ConstructorParameters<
    typeof MessageRingSender
  >[0]
  const bells = [0, 64]
  const sender = new MessageRingSender(memory, BASE, lines, bells[RECEIVER]!)
  const receiver = new MessageRingReceiver(memory, BASE, lines, bells[SENDER]!)
  const sleepers = bells.map((bell) => new Sleeper(i32, bell))
  let sent = 0
  let received = 0
  const bytesOf = (number: number): number =>
    Math.min(PAYLOADS[number % PAYLOADS.length]!, messageRingPayloadMax(lines))
  const send = (): boolean => {
    const bytes = bytesOf(sent)
    const at = sender.reserve(bytes)
    if (at === 0) return false
    // Every word of the payload, so that a message that stays behind is no terminator.
    for (let word = 0; word < bytes; word += 4) i32[(at + MESSAGE_HEADER_BYTES + word) >> 2] = -9
    sent++
    const wake = sender.publish(sent, sent, 0, 0, 0, 0, 0, 0, 0, bytes)
    if (wake) ringDoorbell(i32, bells[RECEIVER]!)
    return true
  }
  const receive = (): boolean => {
    const before = received
    for (let at = receiver.poll(); at !== 0; at = receiver.poll()) {
      received++
      expect([i32[at >> 2], i32[(at >> 2) + 1]]).toEqual([received, received])
      receiver.release(bytesOf(received - 1))
    }
    return received > before
  }
  const turns = [
    () => void sleepers[SENDER]!.turn(send),
    () => void sleepers[RECEIVER]!.turn(receive),
  ]
  return {
    order,
    operations: [
      [SENDER, turns[0]!],
      [SENDER, turns[0]!],
      [RECEIVER, turns[1]!],
      [SENDER, turns[0]!],
    ],
    end: () => {
      // All that was sent arrives, and there is room again.
      const target = sent + 40
      for (let turn = 0; turn < 200; turn++) {
        order.as(SENDER, turns[0]!)
        order.as(RECEIVER, turns[1]!)
      }
      expect(sent, 'nobody sleeps while there is work').toBeGreaterThanOrEqual(target)
      const guard = raw.subarray(raw.length - GUARD_WORDS)
      expect(guard.every((word) => word === 0)).toBe(true)
    },
  }
}

function doorbell(): Scene {
  const raw = shared(64)
  const order = new MemoryOrder(raw, 2)
  const { i32 } = order
  const inbox = (BASE >> 2) + 4
  const sleeper = new Sleeper(i32, BASE)
  let done = 0
  let given = 0
  const give = (): void => {
    Atomics.store(i32, inbox, ++given)
    ringDoorbell(i32, BASE)
  }
  const look = (): boolean => {
    const seen = Atomics.load(i32, inbox)
    const found = seen !== done
    done = seen
    return found
  }
  const turn = (): void => void sleeper.turn(look)
  return {
    order,
    operations: [
      [0, give],
      [1, turn],
      [1, turn],
    ],
    end: () => {
      for (let again = 0; again < 3; again++) order.as(1, turn)
      expect(done, 'what was given is done').toBe(given)
    },
  }
}

describe('no access is without order, and nobody sleeps beside work:', () => {
  test.each([
    ['completion ring', completionRing],
    ['receive queue', receiveQueue],
    ['ready list', readyList],
    ['waiter list', waiterList],
    ['message ring', messageRing],
    ['doorbell', doorbell],
  ] as const)('%s', (_, scene) => {
    holds(scene)
  })
})

describe('MemoryOrder', () => {
  const run = (program: (order: MemoryOrder) => void): void => {
    const order = new MemoryOrder(new Int32Array(4), 2)
    order.observe(
      () => {},
      () => program(order),
    )
  }

  test('sees a plain flag, and is silent about an atomic one', () => {
    const hand = (publish: (i32: Int32Array) => void) => () =>
      run((order) => {
        order.as(0, () => {
          order.i32[0] = 7
          publish(order.i32)
        })
        order.as(1, () => {
          if (Atomics.load(order.i32, 1) === 1) expect(order.i32[0]).toBe(7)
        })
      })
    hand((i32) => Atomics.store(i32, 1, 1))()
    expect(hand((i32) => void (i32[1] = 1))).toThrow('an atomic load of word 1 by thread 1')
  })

  test('forgets what was read before an exchange that fails', () => {
    run((order) => {
      order.as(0, () => {
        expect(order.i32[0]).toBe(0)
        order.as(1, () => void (order.i32[0] = 1))
        expect(Atomics.compareExchange(order.i32, 1, 5, 6)).toBe(0)
      })
    })
  })

  test('sees a write that a reader may not have passed yet', () => {
    const overwrite = (tell: (i32: Int32Array) => void) => () =>
      run((order) => {
        order.as(0, () => {
          expect(order.i32[0]).toBe(0)
          tell(order.i32)
        })
        order.as(1, () => {
          Atomics.load(order.i32, 1)
          order.i32[0] = 1
        })
      })
    overwrite((i32) => Atomics.store(i32, 1, 1))()
    expect(overwrite(() => {})).toThrow('writes word 0 that thread 0 may still read')
  })
})
