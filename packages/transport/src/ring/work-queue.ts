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
 * | done | owner, who drives the queue | the request has been carried out |
 * | retired | owner | a completion at or behind the entry has been polled, as with hardware |
 *
 * The ordering argument stands at the end of this file.
 */

/** Whether one more request fits. */
export function hasSendRoom(i32: Int32Array, queuePair: number): boolean {
  const posted = i32[(queuePair + QP_SEND_POSTED) >>> 2]!
  const retired = i32[(queuePair + QP_SEND_RETIRED) >>> 2]!
  return (posted - retired) >>> 0 <= i32[(queuePair + QP_SEND_MASK) >>> 2]!
}

/** How many more requests fit. */
export function sendRoom(i32: Int32Array, queuePair: number): number {
  const used = i32[(queuePair + QP_SEND_POSTED) >>> 2]! - i32[(queuePair + QP_SEND_RETIRED) >>> 2]!
  return i32[(queuePair + QP_SEND_MASK) >>> 2]! + 1 - (used >>> 0)
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
  i32[(queuePair + QP_SEND_POSTED) >>> 2]! += 1
}

/** Number of the next request to carry out, when there is one (`hasSendWork`). */
export function sendsDone(i32: Int32Array, queuePair: number): number {
  return i32[(queuePair + QP_SEND_DONE) >>> 2]!
}

/** Number of requests posted so far. */
export function sendsPosted(i32: Int32Array, queuePair: number): number {
  return i32[(queuePair + QP_SEND_POSTED) >>> 2]!
}

/** Whether a posted request has not been carried out yet. */
export function hasSendWork(i32: Int32Array, queuePair: number): boolean {
  return i32[(queuePair + QP_SEND_POSTED) >>> 2] !== i32[(queuePair + QP_SEND_DONE) >>> 2]
}

/** Moves past the request that was carried out, or flushed. */
export function advanceSend(i32: Int32Array, queuePair: number): void {
  i32[(queuePair + QP_SEND_DONE) >>> 2]! += 1
}

/** Frees the entries up to and including request number `place`, whose completion was polled. */
export function retireSends(i32: Int32Array, queuePair: number, place: number): void {
  i32[(queuePair + QP_SEND_RETIRED) >>> 2] = place + 1
}

/** Forgets all requests. Nobody drives the queue. */
export function resetSends(i32: Int32Array, queuePair: number): void {
  i32[(queuePair + QP_SEND_DONE) >>> 2] = 0
  i32[(queuePair + QP_SEND_POSTED) >>> 2] = 0
  i32[(queuePair + QP_SEND_RETIRED) >>> 2] = 0
}

/*
 * Ordering. A send queue has one producer and one consumer, and they are the same thread: whoever owns
 * the queue pair posts, and drives the queue in the same call or when another thread has made it
 * ready (ring/ready-list.ts). So program order is all the order there is, and every access is plain:
 * an atomic costs ten times as much. A fabric that carries requests out in events keeps this rule, or
 * hands the queue over by something that synchronises, as the baton of serial worlds does.
 * 1. An entry is written again only after `retired` has passed it. `retired` follows a polled
 *    completion, which was pushed after the last read of the entry, by this thread.
 * 2. `posted - retired` never exceeds the capacity: the owner looks before it posts. Differences are
 *    taken modulo 2^32, so wrapping changes nothing.
 */
