import type { Hca } from '../hca/hca.js'
import { admitSend, beginSend, finishSend, INVALID, POSTED } from '../hca/post.js'
import { writeRemote, writeSegment } from '../hca/post.js'
import { demand } from '../hca/verbs-error.js'
import { opcodeNumbers } from '../wire/opcode.js'
import { QP_INLINE_BYTES_MAX, QP_SEGMENTS_MAX } from '../wire/queue-pair.js'
import { SEGMENT_BYTES, WQE_SEGMENTS } from '../wire/work-queue-entry.js'
import { bytesOf, flagsOf } from './work-request.js'
import type { PostStatus, ScatterGatherElement, SendRequest } from './work-request.js'

/**
 * Posts a request given as an object to the send queue of `queuePair`.
 *
 * @throws {VerbsError} EINVAL: the state or the capacities do not allow it
 */
export function postSendRequest(hca: Hca, queuePair: number, request: SendRequest): PostStatus {
  const segments = request.segments ?? []
  const bytes = bytesOf(segments)
  const admitted = admitSend(hca, queuePair)
  demand(admitted !== INVALID, 'a queue pair that is not ready to send takes no requests')
  checkCapacities(hca, queuePair, request, bytes)
  if (admitted !== POSTED) return 'queueFull'
  const count = request.inline ? 0 : segments.length
  const control = opcodeNumbers[request.opcode] | (flagsOf(request) << 8) | (count << 16)
  const { workRequestId = 0, immediate = 0, remoteAddress = 0, remoteKey = 0 } = request
  const entry = beginSend(hca, queuePair, control, bytes, workRequestId)
  writeRemote(hca, entry, immediate, remoteAddress, remoteKey)
  if (request.inline) copyInline(hca, entry + WQE_SEGMENTS, segments)
  else writeSegments(hca, entry + WQE_SEGMENTS, segments)
  finishSend(hca, queuePair)
  return 'ok'
}

function checkCapacities(hca: Hca, queuePair: number, request: SendRequest, bytes: number): void {
  const count = request.segments?.length ?? 0
  const inlineMax = hca.i32[(queuePair + QP_INLINE_BYTES_MAX) >>> 2]!
  const segmentsMax = hca.i32[(queuePair + QP_SEGMENTS_MAX) >>> 2]!
  if (request.inline) {
    demand(request.opcode !== 'rdmaRead', 'a READ has no inline data')
    demand(bytes <= inlineMax, `${bytes} inline bytes, at most ${inlineMax} here`)
  } else {
    demand(count <= segmentsMax, `${count} segments, at most ${segmentsMax} here`)
  }
}

function copyInline(hca: Hca, place: number, segments: readonly ScatterGatherElement[]): void {
  for (const { address, bytes } of segments) {
    hca.kernels.copy(place, address, bytes)
    place += bytes
  }
}

function writeSegments(hca: Hca, place: number, segments: readonly ScatterGatherElement[]): void {
  for (const { address, bytes, localKey } of segments) {
    writeSegment(hca, place, address, bytes, localKey)
    place += SEGMENT_BYTES
  }
}
