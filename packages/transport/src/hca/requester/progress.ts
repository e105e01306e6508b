import { pushCompletion } from '../../ring/completion-ring.js'
import { hasReady, nextReady, takeReady } from '../../ring/ready-list.js'
import { takeReceive } from '../../ring/receive-queue.js'
import { EVENT_QP_LAST_ENTRY_REACHED } from '../../wire/asynchronous-event.js'
import { FLUSHED } from '../../wire/completion-status.js'
import { COMPLETED_RECEIVE } from '../../wire/opcode.js'
import {
  NOTICE_LAST_ENTRY,
  QP_NUMBER,
  QP_RECEIVE_CQ,
  QP_RECEIVE_RING,
  QP_SRQ,
  QP_STATE,
} from '../../wire/queue-pair.js'
import { ERROR } from '../../wire/queue-pair-state.js'
import { awaitVisitors } from '../memory/access-slot.js'
import { markOverrun } from '../queue-pair/error-state.js'
import { MANAGEMENT_NUMBER, raiseOnce } from '../port/events.js'
import type { Hca } from '../hca.js'
import { passWakingOn } from './receiver-not-ready.js'
import { drive, flushSends, noticeDrained } from './requester.js'

/**
 * Does what other threads left for the owner: drives on queue pairs whose receiver has become
 * ready, and flushes those that a peer's request moved to the error state. One atomic load when
 * there is nothing. The owner's thread.
 */
export function progress(hca: Hca): void {
  if (hasReady(hca.i32, hca.block)) driveAll(hca)
}

function driveAll(hca: Hca): void {
  // Until nothing is left: driving may make an own queue pair ready again, and nobody rings for that.
  while (hasReady(hca.i32, hca.block)) {
    driveReady(hca)
    if (!hca.summoned) continue
    hca.summoned = false
    // Behind all driving: a listener may destroy what stood in the list.
    hca.attend?.()
  }
}

function driveReady(hca: Hca): void {
  const { i32 } = hca
  let queuePair = takeReady(i32, hca.block)
  while (queuePair !== 0) {
    const next = nextReady(i32, queuePair)
    if (i32[(queuePair + QP_NUMBER) >>> 2] === MANAGEMENT_NUMBER) {
      hca.summoned = true
      queuePair = next
      continue
    }
    // An atomic load: after the mark was cleared, so that what comes later makes it ready again.
    if (Atomics.load(i32, (queuePair + QP_STATE) >>> 2) === ERROR) flush(hca, queuePair)
    else drive(hca, queuePair)
    passWakingOn(hca, queuePair)
    noticeDrained(hca, queuePair)
    queuePair = next
  }
}

/** Completes everything in the queues of a queue pair in the error state as flushed, in order. */
export function flush(hca: Hca, queuePair: number): void {
  hca.packets?.abandon(queuePair)
  flushSends(hca, queuePair)
  // A delivery under way took its receive before; its completion comes before the flushed ones.
  awaitVisitors(hca)
  if (hca.i32[(queuePair + QP_SRQ) >>> 2] === 0) flushReceives(hca, queuePair)
  // Receives of a shared queue stay for the other queue pairs.
  else raiseOnce(hca, queuePair, EVENT_QP_LAST_ENTRY_REACHED, NOTICE_LAST_ENTRY)
}

function flushReceives(hca: Hca, queuePair: number): void {
  const { i32, u32, taken } = hca
  const ring = u32[(queuePair + QP_RECEIVE_RING) >>> 2]!
  const cq = u32[(queuePair + QP_RECEIVE_CQ) >>> 2]!
  const number = i32[(queuePair + QP_NUMBER) >>> 2]!
  const control = FLUSHED | (COMPLETED_RECEIVE << 8)
  while (takeReceive(i32, ring, taken)) {
    if (!pushCompletion(i32, cq, taken[0]!, control, 0, 0, queuePair, number, hca.index)) {
      markOverrun(hca, cq)
    }
  }
}
