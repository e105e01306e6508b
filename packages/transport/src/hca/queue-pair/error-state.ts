import { ringDoorbell } from '../../ring/doorbell.js'
import { pushReady } from '../../ring/ready-list.js'
import { hasWaiter, wakeThisWaiter } from '../../ring/waiter-list.js'
import { EVENT_CQ_ERROR, EVENT_QP_FATAL } from '../../wire/asynchronous-event.js'
import { CQ_HCA, CQ_OVERRUN } from '../../wire/completion-queue.js'
import { FLUSHED } from '../../wire/completion-status.js'
import { CAUSE_ATTACHED_QUEUE_OVERRUN } from '../../wire/error-cause.js'
import { HCA_DOORBELL } from '../../wire/hca-block.js'
import { QP_ERROR_CAUSE, QP_ERROR_REQUEST, QP_ERROR_STATUS, QP_HCA } from '../../wire/queue-pair.js'
import { QP_PEER, QP_RECEIVE_CQ, QP_RECEIVE_RING, QP_SEND_CQ } from '../../wire/queue-pair.js'
import { QP_SERVICE, QP_STATE } from '../../wire/queue-pair.js'
import { ERROR, RESET, SEND_ERROR } from '../../wire/queue-pair-state.js'
import { RELIABLE_CONNECTED } from '../../wire/service-type.js'
import { raiseEvent, raiseQueuePairEvent } from '../port/events.js'
import { wakeEarlySenders } from './early-senders.js'
import { findPeer } from './find-peer.js'
import type { Hca } from '../hca.js'
import { firstQueuePair, nextQueuePair } from './queue-pair-list.js'

/**
 * Moves a queue pair, own or peer's, to the error state and records the first error. Its owner
 * flushes its queues when it makes progress next. Any thread that may touch the queue pair: its
 * owner, or one that has entered it in its access slot.
 */
export function enterError(
  hca: Hca,
  queuePair: number,
  status: number,
  requestId: number,
  cause: number,
): void {
  const { i32 } = hca
  // Only the first to find an error records it.
  if (Atomics.compareExchange(i32, (queuePair + QP_ERROR_STATUS) >>> 2, 0, status) === 0) {
    i32[(queuePair + QP_ERROR_REQUEST) >>> 2] = requestId
    i32[(queuePair + QP_ERROR_CAUSE) >>> 2] = cause
  }
  if (changeToError(i32, (queuePair + QP_STATE) >>> 2)) announceError(hca, queuePair)
}

function changeToError(i32: Int32Array, state: number): boolean {
  for (;;) {
    const before = Atomics.load(i32, state) // owner and peer may both change it
    if (before === ERROR || before === RESET) return false
    // Exchanged only from the state seen, so that a reset in between is not undone.
    if (Atomics.compareExchange(i32, state, before, ERROR) === before) return true
  }
}

/** Tells who depends on the queue pair that it takes no messages any more. */
export function announceError(hca: Hca, queuePair: number): void {
  const { i32, u32 } = hca
  const owner = u32[(queuePair + QP_HCA) >>> 2]!
  pushReady(i32, owner, queuePair)
  if (owner !== hca.block) ringDoorbell(i32, owner + HCA_DOORBELL)
  wakeWaitingPeer(hca, queuePair)
  wakeEarlySenders(hca, queuePair)
}

/** The peer may wait for a receive of this queue pair, which will not come: it is to look again. */
export function wakeWaitingPeer(hca: Hca, queuePair: number): void {
  const { i32, u32 } = hca
  const ring = u32[(queuePair + QP_RECEIVE_RING) >>> 2]!
  if (!hasWaiter(i32, ring)) return
  const peer = peerOf(i32, queuePair)
  if (peer === 0) return
  const block = wakeThisWaiter(i32, ring, peer)
  if (block !== 0 && block !== hca.block) ringDoorbell(i32, block + HCA_DOORBELL)
}

/**
 * Address of the peer that requests are carried to at once, looked up by its number if need be; 0
 * when there is none, or the way there is looked for with each message (hca/unreliable.ts).
 */
export function peerOf(i32: Int32Array, queuePair: number): number {
  const peer = i32[(queuePair + QP_PEER) >>> 2]! >>> 0
  if (peer !== 0 || i32[(queuePair + QP_SERVICE) >>> 2] !== RELIABLE_CONNECTED) return peer
  return findPeer(i32, queuePair)
}

/** A completion found no place in `cq`: the queue is unusable from now on. */
export function markOverrun(hca: Hca, cq: number): void {
  // Only the first to find it full tells its owner, who breaks the queue pairs attached to it.
  if (Atomics.exchange(hca.i32, (cq + CQ_OVERRUN) >>> 2, 1) !== 0) return
  const block = hca.u32[(cq + CQ_HCA) >>> 2]!
  raiseEvent(hca, block, { event: EVENT_CQ_ERROR, subject: cq, number: 0 })
}

/** Breaks every queue pair of the own HCA that is attached to an overrun completion queue. */
export function breakAttached(hca: Hca, cq: number): void {
  const { i32, u32, block } = hca
  for (let here = firstQueuePair(i32, block); here !== 0; here = nextQueuePair(i32, here)) {
    const attached =
      u32[(here + QP_SEND_CQ) >>> 2] === cq || u32[(here + QP_RECEIVE_CQ) >>> 2] === cq
    if (!attached || i32[(here + QP_STATE) >>> 2] === RESET) continue
    enterError(hca, here, FLUSHED, 0, CAUSE_ATTACHED_QUEUE_OVERRUN)
    raiseQueuePairEvent(hca, here, EVENT_QP_FATAL)
  }
}

/**
 * Moves a queue pair of an unreliable service whose request failed to the state SQE: requests behind
 * it are flushed, the receive side goes on. The owner.
 */
export function enterSendError(
  hca: Hca,
  queuePair: number,
  status: number,
  requestId: number,
): void {
  const { i32 } = hca
  i32[(queuePair + QP_ERROR_STATUS) >>> 2] = status
  i32[(queuePair + QP_ERROR_REQUEST) >>> 2] = requestId
  i32[(queuePair + QP_ERROR_CAUSE) >>> 2] = hca.cause
  const state = (queuePair + QP_STATE) >>> 2
  const before = Atomics.load(i32, state) // a fatal error may come meanwhile, and stays
  if (before !== ERROR) Atomics.compareExchange(i32, state, before, SEND_ERROR) // the same
}
