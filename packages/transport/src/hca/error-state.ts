import { ringDoorbell } from '../ring/doorbell.js'
import { pushReady } from '../ring/ready-list.js'
import { hasWaiter, wakeThisWaiter } from '../ring/waiter-list.js'
import { CQ_OVERRUN } from '../wire/completion-queue.js'
import { HCA_DOORBELL } from '../wire/hca-block.js'
import { QP_ERROR_CAUSE, QP_ERROR_REQUEST, QP_ERROR_STATUS, QP_HCA } from '../wire/queue-pair.js'
import {
  QP_PEER,
  QP_PEER_INDEX,
  QP_PEER_NUMBER,
  QP_RECEIVE_RING,
  QP_STATE,
} from '../wire/queue-pair.js'
import { ERROR, RESET } from '../wire/queue-pair-state.js'
import type { Hca } from './hca.js'
import { findQueuePairByNumber } from './queue-pair-list.js'

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

/** Address of the peer, looked up by its number if need be; 0 when there is none. */
export function peerOf(i32: Int32Array, queuePair: number): number {
  const peer = i32[(queuePair + QP_PEER) >>> 2]! >>> 0
  const number = i32[(queuePair + QP_PEER_NUMBER) >>> 2]!
  if (peer !== 0 || number === 0) return peer
  return findQueuePairByNumber(i32, i32[(queuePair + QP_PEER_INDEX) >>> 2]!, number)
}

/** A completion found no place in `cq`: the queue is unusable from now on. */
export function markOverrun(hca: Hca, cq: number): void {
  Atomics.store(hca.i32, (cq + CQ_OVERRUN) >>> 2, 1) // read by its owner when it polls
}
