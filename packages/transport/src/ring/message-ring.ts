/**
 * A ring of messages between one sender and one receiver, polled by the receiver: the RDMA-write
 * fast path of MVAPICH2 (Liu, Wu, Panda, ICS 2003) with cache lines in place of fixed buffers.
 *
 * ```
 *   address                    +64                                            +64 + 64 * lines
 *   | counters |  line 0  |  line 1  |  line 2  | ...                        |
 *                ^ head word: 0 = nothing yet, else the message's type and flags
 *
 *   A message takes as many whole lines as its header (32 bytes) and payload need, never wrapped:
 *
 *   |  ...  | message a (1 line) | message b (3 lines)        | 0 |  free ...  |
 *           ^ receiver polls this head word                     ^ terminator, written before b's head
 *
 *   Where a message does not fit before the end, a SKIP head sends the receiver to line 0:
 *
 *   | message z | 0 |  free  ...            | message y | SKIP | unused ... end |
 * ```
 *
 * | word | written by |
 * | --- | --- |
 * | consumed (+0: lines taken so far, wraps at 2^32) | receiver |
 * | wanted (+4: not 0 while the sender waits for room) | sender sets it, receiver clears it |
 * | head words, headers, payloads | sender |
 *
 * The ordering argument stands at the end of this file.
 */

import type { RingKernels } from '../memory/kernels.js'
import { ringDoorbell } from './doorbell.js'

/** What both ends work on. */
export interface RingMemory {
  readonly i32: Int32Array
  readonly kernels: RingKernels
}

const LINE_BYTES = 64
const LINE_SHIFT = 6
/** Bytes of a message before its payload. */
export const MESSAGE_HEADER_BYTES = 32
/** Head word that sends the receiver back to the ring's first line. */
const SKIP = -1

/** Bytes that a ring of `lines` lines takes. */
export function messageRingBytes(lines: number): number {
  return LINE_BYTES + lines * LINE_BYTES
}

/** The longest payload that a ring of `lines` lines takes: a quarter of it, so that it never jams. */
export function messageRingPayloadMax(lines: number): number {
  return (lines >>> 2) * LINE_BYTES - MESSAGE_HEADER_BYTES
}

/** The sending end. `lines` is a power of two; the memory is zeroed when the ring is new. */
export class MessageRingSender {
  readonly #i32: Int32Array
  readonly #kernels: RingKernels
  /** Word of the receiver's doorbell that says whether it sleeps. */
  readonly #mark: number
  readonly #consumedIndex: number
  readonly #firstLine: number
  readonly #lines: number
  /** Lines written so far, modulo 2^32. */
  #produced = 0
  /** A line, counted likewise, whose head is 0 already. */
  #ended = 0
  /** The receiver's count as last seen. */
  #consumed = 0
  #reservedLines = 0

  /**
   * @param address of the ring
   * @param lines its length, a power of two
   * @param doorbell address of the receiver's doorbell
   */
  constructor(memory: RingMemory, address: number, lines: number, doorbell: number) {
    this.#i32 = memory.i32
    this.#kernels = memory.kernels
    this.#mark = doorbell + 4
    this.#consumedIndex = address >>> 2
    this.#firstLine = (address >>> 0) + LINE_BYTES
    this.#lines = lines
  }

