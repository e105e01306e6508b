import { CQ_BYTES, CQ_CLAIMED, CQ_MASK, CQ_POLLED, CQ_RELEASED } from '../wire/completion-queue.js'
import { CQE_BYTES, CQE_CONTROL, CQE_IMMEDIATE, CQE_LENGTH } from '../wire/completion-queue.js'
import { CQE_NUMBER, CQE_ORIGIN, CQE_QUEUE_PAIR, CQE_REQUEST_ID } from '../wire/completion-queue.js'
import { CQE_TURN } from '../wire/completion-queue.js'

/**
 * The completion queue's ring: many threads push (the responder's half runs in posting threads), one
 * polls. Positions count entries since creation, modulo 2^32; the entry of position p is p & mask,
 * and
 *
 * ```
 *   released <= polled <= claimed <= released + capacity
 *
 *       released    polled            claimed
 *          v           v                 v
 *   | free | read, not | complete, or *  | free |        * claimed, being written
 *          | given back| being written   |
 *
 *   wrapped:       claimed      released  polled
 *                     v             v       v
 *   | complete or *   | free        | read  | complete |
 * ```
 *
 * An entry's turn is lap + 1 of the position it holds complete (lap = position / capacity), so the
 * turns of a new ring, all 0, say "nothing yet".
 *
 * | word | written by |
 * | --- | --- |
 * | claimed | producers, by compare-and-exchange |
 * | turn and fields of an entry | the producer that claimed it |
 * | polled, released | consumer |
 *
 * The ordering argument stands at the end of this file.
 */

/** The consumer gives entries back this many at a time; a ring is longer than promised by as many. */
export const RELEASE_BATCH = 8

/** Pushes one completion; false when there is no room. Any thread. */
export function pushCompletion(
  i32: Int32Array,
  cq: number,
  requestId: number,
  control: number,
  bytes: number,
  immediate: number,
  queuePair: number,
  number: number,
  origin: number,
): boolean {
  const mask = i32[(cq + CQ_MASK) >>> 2]!
  const position = claim(i32, cq, mask)
  if (position < 0) return false
  const entry = (cq + CQ_BYTES + (position & mask) * CQE_BYTES) >>> 2
  i32[entry + (CQE_REQUEST_ID >> 2)] = requestId
  i32[entry + (CQE_CONTROL >> 2)] = control
  i32[entry + (CQE_LENGTH >> 2)] = bytes
  i32[entry + (CQE_IMMEDIATE >> 2)] = immediate
  i32[entry + (CQE_QUEUE_PAIR >> 2)] = queuePair
  i32[entry + (CQE_NUMBER >> 2)] = number
  i32[entry + (CQE_ORIGIN >> 2)] = origin
  Atomics.store(i32, entry + (CQE_TURN >> 2), turnOf(position, mask)) // publishes fields and payload
  return true
}

/** Claims a position for writing: its number, or -1 when the ring is full. */
function claim(i32: Int32Array, cq: number, mask: number): number {
  const claimed = (cq + CQ_CLAIMED) >>> 2
  let position = i32[claimed]! // plain: a guess, too low at worst, which the accesses below confirm
  for (;;) {
    const released = Atomics.load(i32, (cq + CQ_RELEASED) >>> 2) // before an entry is overwritten
    let seen: number
    if ((position - released) >>> 0 <= mask) {
      // Only one producer moves `claimed` past this position.
      seen = Atomics.compareExchange(i32, claimed, position, (position + 1) | 0)
      if (seen === position) return position >>> 0
    } else {
      seen = Atomics.load(i32, claimed) // after `released`: full, or was the guess too low?
      if (seen === position) return -1
    }
    position = seen
  }
}

/** Address of the oldest completion, 0 when there is none. The owner's thread. */
export function peekCompletion(i32: Int32Array, cq: number): number {
  return completionAt(i32, cq, i32[(cq + CQ_POLLED) >>> 2]!)
}

/** Address of the completion at `position`, 0 when there is none yet. The owner's thread. */
export function completionAt(i32: Int32Array, cq: number, position: number): number {
  const mask = i32[(cq + CQ_MASK) >>> 2]!
  const entry = (cq + CQ_BYTES + (position & mask) * CQE_BYTES) >>> 0
  const turn = turnOf(position, mask)
  if (i32[entry >>> 2] !== turn) return 0 // a plain look, since most find nothing
  Atomics.load(i32, entry >>> 2) // before the plain reads of the fields
  return entry
}

/** Completions claimed and not polled, at this moment. The owner's thread. */
export function completionCount(i32: Int32Array, cq: number): number {
  const claimed = Atomics.load(i32, (cq + CQ_CLAIMED) >>> 2) // moved by producers
  return (claimed - i32[(cq + CQ_POLLED) >>> 2]!) >>> 0
}

/** Passes the entry that `peekCompletion` returned. Its fields have been read. */
export function passCompletion(i32: Int32Array, cq: number): void {
  const polled = (i32[(cq + CQ_POLLED) >>> 2]! + 1) | 0
  i32[(cq + CQ_POLLED) >>> 2] = polled
  // After the reads of the fields; not for each entry, because it costs as much as reading one.
  if ((polled & (RELEASE_BATCH - 1)) === 0) Atomics.store(i32, (cq + CQ_RELEASED) >>> 2, polled)
}

function turnOf(position: number, mask: number): number {
  return (position >>> (32 - Math.clz32(mask))) + 1
}

/*
 * Ordering.
 * 1. A producer writes an entry only after it moved `claimed` from the entry's position; no two do
 *    that for one position.
 * 2. Before that it loaded a `released` that counts the entry's last reader as done. The consumer
 *    stored `released` after its reads. So nothing unread is overwritten.
 * 3. The guess at `claimed` may be too low, even below `released`. Then the exchange, or the load in
 *    its place, gives a later value and the attempt is repeated. "Full" is said only of a position
 *    that was `claimed` before and after the load of `released`, so that both belong to one moment;
 *    at most `RELEASE_BATCH` - 1 of the entries counted then have been polled.
 * 4. The store of the turn follows the plain writes of the fields, and the writes of the message into
 *    memory. The consumer loads the turn before it reads either. So a polled completion means that
 *    the data are visible, as the verbs promise.
 * 5. Completions that one thread pushes to one queue are claimed in that order and polled in the
 *    order of their positions; an entry claimed but not complete holds up the ones behind it.
 * 6. Positions come round after 2^32 completions, laps with them; a producer would have to sleep
 *    between its load and its exchange for exactly that many.
 */
