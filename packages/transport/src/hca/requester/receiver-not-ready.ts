import { RECEIVER_NOT_READY } from '../../fabric/fabric.js'
import { ringDoorbell } from '../../ring/doorbell.js'
import { hasReceive, TAKEN, TAKEN_AT_LIMIT, takeReceive } from '../../ring/receive-queue.js'
import { addWaiter, hasWaiter, removeWaiter } from '../../ring/waiter-list.js'
import { wakeWaiter } from '../../ring/waiter-list.js'
import { EVENT_SRQ_LIMIT_REACHED } from '../../wire/asynchronous-event.js'
import { RETRY_EXCEEDED, SUCCESS } from '../../wire/completion-status.js'
import { CAUSE_PEER_NOT_READY } from '../../wire/error-cause.js'
import { HCA_DOORBELL } from '../../wire/hca-block.js'
import { DOMAIN_HCA } from '../../wire/protection-domain.js'
import { QP_HCA, QP_NUMBER, QP_PEER, QP_PEER_NUMBER } from '../../wire/queue-pair.js'
import { QP_RECEIVE_RING, QP_STATE } from '../../wire/queue-pair.js'
import { receives } from '../../wire/queue-pair-state.js'
import { RECEIVE_DOMAIN, RECEIVE_LIMIT } from '../../wire/receive-ring.js'
import { enterHca, leaveHca } from '../memory/access-slot.js'
import { raiseEvent } from '../port/events.js'
import type { Hca } from '../hca.js'
import { leaveEarlySenders } from '../queue-pair/early-senders.js'

/**
 * Takes a receive of `peer` for the next request of `queuePair`. When there is none the queue pair
 * joins the ring's waiters: the request stays first in its send queue, and its owner drives it on
 * once a receive has been posted, or the peer is gone.
 *
 * @returns `SUCCESS`, `RECEIVER_NOT_READY`, or `RETRY_EXCEEDED` when the peer has stopped receiving
 */
export function takeOrWait(hca: Hca, queuePair: number, peer: number, ring: number): number {
  for (;;) {
    const outcome = takeReceive(hca.i32, ring, hca.taken)
    if (outcome === TAKEN) return SUCCESS
    if (outcome === TAKEN_AT_LIMIT) return announceLimit(hca, ring)
    const waited = wait(hca, queuePair, peer, ring)
    if (waited !== SUCCESS) return waited
  }
}

/** Raises the event of a shared receive queue that has run low, once for each time it is armed. */
export function announceLimit(hca: Hca, ring: number): number {
  // Exchanged, so that one of several takers raises it.
  if (Atomics.exchange(hca.i32, (ring + RECEIVE_LIMIT) >>> 2, 0) === 0) return SUCCESS
  const domain = hca.u32[(ring + RECEIVE_DOMAIN) >>> 2]!
  const block = hca.u32[(domain + DOMAIN_HCA) >>> 2]!
  raiseEvent(hca, block, { event: EVENT_SRQ_LIMIT_REACHED, subject: ring, number: 0 })
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
 * Takes `queuePair` out of the lists of waiters, if it stands there. Whoever was about to wake it has
 * done so when this returns: that happens under the lock that is taken here, or before a peer that
 * is gone went.
 */
export function stopWaiting(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  const peer = enterPeer(hca, queuePair)
  if (peer !== 0) {
    removeWaiter(i32, i32[(peer + QP_RECEIVE_RING) >>> 2]! >>> 0, queuePair)
    leaveEarlySenders(i32, queuePair, peer)
  }
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
