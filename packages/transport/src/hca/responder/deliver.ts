import { ringDoorbell } from '../../ring/doorbell.js'
import { pushCompletion } from '../../ring/completion-ring.js'
import { EVENT_QP_ACCESS_ERROR } from '../../wire/asynchronous-event.js'
import {
  FLUSHED,
  LOCAL_ACCESS_ERROR,
  REMOTE_INVALID_REQUEST,
  REMOTE_OPERATION_ERROR,
} from '../../wire/completion-status.js'
import { SUCCESS } from '../../wire/completion-status.js'
import {
  CAUSE_OPERATION_NOT_GRANTED,
  CAUSE_PEER_COMPLETION_QUEUE_FULL,
} from '../../wire/error-cause.js'
import { HCA_DOORBELL } from '../../wire/hca-block.js'
import { COMPLETED_RECEIVE } from '../../wire/opcode.js'
import { QP_HCA, QP_NUMBER, QP_RECEIVE_CQ } from '../../wire/queue-pair.js'
import { WQE_IMMEDIATE } from '../../wire/work-queue-entry.js'
import { enterError, markOverrun } from '../queue-pair/error-state.js'
import { raiseQueuePairEvent } from '../port/events.js'
import type { Hca } from '../hca.js'

/** Flag of a completion for the solicited bit of a send queue entry's control word. */
export function solicitedFlag(control: number): number {
  return (control & 0x400) >>> 4 // SOLICITED << 8 becomes COMPLETION_SOLICITED
}

/** Pushes the completion of the receive taken, and tells the peer's thread. */
export function completeReceive(
  hca: Hca,
  peer: number,
  opcode: number,
  flags: number,
  bytes: number,
  entry: number,
): number {
  const { i32, u32 } = hca
  const cq = u32[(peer + QP_RECEIVE_CQ) >>> 2]!
  const control = (opcode << 8) | (flags << 16)
  const immediate = i32[(entry + WQE_IMMEDIATE) >>> 2]!
  const number = i32[(peer + QP_NUMBER) >>> 2]!
  if (!pushCompletion(i32, cq, hca.taken[0]!, control, bytes, immediate, peer, number, hca.index)) {
    return overrun(hca, peer, cq)
  }
  ringOwner(hca, peer)
  return SUCCESS
}

/** The same for a message of which no send queue entry is at hand. */
export function pushReceived(
  hca: Hca,
  peer: number,
  opcode: number,
  flags: number,
  bytes: number,
  immediate: number,
  source: number,
  origin: number,
): number {
  const { i32, u32 } = hca
  const cq = u32[(peer + QP_RECEIVE_CQ) >>> 2]!
  const control = (opcode << 8) | (flags << 16)
  const number = i32[(peer + QP_NUMBER) >>> 2]!
  if (!pushCompletion(i32, cq, hca.taken[0]!, control, bytes, immediate, source, number, origin)) {
    return overrun(hca, peer, cq)
  }
  ringOwner(hca, peer)
  return SUCCESS
}

function overrun(hca: Hca, peer: number, cq: number): number {
  markOverrun(hca, cq)
  hca.cause = CAUSE_PEER_COMPLETION_QUEUE_FULL
  return breakPeer(hca, peer, FLUSHED, 0, REMOTE_OPERATION_ERROR)
}

function ringOwner(hca: Hca, peer: number): void {
  const block = hca.u32[(peer + QP_HCA) >>> 2]!
  if (block !== hca.block) ringDoorbell(hca.i32, block + HCA_DOORBELL)
}

/**
 * Completes the receive taken with status `there` (`SUCCESS`: none was taken), moves the peer to
 * the error state, and gives the requester status `here`. A request that was refused for its rights
 * or its range is an access error of the peer, which its owner hears of.
 */
export function fail(hca: Hca, peer: number, there: number, here: number): number {
  const { i32, u32 } = hca
  const requestId = there === SUCCESS ? 0 : hca.taken[0]!
  if (there !== SUCCESS) {
    const cq = u32[(peer + QP_RECEIVE_CQ) >>> 2]!
    const control = there | (COMPLETED_RECEIVE << 8)
    const number = i32[(peer + QP_NUMBER) >>> 2]!
    if (!pushCompletion(i32, cq, requestId, control, 0, 0, peer, number, hca.index)) {
      markOverrun(hca, cq)
    }
  }
  const status = breakPeer(hca, peer, there === SUCCESS ? FLUSHED : there, requestId, here)
  if (there === SUCCESS || there === LOCAL_ACCESS_ERROR) {
    raiseQueuePairEvent(hca, peer, EVENT_QP_ACCESS_ERROR)
  }
  return status
}

/** Refuses an operation that the queue pair of the peer does not grant. */
export function refuse(hca: Hca, peer: number): number {
  hca.cause = CAUSE_OPERATION_NOT_GRANTED
  return fail(hca, peer, SUCCESS, REMOTE_INVALID_REQUEST)
}

function breakPeer(hca: Hca, peer: number, there: number, requestId: number, here: number): number {
  enterError(hca, peer, there, requestId, hca.cause)
  return here
}
