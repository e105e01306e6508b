import { ringDoorbell } from '../ring/doorbell.js'
import { pushCompletion } from '../ring/completion-ring.js'
import { LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE } from '../wire/access.js'
import { COMPLETION_WITH_IMMEDIATE } from '../wire/completion-queue.js'
import { FLUSHED, LOCAL_ACCESS_ERROR, LOCAL_LENGTH_ERROR } from '../wire/completion-status.js'
import { LOCAL_PROTECTION_ERROR, REMOTE_ACCESS_ERROR } from '../wire/completion-status.js'
import { REMOTE_INVALID_REQUEST, REMOTE_OPERATION_ERROR } from '../wire/completion-status.js'
import { RETRY_EXCEEDED, SUCCESS } from '../wire/completion-status.js'
import { CAUSE_MESSAGE_TOO_LONG, CAUSE_OPERATION_NOT_GRANTED } from '../wire/error-cause.js'
import { CAUSE_PEER_COMPLETION_QUEUE_FULL, CAUSE_PEER_NOT_READY } from '../wire/error-cause.js'
import { CAUSE_PEER_RECEIVE_MEMORY, CAUSE_REMOTE_KEY } from '../wire/error-cause.js'
import { HCA_DOORBELL } from '../wire/hca-block.js'
import { COMPLETED_RECEIVE, COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE } from '../wire/opcode.js'
import { RDMA_READ, RDMA_WRITE_WITH_IMMEDIATE, SEND, SEND_WITH_IMMEDIATE } from '../wire/opcode.js'
import {
  QP_ACCESS,
  QP_DOMAIN,
  QP_HCA,
  QP_NUMBER,
  QP_PEER,
  QP_PEER_INDEX,
} from '../wire/queue-pair.js'
import { QP_PEER_NUMBER, QP_RECEIVE_CQ, QP_RECEIVE_RING, QP_STATE } from '../wire/queue-pair.js'
import { receives } from '../wire/queue-pair-state.js'
import { RECEIVE_DOMAIN } from '../wire/receive-ring.js'
import { WQE_CONTROL, WQE_IMMEDIATE, WQE_MESSAGE_BYTES } from '../wire/work-queue-entry.js'
import { WQE_REMOTE_ADDRESS, WQE_REMOTE_KEY } from '../wire/work-queue-entry.js'
import { enterHca, leaveHca } from './access-slot.js'
import { enterError, markOverrun } from './error-state.js'
import type { Hca } from './hca.js'
import { gather, scatter } from './move-bytes.js'
import { takeOrWait } from './receiver-not-ready.js'
import { checkRegion, findValidRegion } from './region-table.js'

/**
 * The responder's half of a request, done by the requester's thread: the peer's thread takes no
 * part. The order of the checks is the hardware's and decides which error wins: state, rights of
 * the queue pair, receive, length, remote key; then the bytes move, once; then the completion.
 *
 * @returns the requester's completion status, or `RECEIVER_NOT_READY`; on failure `hca.cause` says why
 */
export function respond(hca: Hca, queuePair: number, entry: number): number {
  const peer = hca.u32[(queuePair + QP_PEER) >>> 2]!
  // A queue pair's block, even a destroyed one's, stays with its HCA.
  const block = hca.u32[(peer + QP_HCA) >>> 2]!
  if (peer === 0) return unreachable(hca)
  enterHca(hca, block)
  const outcome = isListening(hca, queuePair, peer)
    ? carryOut(hca, queuePair, peer, entry)
    : unreachable(hca)
  leaveHca(hca)
  return outcome
}

/** Whether the peer is the one this queue pair is connected to, and takes messages. */
export function isListening(hca: Hca, queuePair: number, peer: number): boolean {
  const { i32 } = hca
  // An atomic load: after the access slot's store, before anything of the peer is used.
  const state = hca.kernels.acquire(peer + QP_STATE)
  return (
    receives(state) &&
    i32[(peer + QP_NUMBER) >>> 2] === i32[(queuePair + QP_PEER_NUMBER) >>> 2] &&
    i32[(peer + QP_PEER_NUMBER) >>> 2] === i32[(queuePair + QP_NUMBER) >>> 2] &&
    i32[(peer + QP_PEER_INDEX) >>> 2] === hca.index
  )
}

function carryOut(hca: Hca, queuePair: number, peer: number, entry: number): number {
  const opcode = hca.i32[(entry + WQE_CONTROL) >>> 2]! & 0xff
  if (opcode === SEND || opcode === SEND_WITH_IMMEDIATE) {
    return receiveMessage(hca, queuePair, peer, entry, opcode)
  }
  if (opcode === RDMA_READ) return readRemote(hca, peer, entry)
  return writeRemote(hca, queuePair, peer, entry, opcode)
}

function receiveMessage(
  hca: Hca,
  queuePair: number,
  peer: number,
  entry: number,
  opcode: number,
): number {
  const { u32, taken } = hca
  const ring = u32[(peer + QP_RECEIVE_RING) >>> 2]!
  const receive = takeOrWait(hca, queuePair, peer, ring)
  if (receive !== SUCCESS) return receive
  const bytes = u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!
  if (bytes > taken[2]!) {
    hca.cause = CAUSE_MESSAGE_TOO_LONG
    return fail(hca, peer, LOCAL_LENGTH_ERROR, REMOTE_INVALID_REQUEST)
  }
  if (!fillReceive(hca, peer, ring, entry, bytes)) {
    hca.cause = CAUSE_PEER_RECEIVE_MEMORY
    return fail(hca, peer, LOCAL_PROTECTION_ERROR, REMOTE_OPERATION_ERROR)
  }
  const flags = opcode === SEND ? 0 : COMPLETION_WITH_IMMEDIATE
  return completeReceive(hca, peer, COMPLETED_RECEIVE, flags, bytes, entry)
}

