import { CQ_BYTES, CQ_CLAIMED, CQ_MASK, CQ_POLLED, CQE_BYTES } from '../wire/completion-queue.js'
import { CQE_CONTROL, CQE_IMMEDIATE, CQE_LENGTH, CQE_NUMBER } from '../wire/completion-queue.js'
import { CQE_ORIGIN, CQE_QUEUE_PAIR, CQE_REQUEST_ID, CQE_TURN } from '../wire/completion-queue.js'

/**
 * The completion queue's ring: many threads push (the responder's half runs in posting threads), one
 * polls. Positions count entries since creation, modulo 2^32; the entry of position p is p & mask,
 * its lap is p / capacity, and its turn says
 *
 * ```
 *   2 * lap      free for the producer that claims it in this lap
 *   2 * lap + 1  complete, for the consumer
 *
 *            polled            claimed
 *              v                  v
 *   | lap 4: 8 | 7 | 6* | 7 | 7 | lap 3: 6 | 6 |     capacity 7 for the drawing; * claimed, being written
 *
 *   wrapped:      claimed        polled
 *                    v              v
 *   | 9 | 9 | 8* | 9 | lap 4: 8 | 8 | 7 | 7 | 7 |
 * ```
 *
 * | word | written by |
 * | --- | --- |
 * | claimed | producers, by compare-and-exchange |
 * | polled | consumer |
 * | turn and fields of an entry | the producer that claimed it, until its turn is odd; then the consumer |
 *
 * The ordering argument stands at the end of this file.
 */

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
  const position = claim(i32, cq)
  if (position < 0) return false
  const mask = i32[(cq + CQ_MASK) >>> 2]!
  const entry = (cq + CQ_BYTES + (position & mask) * CQE_BYTES) >>> 2
  i32[entry + (CQE_REQUEST_ID >> 2)] = requestId
  i32[entry + (CQE_CONTROL >> 2)] = control
  i32[entry + (CQE_LENGTH >> 2)] = bytes
  i32[entry + (CQE_IMMEDIATE >> 2)] = immediate
  i32[entry + (CQE_QUEUE_PAIR >> 2)] = queuePair
  i32[entry + (CQE_NUMBER >> 2)] = number
  i32[entry + (CQE_ORIGIN >> 2)] = origin
  Atomics.store(i32, entry + (CQE_TURN >> 2), freeTurn(position, mask) + 1) // publishes fields and payload
  return true
}

/** Claims a position for writing: its number, or -1 when the ring is full. */
function claim(i32: Int32Array, cq: number): number {
  const mask = i32[(cq + CQ_MASK) >>> 2]!
  const claimed = (cq + CQ_CLAIMED) >>> 2
  let position = i32[claimed]! // plain: a guess, which the exchange confirms
  for (;;) {
    const entry = (cq + CQ_BYTES + (position & mask) * CQE_BYTES + CQE_TURN) >>> 2
    const turn = Atomics.load(i32, entry) // synchronises with the consumer's release
    let seen: number
    if (turn === freeTurn(position, mask)) {
      // Only one producer moves `claimed` past this position.
      seen = Atomics.compareExchange(i32, claimed, position, (position + 1) | 0)
      if (seen === position) return position >>> 0
    } else {
      seen = Atomics.load(i32, claimed) // after the turn: has anybody claimed it meanwhile?
      if (seen === position) return -1 // nobody, so its turn is still that of the lap before
    }
    position = seen
  }
}

/** Address of the oldest completion, 0 when there is none. The owner's thread. */
export function peekCompletion(i32: Int32Array, cq: number): number {
  const position = i32[(cq + CQ_POLLED) >>> 2]! // plain: the consumer reads its own word
  return completionAt(i32, cq, position)
}

/** Address of the completion at `position`, 0 when there is none yet. The owner's thread. */
export function completionAt(i32: Int32Array, cq: number, position: number): number {
  const mask = i32[(cq + CQ_MASK) >>> 2]!
  const entry = (cq + CQ_BYTES + (position & mask) * CQE_BYTES) >>> 0
  const turn = Atomics.load(i32, entry >>> 2) // before the plain reads of the fields
  return turn === freeTurn(position, mask) + 1 ? entry : 0
}

/** Gives back the entry that `peekCompletion` returned. Its fields have been read. */
export function releaseCompletion(i32: Int32Array, cq: number): void {
  const index = (cq + CQ_POLLED) >>> 2
  const position = i32[index]!
  const mask = i32[(cq + CQ_MASK) >>> 2]!
  const entry = (cq + CQ_BYTES + (position & mask) * CQE_BYTES + CQE_TURN) >>> 2
  Atomics.store(i32, entry, freeTurn((position + mask + 1) | 0, mask)) // after the reads of the fields
  i32[index] = (position + 1) | 0
}

/** Turn that says "free" for a position: twice its lap. */
function freeTurn(position: number, mask: number): number {
  return ((position >>> (32 - Math.clz32(mask))) << 1) | 0
}

/*
 * Ordering.
 * 1. A producer writes an entry only after it moved `claimed` from the entry's position; no two do
 *    that for one position. It saw the turn "free in this lap" before, and only the producer of this
 *    position and then the consumer change that turn, so it is still free after the exchange.
 * 2. The turn was made free by the consumer's store after its reads of the lap before: the loads of
 *    that turn and the plain writes after it come later. Nothing unread is overwritten.
 * 3. The store of the odd turn follows the plain writes of the fields, and the writes of the message
 *    into memory. The consumer loads the turn before it reads either. So a polled completion means
 *    the data are visible, as the verbs promise.
 * 4. Completions that one thread pushes to one queue are claimed in that order and polled in the
 *    order of their positions; an entry claimed but not complete holds up the ones behind it.
 * 5. Full is decided by a turn of the lap before, with `claimed` unchanged around that look: at the
 *    look all entries up to `claimed` were claimed and the oldest had not been released.
 * 6. A position of 32 bits comes round after 2^32 completions; a producer would have to sleep in
 *    `claim` for all of them to mistake one for the other. Capacity is at least 2, so that the
 *    turns of two laps in a row differ whatever the wrap.
 */
