import { LOCAL_LENGTH_ERROR, LOCAL_PROTECTION_ERROR } from '../../wire/completion-status.js'
import { LOCAL_ACCESS_ERROR, REMOTE_ACCESS_ERROR } from '../../wire/completion-status.js'
import { REMOTE_INVALID_REQUEST, REMOTE_OPERATION_ERROR } from '../../wire/completion-status.js'
import { RETRY_EXCEEDED, SUCCESS } from '../../wire/completion-status.js'
import { REMOTE_ATOMIC, REMOTE_READ, REMOTE_WRITE } from '../../wire/access.js'
import {
  COMPLETION_WITH_IMMEDIATE,
  COMPLETION_WITH_INVALIDATE,
} from '../../wire/completion-queue.js'
import { CAUSE_MESSAGE_TOO_LONG, CAUSE_MISALIGNED } from '../../wire/error-cause.js'
import { CAUSE_PEER_INVALIDATE_REFUSED } from '../../wire/error-cause.js'
import { CAUSE_PEER_NOT_READY } from '../../wire/error-cause.js'
import { CAUSE_PEER_RECEIVE_MEMORY, CAUSE_REMOTE_KEY } from '../../wire/error-cause.js'
import { COMPLETED_RECEIVE, COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE } from '../../wire/opcode.js'
import { RDMA_READ, RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, SEND } from '../../wire/opcode.js'
import { ATOMIC_WRITE, COMPARE_AND_SWAP, FETCH_AND_ADD, FLUSH } from '../../wire/opcode.js'
import { SEND_WITH_IMMEDIATE } from '../../wire/opcode.js'
import { SEND_WITH_INVALIDATE } from '../../wire/opcode.js'
import { QP_DOMAIN, QP_HCA, QP_PEER, QP_RECEIVE_RING } from '../../wire/queue-pair.js'
import { WQE_CONTROL, WQE_IMMEDIATE, WQE_MESSAGE_BYTES } from '../../wire/work-queue-entry.js'
import { WQE_REMOTE_ADDRESS, WQE_REMOTE_KEY } from '../../wire/work-queue-entry.js'
import { enterHca, leaveHca } from '../memory/access-slot.js'
import { ATOMIC_BYTES, carryOutAtomic } from './atomic.js'
import { completeReceive, fail, refuse, solicitedFlag } from './deliver.js'
import { fillReceive } from './fill-receive.js'
import type { Hca } from '../hca.js'
import { isListening } from './listening.js'
import { flushRemote, writeAtomically } from './placement.js'
import { gather, scatter } from '../memory/move-bytes.js'
import { takeOrWait } from '../requester/receiver-not-ready.js'
import { waitUntilConnected } from '../queue-pair/early-senders.js'
import { checkRegion, findValidRegion } from '../memory/region-table.js'
import { checkRemoteRange, grants } from '../memory/remote-range.js'
import { lookCloser } from '../memory/translation.js'
import { carryWithoutPeer, NO_PEER } from './unreliable.js'
import { invalidateKey } from '../memory/windows.js'

/** Opcode and the solicited bit of a control word: what most requests are told apart by. */
const COMMON = 0x4ff

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
  if (peer === 0) return respondWithoutPeer(hca, queuePair, entry)
  enterHca(hca, block)
  const outcome = isListening(hca, queuePair, peer)
    ? carryOut(hca, queuePair, peer, entry)
    : unreachable(hca, queuePair, peer)
  leaveHca(hca)
  return outcome
}

function respondWithoutPeer(hca: Hca, queuePair: number, entry: number): number {
  const outcome = carryWithoutPeer(hca, queuePair, entry)
  if (outcome !== NO_PEER) return outcome
  hca.cause = CAUSE_PEER_NOT_READY
  return RETRY_EXCEEDED
}

function carryOut(hca: Hca, queuePair: number, peer: number, entry: number): number {
  const opcode = hca.i32[(entry + WQE_CONTROL) >>> 2]! & COMMON
  if (opcode === SEND) return receiveMessage(hca, queuePair, peer, entry, 0)
  if (opcode === RDMA_READ) return readRemote(hca, peer, entry)
  if (opcode === RDMA_WRITE) return writeRemote(hca, peer, entry)
  return carryOutOthers(hca, queuePair, peer, entry)
}

