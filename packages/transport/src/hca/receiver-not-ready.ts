import { RECEIVER_NOT_READY } from '../fabric/fabric.js'
import { ringDoorbell } from '../ring/doorbell.js'
import { hasReceive, takeReceive } from '../ring/receive-queue.js'
import { addWaiter, hasWaiter, removeWaiter, wakeWaiter } from '../ring/waiter-list.js'
import { RETRY_EXCEEDED, SUCCESS } from '../wire/completion-status.js'
import { CAUSE_PEER_NOT_READY } from '../wire/error-cause.js'
import { HCA_DOORBELL } from '../wire/hca-block.js'
import { QP_HCA, QP_NUMBER, QP_PEER, QP_PEER_NUMBER } from '../wire/queue-pair.js'
import { QP_RECEIVE_RING, QP_STATE } from '../wire/queue-pair.js'
import { receives } from '../wire/queue-pair-state.js'
import { enterHca, leaveHca } from './access-slot.js'
import type { Hca } from './hca.js'

/**
 * Takes a receive of `peer` for the next request of `queuePair`. When there is none the queue pair
 * joins the ring's waiters: the request stays first in its send queue, and its owner drives it on
 * once a receive has been posted, or the peer is gone.
 *
 * @returns `SUCCESS`, `RECEIVER_NOT_READY`, or `RETRY_EXCEEDED` when the peer has stopped receiving
 */
export function takeOrWait(hca: Hca, queuePair: number, peer: number, ring: number): number {
  while (!takeReceive(hca.i32, ring, hca.taken)) {
    const outcome = wait(hca, queuePair, peer, ring)
    if (outcome !== SUCCESS) return outcome
  }
  return SUCCESS
}

/** Waits for a receive; `SUCCESS` when it is worth while to try again at once. */
function wait(hca: Hca, queuePair: number, peer: number, ring: number): number {
  const { i32 } = hca
  addWaiter(i32, ring, queuePair)
  // After joining: posters post, then look for waiters; a peer that fails stores its state, then looks.
  const listening = receives(Atomics.load(i32, (peer + QP_STATE) >>> 2))
  if (listening && !hasReceive(i32, ring)) return RECEIVER_NOT_READY
  // Whether or not somebody has seen it wait by now, it goes on by itself.
  removeWaiter(i32, ring, queuePair)
  if (listening) return SUCCESS
  hca.cause = CAUSE_PEER_NOT_READY
  return RETRY_EXCEEDED
}

/** Wakes the first sender that waits for a receive of `ring`, which has just been posted. */
export function wakeSender(hca: Hca, ring: number): void {
  if (!hasWaiter(hca.i32, ring)) return
  const block = wakeWaiter(hca.i32, ring)
  if (block !== 0 && block !== hca.block) ringDoorbell(hca.i32, block + HCA_DOORBELL)
}

/**
 * Passes a waking on: `queuePair` may have been woken and has not taken the receive, or not all of
 * them. Its peer may be gone by now, and the ring with it.
 */
export function passWakingOn(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  const peer = enterPeer(hca, queuePair)
  if (peer !== 0) {
    const ring = i32[(peer + QP_RECEIVE_RING) >>> 2]! >>> 0
    if (hasWaiter(i32, ring) && hasReceive(i32, ring)) wakeSender(hca, ring)
  }
  leaveHca(hca)
}

/**
 * Takes `queuePair` out of the list of waiters, if it stands there. Whoever was about to wake it has
 * done so when this returns: that happens under the lock that is taken here, or before a peer that
 * is gone went.
 */
export function stopWaiting(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  const peer = enterPeer(hca, queuePair)
  if (peer !== 0) removeWaiter(i32, i32[(peer + QP_RECEIVE_RING) >>> 2]! >>> 0, queuePair)
  leaveHca(hca)
}

/** Enters the peer's HCA; 0 when it is not there any more. */
function enterPeer(hca: Hca, queuePair: number): number {
  const { i32 } = hca
  const peer = i32[(queuePair + QP_PEER) >>> 2]! >>> 0
  if (peer === 0) return 0
  enterHca(hca, i32[(peer + QP_HCA) >>> 2]! >>> 0)
  // An atomic load: after the access slot's store. A block that is free, or a stranger's, differs.
  const number = Atomics.load(i32, (peer + QP_NUMBER) >>> 2)
  return number !== 0 && number === i32[(queuePair + QP_PEER_NUMBER) >>> 2] ? peer : 0
}
