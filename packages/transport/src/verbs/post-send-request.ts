import { ATOMIC_BYTES } from '../hca/responder/atomic.js'
import type { Hca } from '../hca/hca.js'
import { serviceOf } from '../hca/queue-pair/modify-queue-pair.js'
import { hasOperation } from '../hca/operations.js'
import { admitSend, beginSend, finishSend, INVALID, POSTED } from '../hca/requester/post.js'
import { writeRemote, writeSegment } from '../hca/requester/post.js'
import { warnOfUnsignaled } from '../hca/requester/unsignaled.js'
import { findRegion } from '../hca/memory/region-table.js'
import { demand } from '../hca/verbs-error.js'
import { nextWindowKey } from '../hca/memory/windows.js'
import { ATOMIC_WRITE, FLUSH } from '../wire/opcode.js'
import { BIND_WINDOW, COMPARE_AND_SWAP, FETCH_AND_ADD, LOCAL_INVALIDATE } from '../wire/opcode.js'
import { opcodeNumbers, RDMA_READ, SEND_WITH_INVALIDATE } from '../wire/opcode.js'
import { QP_INLINE_BYTES_MAX, QP_SEGMENTS_MAX, QP_SERVICE } from '../wire/queue-pair.js'
import { UNRELIABLE_DATAGRAM } from '../wire/service-type.js'
import {
  ATOMIC_COMPARE,
  ATOMIC_OPERAND,
  BIND_ACCESS,
  BIND_REGION_ENTRY,
} from '../wire/work-queue-entry.js'
import {
  BIND_WINDOW_ENTRY,
  FLUSH_REGION,
  LOCAL_OPERATION,
  SEGMENT_BYTES,
} from '../wire/work-queue-entry.js'
import { WQE_DESTINATION, WQE_SEGMENTS } from '../wire/work-queue-entry.js'
import { DEVICE_LIMITS } from './device-limits.js'
import { memoryAddressOf } from './memory-region.js'
import { bytesOf, checkWords, flagsOf } from './work-request.js'
import type { BindRequest, FlushRequest } from './work-request.js'
import type { PostStatus, ScatterGatherElement, SendRequest } from './work-request.js'

/**
 * Posts a request given as an object to the send queue of `queuePair` (ibv_post_send.3).
 *
 * @throws {VerbsError} EINVAL: the state, the service or the capacities do not allow it
 */
export function postSendRequest(hca: Hca, queuePair: number, request: SendRequest): PostStatus {
  checkSendRequest(hca, queuePair, request)
  if (admitSend(hca, queuePair) !== POSTED) {
    warnOfUnsignaled(hca, queuePair)
    return 'queueFull'
  }
  writeRequest(hca, queuePair, request)
  finishSend(hca, queuePair)
  return 'ok'
}

/** What is wrong with a request before it is posted. @throws {VerbsError} EINVAL */
export function checkSendRequest(hca: Hca, queuePair: number, request: SendRequest): void {
  const { opcode, segments = [] } = request
  const number = opcodeNumbers[opcode]
  demand(number !== undefined, `there is no operation ${String(opcode)}`)
  const admitted = admitSend(hca, queuePair)
  demand(admitted !== INVALID, 'a queue pair that is not ready to send takes no requests')
  const service = hca.i32[(queuePair + QP_SERVICE) >>> 2]!
  demand(hasOperation(service, number), `${serviceOf(hca.i32, queuePair)} has no ${opcode}`)
  checkCapacities(hca, queuePair, request, number, bytesOf(segments))
  checkWords(request.workRequestId ?? 0, segments)
  if (service === UNRELIABLE_DATAGRAM) {
    const { destination } = request
    demand(destination !== undefined, 'a datagram needs a destination')
    demand(destination.addressHandle.address !== 0, 'the address handle was destroyed')
  }
  if (number === BIND_WINDOW) checkBind(request.bind, segments.length, request)
  if (number === FLUSH) checkFlush(request.flush, segments.length)
  if (number === LOCAL_INVALIDATE) {
    demand(request.invalidateKey !== undefined, 'localInvalidate needs a key')
    demand(segments.length === 0, 'localInvalidate takes no segments')
  }
}

function checkCapacities(
  hca: Hca,
  queuePair: number,
  request: SendRequest,
  number: number,
  bytes: number,
): void {
  const count = request.segments?.length ?? 0
  const inlineMax = hca.i32[(queuePair + QP_INLINE_BYTES_MAX) >>> 2]!
  const segmentsMax = hca.i32[(queuePair + QP_SEGMENTS_MAX) >>> 2]!
  if (request.inline) {
    const carriesData = number < RDMA_READ || inlineToo.includes(number)
    demand(carriesData, `${request.opcode} has no inline data`)
    demand(bytes <= inlineMax, `${bytes} inline bytes, at most ${inlineMax} here`)
  }
  demand(count <= segmentsMax, `${count} segments, at most ${segmentsMax} here`)
  const atomic = number === COMPARE_AND_SWAP || number === FETCH_AND_ADD
  demand(!atomic || count === 1, 'an atomic has one segment for its result')
  const oneWord = number !== ATOMIC_WRITE || request.inline || count === 1
  demand(oneWord, 'atomicWrite has one segment, or inline data')
}

/** Operations beyond the numbers up to RDMA_READ whose data may be inline. */
const inlineToo = [SEND_WITH_INVALIDATE, ATOMIC_WRITE]