/** The rarer operations, and all that ask for a solicited event. */
function carryOutOthers(hca: Hca, queuePair: number, peer: number, entry: number): number {
  const control = hca.i32[(entry + WQE_CONTROL) >>> 2]!
  const flag = solicitedFlag(control)
  switch (control & 0xff) {
    case SEND:
      return receiveMessage(hca, queuePair, peer, entry, flag)
    case SEND_WITH_IMMEDIATE:
      return receiveMessage(hca, queuePair, peer, entry, flag | COMPLETION_WITH_IMMEDIATE)
    case SEND_WITH_INVALIDATE:
      return receiveMessage(hca, queuePair, peer, entry, flag | COMPLETION_WITH_INVALIDATE)
    case RDMA_WRITE_WITH_IMMEDIATE:
      return writeWithImmediate(hca, queuePair, peer, entry, flag)
    case COMPARE_AND_SWAP:
    case FETCH_AND_ADD:
      return operateRemote(hca, peer, entry)
    case RDMA_READ:
      return readRemote(hca, peer, entry)
    case FLUSH:
      return flushRemote(hca, peer, entry)
    case ATOMIC_WRITE:
      return writeAtomically(hca, peer, entry)
    default:
      return writeRemote(hca, peer, entry)
  }
}

function receiveMessage(
  hca: Hca,
  queuePair: number,
  peer: number,
  entry: number,
  flags: number,
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
  if ((flags & COMPLETION_WITH_INVALIDATE) !== 0 && !invalidateThere(hca, peer, entry)) {
    return fail(hca, peer, REMOTE_INVALID_REQUEST, REMOTE_INVALID_REQUEST)
  }
  return completeReceive(hca, peer, COMPLETED_RECEIVE, flags, bytes, entry)
}

/** Makes the key that a message names invalid at the peer; whether it could be. */
function invalidateThere(hca: Hca, peer: number, entry: number): boolean {
  const key = hca.u32[(entry + WQE_IMMEDIATE) >>> 2]!
  if (invalidateKey(hca, hca.u32[(peer + QP_HCA) >>> 2]!, peer, key)) return true
  hca.cause = CAUSE_PEER_INVALIDATE_REFUSED
  return false
}

function writeRemote(hca: Hca, peer: number, entry: number): number {
  if (!grants(hca, peer, REMOTE_WRITE)) return refuse(hca, peer)
  const failed = placeWritten(hca, peer, entry)
  if (failed === 0) return SUCCESS
  hca.cause = CAUSE_REMOTE_KEY + failed - 1
  return fail(hca, peer, SUCCESS, REMOTE_ACCESS_ERROR)
}

function writeWithImmediate(
  hca: Hca,
  queuePair: number,
  peer: number,
  entry: number,
  flag: number,
): number {
  const { u32 } = hca
  if (!grants(hca, peer, REMOTE_WRITE)) return refuse(hca, peer)
  const ring = u32[(peer + QP_RECEIVE_RING) >>> 2]!
  const receive = takeOrWait(hca, queuePair, peer, ring)
  if (receive !== SUCCESS) return receive
  const failed = placeWritten(hca, peer, entry)
  if (failed !== 0) {
    hca.cause = CAUSE_REMOTE_KEY + failed - 1
    return fail(hca, peer, LOCAL_ACCESS_ERROR, REMOTE_ACCESS_ERROR)
  }
  const bytes = u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!
  const opcode = COMPLETED_RECEIVE_RDMA_WITH_IMMEDIATE
  return completeReceive(hca, peer, opcode, COMPLETION_WITH_IMMEDIATE | flag, bytes, entry)
}

