import { QP_HCA, QP_WAIT_NEXT, QP_WAITING } from '../wire/queue-pair.js'
import { RECEIVE_WAIT_HEAD, RECEIVE_WAIT_LOCK, RECEIVE_WAIT_TAIL } from '../wire/receive-ring.js'
import { pushReady } from './ready-list.js'
import { lock, unlock } from './spin-lock.js'

/**
 * The queue pairs whose next request waits for a receive in some ring, first come first woken.
 *
 * ```
 *   RECEIVE_WAIT_HEAD -> qp 9 -> qp 3 -> qp 7 -> 0
 *                                         ^ RECEIVE_WAIT_TAIL
 * ```
 *
 * | word | written by |
 * | --- | --- |
 * | head, tail, `QP_WAITING`, `QP_WAIT_NEXT` | holder of the ring's lock |
 *
 * Each posted receive wakes one waiter. While anybody waits there are at most as many receives as
 * woken queue pairs that have not been driven yet; a woken one that takes none passes the waking on
 * (`wakeWaiter` again), so no receive lies idle beside a waiter. The ordering argument stands at
 * the end of this file.
 */

/** Adds a queue pair at the end, unless it waits already. Then look at the ring once more. */
export function addWaiter(i32: Int32Array, ring: number, queuePair: number): void {
  lock(i32, ring + RECEIVE_WAIT_LOCK)
  if (i32[(queuePair + QP_WAITING) >>> 2] === 0) {
    i32[(queuePair + QP_WAITING) >>> 2] = 1
    i32[(queuePair + QP_WAIT_NEXT) >>> 2] = 0
    const tail = i32[(ring + RECEIVE_WAIT_TAIL) >>> 2]! >>> 0
    i32[(ring + RECEIVE_WAIT_TAIL) >>> 2] = queuePair
    if (tail !== 0) i32[(tail + QP_WAIT_NEXT) >>> 2] = queuePair
    // Before the caller's second look at the ring; posters load it after they posted.
    else Atomics.store(i32, (ring + RECEIVE_WAIT_HEAD) >>> 2, queuePair | 0)
  }
  unlock(i32, ring + RECEIVE_WAIT_LOCK)
}

/** Whether anybody waits. */
export function hasWaiter(i32: Int32Array, ring: number): boolean {
  return Atomics.load(i32, (ring + RECEIVE_WAIT_HEAD) >>> 2) !== 0 // after the store of `posted`
}

/**
 * Moves the first waiter to the ready list of its HCA.
 *
 * @returns address of that HCA, whose doorbell is to be rung; 0 when nobody waited
 */
export function wakeWaiter(i32: Int32Array, ring: number): number {
  lock(i32, ring + RECEIVE_WAIT_LOCK)
  const queuePair = i32[(ring + RECEIVE_WAIT_HEAD) >>> 2]! >>> 0
  const hca = queuePair === 0 ? 0 : unlink(i32, ring, 0, queuePair)
  // Under the lock: whoever removes the queue pair under it knows that nobody holds it in hand.
  if (hca !== 0) pushReady(i32, hca, queuePair)
  unlock(i32, ring + RECEIVE_WAIT_LOCK)
  return hca
}

/** The same for one queue pair, wherever it stands; 0 when it does not wait here. */
export function wakeThisWaiter(i32: Int32Array, ring: number, queuePair: number): number {
  lock(i32, ring + RECEIVE_WAIT_LOCK)
  const hca = takeOut(i32, ring, queuePair)
  if (hca !== 0) pushReady(i32, hca, queuePair)
  unlock(i32, ring + RECEIVE_WAIT_LOCK)
  return hca
}

/** Takes a queue pair out, wherever it stands, if it stands there. */
export function removeWaiter(i32: Int32Array, ring: number, queuePair: number): void {
  lock(i32, ring + RECEIVE_WAIT_LOCK)
  takeOut(i32, ring, queuePair)
  unlock(i32, ring + RECEIVE_WAIT_LOCK)
}

/** Finds and unlinks `queuePair`; its HCA, or 0 when it is not there. The lock is held. */
function takeOut(i32: Int32Array, ring: number, queuePair: number): number {
  let before = 0
  let here = i32[(ring + RECEIVE_WAIT_HEAD) >>> 2]! >>> 0
  while (here !== 0 && here !== queuePair) {
    before = here
    here = i32[(here + QP_WAIT_NEXT) >>> 2]! >>> 0
  }
  return here === 0 ? 0 : unlink(i32, ring, before, here)
}

/** Unlinks `queuePair`, which stands behind `before` (0: first); its HCA. The lock is held. */
function unlink(i32: Int32Array, ring: number, before: number, queuePair: number): number {
  const next = i32[(queuePair + QP_WAIT_NEXT) >>> 2]!
  if (before !== 0) i32[(before + QP_WAIT_NEXT) >>> 2] = next
  else Atomics.store(i32, (ring + RECEIVE_WAIT_HEAD) >>> 2, next) // loaded by posters without the lock
  if (next === 0) i32[(ring + RECEIVE_WAIT_TAIL) >>> 2] = before
  i32[(queuePair + QP_WAITING) >>> 2] = 0
  return i32[(queuePair + QP_HCA) >>> 2]! >>> 0
}

/*
 * Ordering. A sender that found the ring empty stores the head, then looks at the ring again. A
 * poster stores `posted`, then loads the head. All four are sequentially consistent: either the
 * sender sees the receive, or the poster sees the waiter. A sender that sees it wakes the first
 * waiter itself, which need not be the sender.
 *
 * Why no receive idles. Let r be the receives in the ring and w the wakings under way, while the
 * list is not empty. A sender joins when it saw r = 0. A post adds one to both. A woken queue pair
 * takes at least one receive (r and w fall), or finds none (r = 0), or cannot take any and passes
 * the waking on (w stays). A taker that was never woken lowers r only. So r <= w throughout.
 */
