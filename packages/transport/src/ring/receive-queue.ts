import {
  RECEIVE_ENTRY_BYTES,
  RECEIVE_LIMIT,
  RECEIVE_MASK,
  RECEIVE_POSTED,
} from '../wire/receive-ring.js'
import {
  RECEIVE_RING_BYTES,
  RECEIVE_SEGMENTS,
  RECEIVE_SEGMENT_COUNT,
} from '../wire/receive-ring.js'
import { RECEIVE_TAKEN, RECEIVE_TAKEN_SEEN } from '../wire/receive-ring.js'
import { SEGMENT_BYTES } from '../wire/work-queue-entry.js'

/**
 * The ring of posted receives: its owner posts, any thread that delivers a message takes. Both
 * indices count receives since creation, modulo 2^32, and
 *
 * ```
 *   taken <= posted <= taken + capacity
 *
 *         taken        posted                  wrapped:   posted      taken
 *           v             v                                  v          v
 *   | free  | r5 | r6 | r7 | free |            | r9 | r10    | free     | r7 | r8 |
 * ```
 *
 * | word | written by |
 * | --- | --- |
 * | posted, entries, taken as last seen | owner |
 * | taken | takers, by compare-and-exchange |
 *
 * The ordering argument stands at the end of this file.
 */

/** Words of the longest entry that a taker copies out: 16 segments. */
export const TAKEN_WORDS = (RECEIVE_SEGMENTS + 16 * SEGMENT_BYTES) >> 2

/** Address of the entry that `publishReceive` will publish, 0 when the ring is full. The owner. */
export function nextReceiveEntry(i32: Int32Array, ring: number): number {
  const posted = i32[(ring + RECEIVE_POSTED) >>> 2]!
  const mask = i32[(ring + RECEIVE_MASK) >>> 2]!
  const room = posted - i32[(ring + RECEIVE_TAKEN_SEEN) >>> 2]!
  if (room >>> 0 > mask && !hasRoomNow(i32, ring, posted, mask)) return 0
  return entryAt(i32, ring, posted, mask)
}

/** Looks at `taken` again, and remembers it. */
function hasRoomNow(i32: Int32Array, ring: number, posted: number, mask: number): boolean {
  const taken = Atomics.load(i32, (ring + RECEIVE_TAKEN) >>> 2) // before entries are overwritten
  i32[(ring + RECEIVE_TAKEN_SEEN) >>> 2] = taken
  return (posted - taken) >>> 0 <= mask
}

/** Makes the entry written at `nextReceiveEntry` available. */
export function publishReceive(i32: Int32Array, ring: number): void {
  const index = (ring + RECEIVE_POSTED) >>> 2
  Atomics.store(i32, index, (i32[index]! + 1) | 0) // after the entry's plain writes
}

/** No receive was there. */
export const NOT_TAKEN = 0
/** A receive was taken. */
export const TAKEN = 1
/** A receive was taken, and fewer are left than the armed limit. */
export const TAKEN_AT_LIMIT = 2

/**
 * Takes the oldest receive and copies its words to `into`; `NOT_TAKEN`, which is 0, when there is
 * none. Any thread.
 */
export function takeReceive(i32: Int32Array, ring: number, into: Uint32Array): number {
  const takenIndex = (ring + RECEIVE_TAKEN) >>> 2
  const mask = i32[(ring + RECEIVE_MASK) >>> 2]!
  const limit = i32[(ring + RECEIVE_LIMIT) >>> 2]! // 0 unless armed: then only the last look matters
  let taken = i32[takenIndex]! // plain: a guess, never too high, which the exchange confirms
  for (;;) {
    const posted = Atomics.load(i32, (ring + RECEIVE_POSTED) >>> 2) // before the entry is read
    if (taken === posted) return NOT_TAKEN
    copyEntry(i32, entryAt(i32, ring, taken, mask) >>> 2, into)
    // Whoever moves `taken` owns the receive; the copy made before is then known to be whole.
    const seen = Atomics.compareExchange(i32, takenIndex, taken, (taken + 1) | 0)
    if (seen === taken) return (posted - taken) >>> 0 > limit ? TAKEN : TAKEN_AT_LIMIT
    taken = seen
  }
}

/**
 * Copies the oldest receive to `into` and leaves it there; false when there is none. Only where no
 * other thread takes.
 */
export function peekReceive(i32: Int32Array, ring: number, into: Uint32Array): boolean {
  const taken = i32[(ring + RECEIVE_TAKEN) >>> 2]!
  const mask = i32[(ring + RECEIVE_MASK) >>> 2]!
  if (taken === Atomics.load(i32, (ring + RECEIVE_POSTED) >>> 2)) return false // before the entry is read
  copyEntry(i32, entryAt(i32, ring, taken, mask) >>> 2, into)
  return true
}

/** Whether a receive is there to be taken, at this moment. */
export function hasReceive(i32: Int32Array, ring: number): boolean {
  const taken = Atomics.load(i32, (ring + RECEIVE_TAKEN) >>> 2) // both as others see them
  return taken !== Atomics.load(i32, (ring + RECEIVE_POSTED) >>> 2) // the same
}

/** Receives there to be taken, at this moment. */
export function receiveCount(i32: Int32Array, ring: number): number {
  const taken = Atomics.load(i32, (ring + RECEIVE_TAKEN) >>> 2) // first: the difference is never negative
  return (Atomics.load(i32, (ring + RECEIVE_POSTED) >>> 2) - taken) >>> 0 // as others see it
}

function entryAt(i32: Int32Array, ring: number, place: number, mask: number): number {
  const entryBytes = i32[(ring + RECEIVE_ENTRY_BYTES) >>> 2]!
  return (ring + RECEIVE_RING_BYTES + (place & mask) * entryBytes) >>> 0
}

function copyEntry(i32: Int32Array, entry: number, into: Uint32Array): void {
  into[0] = i32[entry]!
  const segments = i32[entry + (RECEIVE_SEGMENT_COUNT >> 2)]!
  into[1] = segments
  into[2] = i32[entry + 2]!
  into[4] = i32[entry + 4]!
  into[5] = i32[entry + 5]!
  into[6] = i32[entry + 6]!
  if (segments > 1) copyFurtherSegments(i32, entry, into, segments)
}

function copyFurtherSegments(i32: Int32Array, entry: number, into: Uint32Array, segments: number) {
  // A count that is being overwritten may be anything; the exchange will then fail.
  const words = Math.min(
    ((RECEIVE_SEGMENTS >> 2) + segments * (SEGMENT_BYTES >> 2)) >>> 0,
    TAKEN_WORDS,
  )
  for (let word = 8; word < words; word++) into[word] = i32[entry + word]!
}

/*
 * Ordering.
 * 1. The owner writes an entry, then stores `posted`. A taker loads `posted` and sees its receive
 *    counted before it reads the entry, so it reads what was written, or something later (2).
 * 2. The owner overwrites the entry of place t only after it loaded a `taken` beyond t. If a taker's
 *    exchange of t succeeds, `taken` was t until then, so the overwriting comes after the exchange
 *    and the taker's reads before it: the copy is whole. If it fails, the copy is thrown away.
 * 3. Each receive is taken once, in the order of posting, because `taken` moves by one, and by one
 *    thread each time.
 * 4. Both indices come round after 2^32 receives; a taker would have to sleep between its load and
 *    its exchange for exactly that many.
 */
