import { nextReceiveEntry, publishReceive } from '../../ring/receive-queue.js'
import { hasSendRoom, nextSendEntry, publishSend } from '../../ring/work-queue.js'
import { QP_INLINE_BYTES_MAX, QP_SEND_MASK, QP_STATE } from '../../wire/queue-pair.js'
import { READY_TO_SEND } from '../../wire/queue-pair-state.js'
import {
  RECEIVE_REQUEST_ID,
  RECEIVE_ROOM_BYTES,
  RECEIVE_SEGMENT_COUNT,
} from '../../wire/receive-ring.js'
import { RECEIVE_SEGMENTS } from '../../wire/receive-ring.js'
import {
  INLINE,
  SEGMENT_ADDRESS,
  SEGMENT_KEY,
  SEGMENT_LENGTH,
} from '../../wire/work-queue-entry.js'
import { WQE_CONTROL, WQE_IMMEDIATE, WQE_MESSAGE_BYTES } from '../../wire/work-queue-entry.js'
import { WQE_REMOTE_ADDRESS, WQE_REMOTE_KEY, WQE_REQUEST_ID } from '../../wire/work-queue-entry.js'
import { WQE_SEGMENTS } from '../../wire/work-queue-entry.js'
import type { Hca } from '../hca.js'
import { wakeSender } from './receiver-not-ready.js'
import { drive } from './requester.js'

/** The request was posted. */
export const POSTED = 0
/** No room: poll a completion of this queue first. */
export const QUEUE_FULL = 1
/** Not in this state, or not with these capacities. */
export const INVALID = 2

const ONE_SEGMENT = 1 << 16

/** Whether the queue pair takes a request now: `POSTED` when it does. The owner's thread. */
export function admitSend(hca: Hca, queuePair: number): number {
  // Plain: only the owner leaves RESET, INIT and RTR; a late ERROR makes no difference here.
  if (hca.i32[(queuePair + QP_STATE) >>> 2]! < READY_TO_SEND) return INVALID
  return hasSendRoom(hca.i32, queuePair) ? POSTED : QUEUE_FULL
}

/**
 * Posts a request of one segment. `control` is opcode | flags << 8; words that the opcode does not
 * use are ignored.
 */
export function postOne(
  hca: Hca,
  queuePair: number,
  control: number,
  address: number,
  bytes: number,
  key: number,
  immediate: number,
  remoteAddress: number,
  remoteKey: number,
  requestId: number,
): number {
  const admitted = admitSend(hca, queuePair)
  if (admitted !== POSTED) return admitted
  const entry = beginSend(hca, queuePair, control | ONE_SEGMENT, bytes, requestId)
  writeRemote(hca, entry, immediate, remoteAddress, remoteKey)
  writeSegment(hca, entry + WQE_SEGMENTS, address, bytes, key)
  return finishSend(hca, queuePair)
}

/** Posts a request whose data, up to two pieces, are taken now. */
export function postInline(
  hca: Hca,
  queuePair: number,
  control: number,
  address: number,
  bytes: number,
  address2: number,
  bytes2: number,
  immediate: number,
  remoteAddress: number,
  remoteKey: number,
  requestId: number,
): number {
  const admitted = admitSend(hca, queuePair)
  if (admitted !== POSTED) return admitted
  if (bytes + bytes2 > hca.i32[(queuePair + QP_INLINE_BYTES_MAX) >>> 2]!) return INVALID
  const entry = beginSend(hca, queuePair, control | (INLINE << 8), bytes + bytes2, requestId)
  writeRemote(hca, entry, immediate, remoteAddress, remoteKey)
  hca.kernels.copy(entry + WQE_SEGMENTS, address, bytes)
  if (bytes2 !== 0) hca.kernels.copy(entry + WQE_SEGMENTS + bytes, address2, bytes2)
  return finishSend(hca, queuePair)
}

/** Writes the words every request has into the next entry, and gives its address. There is room. */
export function beginSend(
  hca: Hca,
  queuePair: number,
  control: number,
  bytes: number,
  requestId: number,
): number {
  const { i32 } = hca
  const entry = nextSendEntry(i32, queuePair)
  i32[(entry + WQE_CONTROL) >>> 2] = control
  i32[(entry + WQE_REQUEST_ID) >>> 2] = requestId
  i32[(entry + WQE_MESSAGE_BYTES) >>> 2] = bytes
  return entry
}

/** Writes the words about the other side. */
export function writeRemote(
  hca: Hca,
  entry: number,
  immediate: number,
  remoteAddress: number,
  remoteKey: number,
): void {
  const { i32 } = hca
  i32[(entry + WQE_IMMEDIATE) >>> 2] = immediate
  i32[(entry + WQE_REMOTE_ADDRESS) >>> 2] = remoteAddress
  i32[(entry + WQE_REMOTE_KEY) >>> 2] = remoteKey
}

/** Writes a segment of a send queue entry or of a receive entry. */
export function writeSegment(
  hca: Hca,
  segment: number,
  address: number,
  bytes: number,
  key: number,
): void {
  const { i32 } = hca
  i32[(segment + SEGMENT_ADDRESS) >>> 2] = address
  i32[(segment + SEGMENT_LENGTH) >>> 2] = bytes
  i32[(segment + SEGMENT_KEY) >>> 2] = key
}

/** Publishes the entry that `beginSend` gave and rings the HCA's doorbell, so to say. */
export function finishSend(hca: Hca, queuePair: number): number {
  publishSend(hca.i32, queuePair)
  drive(hca, queuePair)
  return POSTED
}

/** Posts a receive of one segment to a ring. The ring's owner. */
export function postReceiveTo(
  hca: Hca,
  ring: number,
  address: number,
  bytes: number,
  key: number,
  requestId: number,
): number {
  const entry = nextReceiveEntry(hca.i32, ring)
  if (entry === 0) return QUEUE_FULL
  writeSegment(hca, entry + RECEIVE_SEGMENTS, address, bytes, key)
  return finishReceive(hca, ring, entry, requestId, 1, bytes)
}

/** Writes the words every receive has, publishes it and wakes a sender that waits. */
export function finishReceive(
  hca: Hca,
  ring: number,
  entry: number,
  requestId: number,
  segments: number,
  roomBytes: number,
): number {
  const { i32 } = hca
  i32[(entry + RECEIVE_REQUEST_ID) >>> 2] = requestId
  i32[(entry + RECEIVE_SEGMENT_COUNT) >>> 2] = segments
  i32[(entry + RECEIVE_ROOM_BYTES) >>> 2] = roomBytes
  publishReceive(i32, ring)
  wakeSender(hca, ring)
  return POSTED
}

/** Requests the send queue holds. */
export function sendCapacity(hca: Hca, queuePair: number): number {
  return hca.i32[(queuePair + QP_SEND_MASK) >>> 2]! + 1
}
