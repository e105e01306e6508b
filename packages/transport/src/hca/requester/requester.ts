import { RECEIVER_NOT_READY } from '../../fabric/fabric.js'
import { pushCompletion } from '../../ring/completion-ring.js'
import { advanceSend, hasSendWork, sendEntryAt, sendsDone } from '../../ring/work-queue.js'
import { LOCAL_WRITE } from '../../wire/access.js'
import { EVENT_SEND_QUEUE_DRAINED } from '../../wire/asynchronous-event.js'
import { FLUSHED, LOCAL_PROTECTION_ERROR, SUCCESS } from '../../wire/completion-status.js'
import { CAUSE_COMPLETION_QUEUE_FULL, CAUSE_LOCAL_KEY } from '../../wire/error-cause.js'
import { completedOpcode, FETCH_AND_ADD, RDMA_READ } from '../../wire/opcode.js'
import {
  NOTICE_DRAINED,
  QP_DOMAIN,
  QP_DRAIN_NOTIFY,
  QP_NUMBER,
  QP_PEER,
} from '../../wire/queue-pair.js'
import {
  QP_SEND_CQ,
  QP_SERVICE,
  QP_SIGNAL_ALL,
  QP_STARTED,
  QP_STATE,
} from '../../wire/queue-pair.js'
import { DRAINED, ERROR, READY_TO_SEND, SEND_ERROR } from '../../wire/queue-pair-state.js'
import { RELIABLE_CONNECTED } from '../../wire/service-type.js'
import { INLINE, SEGMENT_ADDRESS, SEGMENT_BYTES, SEGMENT_KEY } from '../../wire/work-queue-entry.js'
import { LOCAL_OPERATION } from '../../wire/work-queue-entry.js'
import {
  SEGMENT_LENGTH,
  SIGNALED,
  WQE_CONTROL,
  WQE_MESSAGE_BYTES,
} from '../../wire/work-queue-entry.js'
import { WQE_REQUEST_ID, WQE_SEGMENTS } from '../../wire/work-queue-entry.js'
import { enterError, enterSendError, markOverrun, peerOf } from '../queue-pair/error-state.js'
import { raiseOnce } from '../port/events.js'
import type { Hca } from '../hca.js'
import { carryLocally } from './local-operation.js'
import { checkRegion, findOwnRegion } from '../memory/region-table.js'

/**
 * Carries out the posted requests of `queuePair` in order, as far as they go: the queue is empty,
 * the receiver is not ready, or the state forbids it. The owner's thread.
 */
export function drive(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  while (hasSendWork(i32, queuePair)) {
    // Plain: the peer's thread may set ERROR at any time, and a look too early is as good.
    const state = i32[(queuePair + QP_STATE) >>> 2]!
    if (state !== READY_TO_SEND && !goesOn(hca, queuePair, state)) return
    const entry = sendEntryAt(i32, queuePair, sendsDone(i32, queuePair))
    const outcome = carry(hca, queuePair, entry)
    if (outcome === RECEIVER_NOT_READY) return
    completeSend(hca, queuePair, entry, outcome)
  }
}

/** Whether the first request is carried out in a state other than RTS; flushes where that is due. */
function goesOn(hca: Hca, queuePair: number, state: number): boolean {
  if (state === ERROR || state === SEND_ERROR) flushSends(hca, queuePair)
  return state === DRAINED && mayRunDrained(hca, queuePair)
}

/** While drained, what had been started before runs to its end. */
function mayRunDrained(hca: Hca, queuePair: number): boolean {
  const started = hca.i32[(queuePair + QP_STARTED) >>> 2]!
  return ((started - sendsDone(hca.i32, queuePair)) | 0) > 0
}

/** Raises the event of a drained send queue, when everything started has ended. The owner. */
export function noticeDrained(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  // Plain: an early look is repeated with the next thing that happens.
  if (i32[(queuePair + QP_STATE) >>> 2] !== DRAINED || mayRunDrained(hca, queuePair)) return
  if (i32[(queuePair + QP_DRAIN_NOTIFY) >>> 2] !== 1) return
  raiseOnce(hca, queuePair, EVENT_SEND_QUEUE_DRAINED, NOTICE_DRAINED)
}

/** Completes every posted request as flushed, in order. */
export function flushSends(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  while (hasSendWork(i32, queuePair)) {
    const entry = sendEntryAt(i32, queuePair, sendsDone(i32, queuePair))
    pushSendCompletion(hca, queuePair, entry, FLUSHED)
    advanceSend(i32, queuePair)
  }
}