function checkFlush(flush: FlushRequest | undefined, segments: number): void {
  demand(flush !== undefined, 'flush needs what it is for')
  const { global = false, persistent = false, level = 'range', bytes = 0 } = flush
  demand(global || persistent, 'flush is for global visibility, persistence, or both')
  demand(level === 'range' || level === 'region', `flush knows no level ${String(level)}`)
  const fits = Number.isInteger(bytes) && bytes >= 0 && bytes <= 0xffff_ffff
  demand(fits, `flush cannot be of ${bytes} bytes`)
  demand(segments === 0, 'flush takes no segments')
}

function checkBind(bind: BindRequest | undefined, segments: number, request: SendRequest): void {
  demand(bind !== undefined, 'bindWindow needs what to bind')
  demand(segments === 0 && request.immediate === undefined, 'bindWindow takes no data')
  demand(bind.window.allocated, 'the memory window was deallocated')
}

/** Writes a checked request into the next entry. There is room. */
export function writeRequest(hca: Hca, queuePair: number, request: SendRequest): void {
  const { opcode, workRequestId = 0, segments = [] } = request
  const number = opcodeNumbers[opcode]
  const bytes = lengthOf(number, request)
  const count = request.inline ? 0 : segments.length
  const local = isLocal(number, bytes) ? LOCAL_OPERATION : 0
  const control = number | ((flagsOf(request) | local) << 8) | (count << 16)
  const entry = beginSend(hca, queuePair, control, bytes, workRequestId)
  writeOtherSide(hca, queuePair, entry, request)
  if (request.inline) copyInline(hca, entry + WQE_SEGMENTS, segments)
  else writeSegments(hca, entry + WQE_SEGMENTS, segments)
  writeSpecial(hca, entry, number, request)
}

/** Length of the message, or of what is to be bound or flushed. */
function lengthOf(number: number, { bind, flush, segments = [] }: SendRequest): number {
  if (number === BIND_WINDOW) return bind!.bytes
  return number === FLUSH ? (flush!.bytes ?? 0) : bytesOf(segments)
}

/** Whether the HCA does, or refuses, the request by itself. */
function isLocal(number: number, bytes: number): boolean {
  if (number === BIND_WINDOW || number === LOCAL_INVALIDATE) return true
  if (number === FLUSH) return false
  const word = number === COMPARE_AND_SWAP || number === FETCH_AND_ADD || number === ATOMIC_WRITE
  if (word) return bytes !== ATOMIC_BYTES
  return bytes > DEVICE_LIMITS.maxMessageBytes
}

function writeOtherSide(hca: Hca, queuePair: number, entry: number, request: SendRequest): void {
  const {
    immediate = 0,
    invalidateKey = 0,
    destination,
    remoteAddress = 0,
    remoteKey = 0,
  } = request
  const number = opcodeNumbers[request.opcode]
  const datum = number === FLUSH ? flushWord(request.flush!) : immediate
  if (hca.i32[(queuePair + QP_SERVICE) >>> 2] === UNRELIABLE_DATAGRAM) {
    const { addressHandle, queuePairNumber, queueKey } = destination!
    writeRemote(hca, entry, datum, addressHandle.address, queueKey)
    hca.i32[(entry + WQE_DESTINATION) >>> 2] = queuePairNumber
  } else if (number === LOCAL_INVALIDATE) {
    writeRemote(hca, entry, datum, 0, invalidateKey)
  } else {
    const address = Number(remoteAddress)
    const reachable = Number.isInteger(address) && address >= 0 && address <= 0xffff_ffff
    // Nothing is registered beyond 32 bits: the key that names nothing gives the same refusal.
    const word = number === SEND_WITH_INVALIDATE ? invalidateKey : datum
    writeRemote(hca, entry, word, reachable ? address : 0, reachable ? remoteKey : 0)
  }
}

function flushWord({ global, persistent, level }: FlushRequest): number {
  return (global ? 1 : 0) | (persistent ? 2 : 0) | (level === 'region' ? FLUSH_REGION : 0)
}

function writeSpecial(hca: Hca, entry: number, number: number, request: SendRequest): void {
  const { i32, i64 } = hca
  if (number === COMPARE_AND_SWAP || number === FETCH_AND_ADD) {
    i64[(entry + ATOMIC_OPERAND) / 8] = request.operand ?? 0n
    i64[(entry + ATOMIC_COMPARE) / 8] = request.compare ?? 0n
  } else if (number === BIND_WINDOW) {
    const { window, region, address, access, key } = request.bind!
    writeRemote(hca, entry, 0, address, key ?? nextWindowKey(hca, window.entry))
    i32[(entry + BIND_WINDOW_ENTRY) >>> 2] = window.entry
    i32[(entry + BIND_REGION_ENTRY) >>> 2] = region.registered ? region.entry : 0
    i32[(entry + BIND_ACCESS) >>> 2] = access
  }
}

function copyInline(hca: Hca, place: number, segments: readonly ScatterGatherElement[]): void {
  for (const { address, bytes } of segments) {
    hca.kernels.copy(place, address, bytes)
    place += bytes
  }
}

/** Writes segments of a request or a receive; their addresses may count from a region's base. */
export function writeSegments(
  hca: Hca,
  place: number,
  segments: readonly ScatterGatherElement[],
): void {
  for (const { address, bytes, localKey } of segments) {
    const region = findRegion(hca.i32, hca.block, localKey)
    writeSegment(hca, place, memoryAddressOf(hca, region, address), bytes, localKey)
    place += SEGMENT_BYTES
  }
}