/** Moves what is written to where the request says; 0, or which check of the range failed. */
function placeWritten(hca: Hca, peer: number, entry: number): number {
  const { u32 } = hca
  const bytes = u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!
  // As with Soft-RoCE, nobody looks at the key of an empty range.
  if (bytes === 0) return 0
  const failed = checkRemote(hca, peer, entry, bytes, REMOTE_WRITE)
  if (failed === 0) gather(hca, entry, 0, bytes, u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!)
  return failed === 0 ? 0 : placeTranslated(hca, peer, entry, bytes, failed)
}

/** The same where addresses are not the memory's. */
function placeTranslated(
  hca: Hca,
  peer: number,
  entry: number,
  bytes: number,
  before: number,
): number {
  const failed = lookAgain(hca, peer, entry, bytes, REMOTE_WRITE, before)
  if (failed === 0) gather(hca, entry, 0, bytes, hca.translated)
  return failed
}

function readRemote(hca: Hca, peer: number, entry: number): number {
  const { u32 } = hca
  if (!grants(hca, peer, REMOTE_READ)) return refuse(hca, peer)
  const bytes = u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!
  if (bytes === 0) return SUCCESS
  const failed = checkRemote(hca, peer, entry, bytes, REMOTE_READ)
  if (failed === 0) scatter(hca, entry, u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!, bytes)
  return failed === 0 ? SUCCESS : readTranslated(hca, peer, entry, bytes, failed)
}

function readTranslated(
  hca: Hca,
  peer: number,
  entry: number,
  bytes: number,
  before: number,
): number {
  const failed = lookAgain(hca, peer, entry, bytes, REMOTE_READ, before)
  if (failed === 0) {
    scatter(hca, entry, hca.translated, bytes)
    return SUCCESS
  }
  hca.cause = CAUSE_REMOTE_KEY + failed - 1
  return fail(hca, peer, SUCCESS, REMOTE_ACCESS_ERROR)
}

/** An atomic: its address is checked before the range, as an invalid request (F5 before F2). */
function operateRemote(hca: Hca, peer: number, entry: number): number {
  if (!grants(hca, peer, REMOTE_ATOMIC)) return refuse(hca, peer)
  if (hca.u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]! % ATOMIC_BYTES !== 0) {
    hca.cause = CAUSE_MISALIGNED
    return fail(hca, peer, SUCCESS, REMOTE_INVALID_REQUEST)
  }
  const failed = checkRemoteRange(hca, peer, entry, ATOMIC_BYTES, REMOTE_ATOMIC)
  if (failed === 0 && hca.translated % ATOMIC_BYTES === 0) {
    carryOutAtomic(hca, entry, hca.translated)
    return SUCCESS
  }
  hca.cause = failed === 0 ? CAUSE_MISALIGNED : CAUSE_REMOTE_KEY + failed - 1
  return fail(hca, peer, SUCCESS, failed === 0 ? REMOTE_INVALID_REQUEST : REMOTE_ACCESS_ERROR)
}

/** Checks the request's remote range; 0, or which check failed. */
function checkRemote(hca: Hca, peer: number, entry: number, bytes: number, right: number): number {
  const { u32 } = hca
  const key = u32[(entry + WQE_REMOTE_KEY) >>> 2]!
  const address = u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!
  const region = findValidRegion(hca.i32, u32[(peer + QP_HCA) >>> 2]!, key)
  return checkRegion(hca, region, u32[(peer + QP_DOMAIN) >>> 2]!, address, bytes, right)
}

function lookAgain(
  hca: Hca,
  peer: number,
  entry: number,
  bytes: number,
  right: number,
  failed: number,
): number {
  const { u32 } = hca
  const key = u32[(entry + WQE_REMOTE_KEY) >>> 2]!
  const region = findValidRegion(hca.i32, u32[(peer + QP_HCA) >>> 2]!, key)
  const address = u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!
  return lookCloser(hca, region, failed, peer, address, bytes, right)
}

/** The peer is not there, or not yet: one that is about to be connected is waited for. */
function unreachable(hca: Hca, queuePair: number, peer: number): number {
  hca.cause = CAUSE_PEER_NOT_READY
  return waitUntilConnected(hca, queuePair, peer)
}