  /**
   * Address at which to write the next message, or 0 when the ring has no room for it now; the
   * receiver then rings the sender's doorbell when it has made some.
   * Precondition: `payloadBytes` is at most `messageRingPayloadMax(lines)`.
   */
  reserve(payloadBytes: number): number {
    const lines = (MESSAGE_HEADER_BYTES + payloadBytes + LINE_BYTES - 1) >>> LINE_SHIFT
    const position = this.#produced & (this.#lines - 1)
    // Up to the end of the ring, and one line more for the terminator.
    const skipped = position + lines > this.#lines ? this.#lines - position : 0
    if (!this.#hasRoom(skipped + lines + 1)) return 0
    this.#reservedLines = lines
    if (skipped !== 0) this.#skipToStart(position, skipped)
    return this.#addressOf(this.#produced)
  }

  /**
   * Writes the header of the reserved message, and its payload unless that was done before
   * (`payload` 0), and makes the message visible. `head` is not 0 and not -1.
   *
   * @returns whether the receiver sleeps and must be woken
   */
  publish(
    head: number,
    word1: number,
    word2: number,
    word3: number,
    word4: number,
    word5: number,
    word6: number,
    word7: number,
    payload: number,
    payloadBytes: number,
  ): boolean {
    const line = this.#addressOf(this.#produced)
    const end = (this.#produced + this.#reservedLines) | 0
    const terminator = end === this.#ended ? 0 : this.#addressOf(end)
    this.#produced = end
    // The next message may be as long as this one: where it will end is written in advance.
    const later = (end + this.#reservedLines) | 0
    const free = ((later - this.#consumed) | 0) < this.#lines
    this.#ended = free ? later : end
    const mark = this.#kernels.publish(
      line,
      terminator,
      free ? this.#addressOf(later) : 0,
      this.#mark,
      head,
      word1,
      word2,
      word3,
      word4,
      word5,
      word6,
      word7,
      payload,
      payloadBytes,
    )
    return mark !== 0
  }

  #addressOf(line: number): number {
    return this.#firstLine + ((line & (this.#lines - 1)) << LINE_SHIFT)
  }

  #hasRoom(lines: number): boolean {
    if (((this.#produced - this.#consumed) | 0) + lines <= this.#lines) return true
    // The acquire: lines that the receiver has counted are no longer read by it.
    this.#consumed = Atomics.load(this.#i32, this.#consumedIndex)
    if (((this.#produced - this.#consumed) | 0) + lines <= this.#lines) return true
    return this.#askForRoom(lines)
  }

  #askForRoom(lines: number): boolean {
    const wanted = this.#consumedIndex + 1
    // Read first: while the wish stands, looking again must not take the line from the receiver.
    if (Atomics.load(this.#i32, wanted) === 0) Atomics.store(this.#i32, wanted, 1)
    this.#consumed = Atomics.load(this.#i32, this.#consumedIndex) // the last look, after the wish
    return ((this.#produced - this.#consumed) | 0) + lines <= this.#lines
  }

  #skipToStart(position: number, skipped: number): void {
    this.#i32[this.#firstLine >>> 2] = 0 // the terminator that the receiver will poll next
    // The release of that terminator.
    Atomics.store(this.#i32, (this.#firstLine + (position << LINE_SHIFT)) >>> 2, SKIP)
    this.#produced = (this.#produced + skipped) | 0
  }
}

/** The receiving end. */
export class MessageRingReceiver {
  readonly #i32: Int32Array
  readonly #kernels: RingKernels
  readonly #consumedIndex: number
  readonly #firstLine: number
  readonly #lines: number
  /** Address of the sender's doorbell. */
  readonly #doorbell: number
  #consumed = 0
  #published = 0
  /** Address of the head word to poll. */
  #head: number

  /**
   * @param address of the ring
   * @param lines its length, a power of two
   * @param doorbell address of the sender's doorbell, rung when it waits for room
   */
  constructor(memory: RingMemory, address: number, lines: number, doorbell: number) {
    this.#i32 = memory.i32
    this.#doorbell = doorbell
    this.#kernels = memory.kernels
    this.#consumedIndex = address >>> 2
    this.#firstLine = (address >>> 0) + LINE_BYTES
    this.#lines = lines
    this.#head = this.#firstLine
  }

  /** Address of the oldest message, or 0 when there is none. */
  poll(): number {
    // A plain look, since most find nothing; what it sees is acquired before it is used.
    if (this.#i32[this.#head >>> 2] === 0) return 0
    return this.#acquire()
  }

  /** Gives the lines of the polled message, with `payloadBytes` of payload, back to the sender. */
  release(payloadBytes: number): void {
    this.#advance((MESSAGE_HEADER_BYTES + payloadBytes + LINE_BYTES - 1) >>> LINE_SHIFT)
  }

  #acquire(): number {
    // Pairs with the sender's release of this head.
    if (this.#kernels.acquire(this.#head) !== SKIP) return this.#head
    this.#advance(this.#lines - (this.#consumed & (this.#lines - 1)))
    return this.poll()
  }

  #advance(lines: number): void {
    this.#consumed = (this.#consumed + lines) | 0
    this.#head = this.#firstLine + ((this.#consumed & (this.#lines - 1)) << LINE_SHIFT)
    // Telling the sender costs it a cache miss: a quarter of the ring at a time is soon enough.
    if (((this.#consumed - this.#published) | 0) >= this.#lines >>> 2) {
      this.#published = this.#consumed
      // The release: the lines have been read.
      Atomics.store(this.#i32, this.#consumedIndex, this.#consumed)
      this.#tellSender()
    }
  }

  #tellSender(): void {
    const wanted = this.#consumedIndex + 1
    // After the release, as the sender wishes before its last look: one of the two sees the other.
    if (Atomics.load(this.#i32, wanted) === 0) return
    Atomics.store(this.#i32, wanted, 0)
    ringDoorbell(this.#i32, this.#doorbell)
  }
}

/*
 * Why it is right.
 * 1. The receiver reads a message only after loading its head atomically, which the sender stored
 *    atomically after header, payload and terminator: it sees all of them. The plain look before is
 *    only a hint.
 * 2. The word that the receiver polls is 0 until the sender stores a head there. At the start the
 *    memory is zeroed; later the sender wrote the 0 as the terminator of the message before,
 *    ahead of that message's head (1), so the receiver never meets payload of an earlier lap. A
 *    terminator that is written in advance goes to a line that the receiver has counted (3), and counts
 *    only where the next message ends right there: longer ones write over it, and shorter ones their own.
 * 3. The sender writes a line only when `produced + lines + 1 - consumed <= lines of the ring`, and the
 *    receiver counts a line only after its last read of it: nothing is overwritten that may still
 *    be read. The one line more is the terminator's. One in advance has the same test of its own.
 * 4. No jam: a message needs at most a quarter of the ring, a skip wastes less than that, and
 *    when the receiver has taken everything less than a quarter is uncounted: together under one ring.
 * 5. No sender sleeps for room that is there: it marks itself asleep, wishes, and looks at the count
 *    once more; the receiver counts, then looks for a wish, clears it and rings. Either the sender sees
 *    the count, or the receiver sees the wish. A wish that is cleared though it was made with the new count
 *    in view is made again, since the ring that follows wakes the sender to another look.
 */