function carry(hca: Hca, queuePair: number, entry: number): number {
  const failed = checkSegments(hca, queuePair, entry)
  if (failed !== 0) return refuseLocally(hca, queuePair, entry, failed)
  const peer = (queuePair + QP_PEER) >>> 2
  // Queue pairs connected by hand know their peer's number only; its address is looked up once.
  if (hca.i32[peer] === 0) hca.i32[peer] = peerOf(hca.i32, queuePair)
  return hca.fabric.carry(hca, queuePair, entry)
}

/** What is not a matter of the fabric: bad segments, and operations the HCA does by itself. */
function refuseLocally(hca: Hca, queuePair: number, entry: number, failed: number): number {
  if (failed === NO_MESSAGE) return carryLocally(hca, queuePair, entry)
  hca.cause = CAUSE_LOCAL_KEY + failed - 1
  return LOCAL_PROTECTION_ERROR
}

/** The request sends no message. */
const NO_MESSAGE = -1
const INLINE_OR_LOCAL = (INLINE | LOCAL_OPERATION) << 8

/**
 * Checks the local segments of a request; 0, or which check of the first bad one failed, or
 * `NO_MESSAGE`.
 */
export function checkSegments(hca: Hca, queuePair: number, entry: number): number {
  const { u32 } = hca
  const control = u32[(entry + WQE_CONTROL) >>> 2]!
  if ((control & INLINE_OR_LOCAL) !== 0)
    return (control & (LOCAL_OPERATION << 8)) === 0 ? 0 : NO_MESSAGE
  const domain = u32[(queuePair + QP_DOMAIN) >>> 2]!
  const opcode = control & 0xff
  const right = opcode < RDMA_READ || opcode > FETCH_AND_ADD ? 0 : LOCAL_WRITE
  let segment = entry + WQE_SEGMENTS
  for (let left = control >>> 16; left > 0; left--, segment += SEGMENT_BYTES) {
    const bytes = u32[(segment + SEGMENT_LENGTH) >>> 2]!
    if (bytes === 0) continue
    const key = u32[(segment + SEGMENT_KEY) >>> 2]!
    const address = u32[(segment + SEGMENT_ADDRESS) >>> 2]!
    const region = findOwnRegion(hca.i32, hca.block, key)
    const failed = checkRegion(hca, region, domain, address, bytes, right)
    if (failed !== 0) return failed
  }
  return 0
}

/** Completes the first request, and moves past it. The owner. */
export function completeSend(hca: Hca, queuePair: number, entry: number, status: number): void {
  const { i32 } = hca
  if (status !== SUCCESS) {
    failSend(hca, queuePair, entry, status)
  } else if (isSignaled(i32, queuePair, entry)) {
    if (!pushSendCompletion(hca, queuePair, entry, SUCCESS)) {
      enterError(hca, queuePair, FLUSHED, 0, CAUSE_COMPLETION_QUEUE_FULL)
    }
  }
  advanceSend(i32, queuePair)
}

function failSend(hca: Hca, queuePair: number, entry: number, status: number): void {
  const { i32 } = hca
  // The completion first: the flushed ones come behind it.
  pushSendCompletion(hca, queuePair, entry, status)
  const id = i32[(entry + WQE_REQUEST_ID) >>> 2]!
  if (i32[(queuePair + QP_SERVICE) >>> 2] !== RELIABLE_CONNECTED) {
    enterSendError(hca, queuePair, status, id)
  } else {
    enterError(hca, queuePair, status, id, hca.cause)
  }
}

function isSignaled(i32: Int32Array, queuePair: number, entry: number): boolean {
  if ((i32[(entry + WQE_CONTROL) >>> 2]! & (SIGNALED << 8)) !== 0) return true
  return i32[(queuePair + QP_SIGNAL_ALL) >>> 2] !== 0
}

function pushSendCompletion(hca: Hca, queuePair: number, entry: number, status: number): boolean {
  const { i32, u32 } = hca
  const cq = u32[(queuePair + QP_SEND_CQ) >>> 2]!
  const opcode = completedOpcode(i32[(entry + WQE_CONTROL) >>> 2]! & 0xff)
  const pushed = pushCompletion(
    i32,
    cq,
    i32[(entry + WQE_REQUEST_ID) >>> 2]!,
    status | (opcode << 8),
    i32[(entry + WQE_MESSAGE_BYTES) >>> 2]!,
    0,
    queuePair,
    i32[(queuePair + QP_NUMBER) >>> 2]!,
    sendsDone(i32, queuePair),
  )
  if (!pushed) markOverrun(hca, cq)
  return pushed
}
