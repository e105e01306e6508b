import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  hasReceive,
  nextReceiveEntry,
  peekReceive,
  publishReceive,
  receiveCount,
  takeReceive,
  TAKEN_WORDS,
} from '../../src/ring/receive-queue.js'
import {
  RECEIVE_ENTRY_BYTES,
  RECEIVE_LIMIT,
  RECEIVE_MASK,
  RECEIVE_POSTED,
  RECEIVE_RING_BYTES,
  RECEIVE_SEGMENT_COUNT,
  RECEIVE_SEGMENTS,
  RECEIVE_TAKEN,
  RECEIVE_TAKEN_SEEN,
} from '../../src/wire/receive-ring.js'
import { SEGMENT_BYTES } from '../../src/wire/work-queue-entry.js'
import { Interrupter, withInterruptions } from './interruption.js'

const RING = 64
const SEGMENTS = 3

function ring(capacity: number, start = 0): Int32Array {
  const entryBytes = RECEIVE_SEGMENTS + SEGMENTS * SEGMENT_BYTES
  const bytes = RING + RECEIVE_RING_BYTES + capacity * entryBytes
  const i32 = new Int32Array(new SharedArrayBuffer(bytes))
  i32[(RING + RECEIVE_MASK) >> 2] = capacity - 1
  i32[(RING + RECEIVE_ENTRY_BYTES) >> 2] = entryBytes
  for (const word of [RECEIVE_POSTED, RECEIVE_TAKEN, RECEIVE_TAKEN_SEEN]) {
    i32[(RING + word) >> 2] = start
  }
  return i32
}

/** Posts a receive all of whose words say which one it is. */
function post(i32: Int32Array, id: number): boolean {
  const entry = nextReceiveEntry(i32, RING)
  if (entry === 0) return false
  i32[entry >> 2] = id
  i32[(entry + RECEIVE_SEGMENT_COUNT) >> 2] = 1 + (id % SEGMENTS)
  for (let word = 0; word < SEGMENTS * 4; word++)
    i32[(entry + RECEIVE_SEGMENTS + word * 4) >> 2] = id
  publishReceive(i32, RING)
  return true
}

/** Takes a receive and checks that it is whole. */
function take(i32: Int32Array): number | undefined {
  const words = new Uint32Array(TAKEN_WORDS)
  if (!takeReceive(i32, RING, words)) return undefined
  const [id, segments] = words as unknown as [number, number]
  expect(segments).toBe(1 + (id % SEGMENTS))
  for (let segment = 0; segment < segments; segment++) {
    for (let word = 0; word < 3; word++) expect(words[4 + segment * 4 + word]).toBe(id)
  }
  return id
}

describe('receive queue', () => {
  test('holds its capacity and gives receives in order, also where indices wrap', () => {
    const i32 = ring(8, -20)
    let taken = 0
    for (let id = 0; id < 60;) {
      while (post(i32, id)) id++
      expect(receiveCount(i32, RING)).toBe(8)
      for (let count = 0; count < 5; count++) expect(take(i32)).toBe(taken++)
    }
    while (hasReceive(i32, RING)) expect(take(i32)).toBe(taken++)
    expect(take(i32)).toBeUndefined()
  })

  test('gives each receive once and whole under nested interleavings', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 200 }), fc.nat(20), (choices, start) => {
        const i32 = ring(4, -start)
        const posted: number[] = []
        const taken: number[] = []
        let posting = false
        const poster = (): void => {
          if (posting) return
          posting = true
          if (post(i32, posted.length)) posted.push(posted.length)
          posting = false
        }
        const taker = (): void => {
          const id = take(i32)
          if (id !== undefined) taken.push(id)
        }
        const operations = [poster, taker, poster, taker]
        const { interrupt } = new Interrupter(choices, operations)
        withInterruptions(interrupt, () => {
          for (let turn = 0; turn < 30; turn++) operations[turn % 2]!()
        })
        for (let id = take(i32); id !== undefined; id = take(i32)) taken.push(id)
        expect(taken.sort((left, right) => left - right)).toEqual(posted)
      }),
    )
  })

  test('tells of a limit once it is passed, whoever takes, under nested interleavings', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(3), { maxLength: 100 }),
        fc.integer({ min: 1, max: 7 }),
        (choices, limit) => {
          const i32 = ring(8)
          for (let id = 0; id < 8; id++) post(i32, id)
          i32[(RING + RECEIVE_LIMIT) >> 2] = limit
          const words = new Uint32Array(TAKEN_WORDS)
          let events = 0
          let taken = 0
          const taker = (): void => {
            const outcome = takeReceive(i32, RING, words)
            if (outcome !== 0) taken++
            // As hca/receiver-not-ready.ts does it: whoever finds the limit armed raises the event.
            if (outcome === 2 && Atomics.exchange(i32, (RING + RECEIVE_LIMIT) >> 2, 0) !== 0)
              events++
          }
          const { interrupt } = new Interrupter(choices, [taker, taker, taker])
          withInterruptions(interrupt, () => {
            for (let turn = 0; turn < 8; turn++) if (8 - taken >= limit) taker()
          })
          expect(events).toBe(1)
        },
      ),
    )
  })

  test('shows the oldest receive and leaves it', () => {
    const i32 = ring(8)
    const words = new Uint32Array(TAKEN_WORDS)
    expect(peekReceive(i32, RING, words)).toBe(false)
    post(i32, 7)
    expect(peekReceive(i32, RING, words)).toBe(true)
    expect(words[0]).toBe(7)
    expect(take(i32)).toBe(7)
  })
})
