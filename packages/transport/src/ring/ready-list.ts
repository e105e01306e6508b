import { HCA_READY_HEAD } from '../wire/hca-block.js'
import { QP_READY, QP_READY_NEXT } from '../wire/queue-pair.js'

/**
 * The queue pairs of an HCA that its owner has to drive on, because another thread changed what
 * they depend on. A stack: any thread pushes, the owner takes all of it at once.
 *
 * ```
 *   HCA_READY_HEAD -> qp 7 -> qp 3 -> qp 9 -> 0        taken and turned round: 9, 3, 7
 * ```
 *
 * | word | written by |
 * | --- | --- |
 * | head | pushers by compare-and-exchange, owner by exchange |
 * | `QP_READY` | pusher 0 -> 1, owner 1 -> 0 |
 * | `QP_READY_NEXT` | the pusher that changed `QP_READY`; once taken, the owner |
 *
 * The ordering argument stands at the end of this file.
 */

/** Puts a queue pair on the list of its HCA, unless it stands there already. Any thread. */
export function pushReady(i32: Int32Array, hca: number, queuePair: number): void {
  // Only one thread gets the 0, and only it links the queue pair.
  if (Atomics.exchange(i32, (queuePair + QP_READY) >>> 2, 1) !== 0) return
  const head = (hca + HCA_READY_HEAD) >>> 2
  let top: number
  do {
    top = Atomics.load(i32, head) // what the queue pair will stand on
    i32[(queuePair + QP_READY_NEXT) >>> 2] = top
  } while (Atomics.compareExchange(i32, head, top, queuePair | 0) !== top) // publishes the link
}

/** Whether the owner has queue pairs to drive. */
export function hasReady(i32: Int32Array, hca: number): boolean {
  return Atomics.load(i32, (hca + HCA_READY_HEAD) >>> 2) !== 0 // pushed by other threads
}

/** Takes all: the queue pair pushed first, 0 when there is none. The others by `nextReady`. */
export function takeReady(i32: Int32Array, hca: number): number {
  let from = Atomics.exchange(i32, (hca + HCA_READY_HEAD) >>> 2, 0) // the chain is the owner's now
  let first = 0
  while (from !== 0) {
    const link = ((from >>> 0) + QP_READY_NEXT) >>> 2
    const next = i32[link]!
    i32[link] = first
    first = from
    from = next
  }
  return first >>> 0
}

/** Releases a queue pair of the chain, which may be pushed again from now on, and gives the next. */
export function nextReady(i32: Int32Array, queuePair: number): number {
  const next = i32[(queuePair + QP_READY_NEXT) >>> 2]! >>> 0
  Atomics.store(i32, (queuePair + QP_READY) >>> 2, 0) // after the read of the link
  return next
}

/*
 * Ordering.
 * 1. A push that finds the mark 1 may rely on the owner driving the queue pair later: the owner
 *    clears the mark before it drives, and the exchange that saw 1 came before that clearing, so
 *    whatever the pusher changed before its push is seen by that drive.
 * 2. Nobody pops single elements, so a top that comes back (ABA) links to the same chain as before.
 */
