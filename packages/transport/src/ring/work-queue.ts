import { QP_SEND_DONE, QP_SEND_ENTRIES, QP_SEND_ENTRY_SHIFT } from '../wire/queue-pair.js'
import { QP_SEND_MASK, QP_SEND_POSTED, QP_SEND_RETIRED } from '../wire/queue-pair.js'

/**
 * The send queue's indices. All three count requests since the last reset, modulo 2^32, and
 *
 * ```
 *   retired <= done <= posted <= retired + capacity
 *
 *        retired         done            posted
 *           v              v                v
 *   | free  | carried out, | waiting to be  | free      |
 *   |       | not polled   | carried out    |           |
 *
 *   wrapped:      posted          retired      done
 *                    v               v           v
 *   | waiting        | free          | not polled| waiting |
 * ```
 *
 * | word | written by | when |
 * | --- | --- | --- |
 * | posted | owner | the entry is complete |
 * | done | whoever drives the queue | the request has been carried out |
 * | retired | owner | a completion at or behind the entry has been polled, as with hardware |
 *
 * The ordering argument stands at the end of this file.
 */

/** Whether one more request fits. */
export function hasSendRoom(i32: Int32Array, queuePair: number): boolean {
  const posted = i32[(queuePair + QP_SEND_POSTED) >>> 2]! // plain: the owner reads its own word
  const retired = i32[(queuePair + QP_SEND_RETIRED) >>> 2]! // plain: the owner reads its own word
  return (posted - retired) >>> 0 <= i32[(queuePair + QP_SEND_MASK) >>> 2]!
}

/** Address of the entry that `publishSend` will publish. There is room. */
export function nextSendEntry(i32: Int32Array, queuePair: number): number {
  return sendEntryAt(i32, queuePair, i32[(queuePair + QP_SEND_POSTED) >>> 2]!)
}

/** Address of the entry of request number `place`. */
export function sendEntryAt(i32: Int32Array, queuePair: number, place: number): number {
  const slot = place & i32[(queuePair + QP_SEND_MASK) >>> 2]!
  const shift = i32[(queuePair + QP_SEND_ENTRY_SHIFT) >>> 2]!
  return (i32[(queuePair + QP_SEND_ENTRIES) >>> 2]! + (slot << shift)) >>> 0
}

/** Makes the entry written at `nextSendEntry` part of the queue. */
export function publishSend(i32: Int32Array, queuePair: number): void {
  const index = (queuePair + QP_SEND_POSTED) >>> 2
  Atomics.store(i32, index, (i32[index]! + 1) | 0) // after the entry's plain writes
}

/** Number of the next request to carry out, when there is one (`hasSendWork`). */
export function sendsDone(i32: Int32Array, queuePair: number): number {
  return i32[(queuePair + QP_SEND_DONE) >>> 2]! // plain: the driver reads its own word
}

/** Whether a posted request has not been carried out yet. */
export function hasSendWork(i32: Int32Array, queuePair: number): boolean {
  // The load is atomic: on a fabric with events another thread may have posted the entry.
  return Atomics.load(i32, (queuePair + QP_SEND_POSTED) >>> 2) !== sendsDone(i32, queuePair)
}

/** Moves past the request that was carried out, or flushed. */
export function advanceSend(i32: Int32Array, queuePair: number): void {
  const index = (queuePair + QP_SEND_DONE) >>> 2
  Atomics.store(i32, index, (i32[index]! + 1) | 0) // after the reads of the entry
}

/** Frees the entries up to and including request number `place`, whose completion was polled. */
export function retireSends(i32: Int32Array, queuePair: number, place: number): void {
  i32[(queuePair + QP_SEND_RETIRED) >>> 2] = (place + 1) | 0 // plain: only the owner looks at it
}

/** Forgets all requests. Nobody drives the queue. */
export function resetSends(i32: Int32Array, queuePair: number): void {
  Atomics.store(i32, (queuePair + QP_SEND_DONE) >>> 2, 0) // a new start for the next driver
  Atomics.store(i32, (queuePair + QP_SEND_POSTED) >>> 2, 0) // the same
  i32[(queuePair + QP_SEND_RETIRED) >>> 2] = 0
}

/*
 * Ordering. One thread posts, one at a time drives; they are the same thread on the direct fabric.
 * 1. The owner writes an entry with plain writes, then stores `posted`. A driver loads `posted`
 *    before it reads the entry, so it reads what was written.
 * 2. An entry is written again only after `retired` has passed it. `retired` follows a polled
 *    completion; the completion was pushed after the driver's last read of the entry; pushing and
 *    polling synchronise (ring/completion-ring.ts). So no driver still reads the entry.
 * 3. `posted - retired` never exceeds the capacity, because only the owner changes both, and it
 *    looks before it posts. Differences are taken modulo 2^32, so wrapping changes nothing.
 */