/** Moves the message into the segments of the receive taken; false when one cannot be written. */
function fillReceive(hca: Hca, peer: number, ring: number, entry: number, bytes: number): boolean {
  const { u32, taken } = hca
  const block = u32[(peer + QP_HCA) >>> 2]!
  const domain = u32[(ring + RECEIVE_DOMAIN) >>> 2]!
  let moved = 0
  for (let segment = 4; moved < bytes; segment += 4) {
    const address = taken[segment]!
    const key = taken[segment + 2]!
    const part = Math.min(taken[segment + 1]!, bytes - moved)
    if (part === 0) continue
    const region = findValidRegion(hca.i32, block, key)
    if (checkRegion(hca, region, domain, address, part, LOCAL_WRITE) !== 0) return false
    gather(hca, entry, moved, part, address)
    moved += part
  }
  return true
}

function writeRemote(
  hca: Hca,
  queuePair: number,
  peer: number,
  entry: number,
  opcode: number,
): number {
  const { u32 } = hca
  if (!grants(hca, peer, REMOTE_WRITE)) return refuse(hca, peer)
  const withImmediate = opcode === RDMA_WRITE_WITH_IMMEDIATE
  if (withImmediate) {
    const ring = u32[(peer + QP_RECEIVE_RING) >>> 2]!
    const receive = takeOrWait(hca, queuePair, peer, ring)
    if (receive !== SUCCESS) return receive
  }
  const bytes = u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!
  // As with Soft-RoCE, nobody looks at the key of an empty range.
  if (bytes > 0) {
    const failed = checkRemote(hca, peer, entry, bytes, REMOTE_WRITE)
    if (failed === 0) gather(hca, entry, 0, bytes, u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!)
    if (failed !== 0) {
      hca.cause = CAUSE_REMOTE_KEY + failed - 1
      return fail(hca, peer, withImmediate ? LOCAL_ACCESS_ERROR : SUCCESS, REMOTE_ACCESS_ERROR)
    }
  }
  if (!withImmediate) return SUCCESS
  const opcodeThere = COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE
  return completeReceive(hca, peer, opcodeThere, COMPLETION_WITH_IMMEDIATE, bytes, entry)
}

function readRemote(hca: Hca, peer: number, entry: number): number {
  const { u32 } = hca
  if (!grants(hca, peer, REMOTE_READ)) return refuse(hca, peer)
  const bytes = u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!
  if (bytes === 0) return SUCCESS
  const failed = checkRemote(hca, peer, entry, bytes, REMOTE_READ)
  if (failed === 0) scatter(hca, entry, u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!, bytes)
  if (failed === 0) return SUCCESS
  hca.cause = CAUSE_REMOTE_KEY + failed - 1
  return fail(hca, peer, SUCCESS, REMOTE_ACCESS_ERROR)
}

/** Checks the request's remote range; 0, or which check failed. */
function checkRemote(hca: Hca, peer: number, entry: number, bytes: number, right: number): number {
  const { u32 } = hca
  const key = u32[(entry + WQE_REMOTE_KEY) >>> 2]!
  const address = u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!
  const region = findValidRegion(hca.i32, u32[(peer + QP_HCA) >>> 2]!, key)
  return checkRegion(hca, region, u32[(peer + QP_DOMAIN) >>> 2]!, address, bytes, right)
}

function grants(hca: Hca, peer: number, right: number): boolean {
  return (hca.i32[(peer + QP_ACCESS) >>> 2]! & right) !== 0
}

/** Pushes the completion of the receive taken, and tells the peer's thread. */
function completeReceive(
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
    markOverrun(hca, cq)
    hca.cause = CAUSE_PEER_COMPLETION_QUEUE_FULL
    return fail(hca, peer, SUCCESS, REMOTE_OPERATION_ERROR)
  }
  ringOwner(hca, peer)
  return SUCCESS
}

function ringOwner(hca: Hca, peer: number): void {
  const block = hca.u32[(peer + QP_HCA) >>> 2]!
  if (block !== hca.block) ringDoorbell(hca.i32, block + HCA_DOORBELL)
}

// ---- failures -------------------------------------------------------------------------------

function unreachable(hca: Hca): number {
  hca.cause = CAUSE_PEER_NOT_READY
  return RETRY_EXCEEDED
}

function refuse(hca: Hca, peer: number): number {
  hca.cause = CAUSE_OPERATION_NOT_GRANTED
  return fail(hca, peer, SUCCESS, REMOTE_INVALID_REQUEST)
}

/**
 * Completes the receive taken with status `there` (`SUCCESS`: none was taken), moves the peer to
 * the error state, and gives the requester status `here`.
 */
function fail(hca: Hca, peer: number, there: number, here: number): number {
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
  enterError(hca, peer, there === SUCCESS ? FLUSHED : there, requestId, hca.cause)
  return here
}
