import type { Packet } from '../../fabric/packets/packet.js'
import {
  addPsn,
  ATOMIC_WRITE_REQUEST,
  COMPARE_SWAP_REQUEST,
  FETCH_ADD_REQUEST,
  FLUSH_REQUEST,
  RC_PACKET,
  READ_REQUEST,
} from '../../fabric/packets/packet.js'
import {
  SEND_FIRST,
  SEND_LAST,
  SEND_LAST_IMMEDIATE,
  SEND_LAST_INVALIDATE,
} from '../../fabric/packets/packet.js'
import {
  SEND_MIDDLE,
  SEND_ONLY,
  SEND_ONLY_IMMEDIATE,
  SEND_ONLY_INVALIDATE,
} from '../../fabric/packets/packet.js'
import {
  UC_PACKET,
  WRITE_FIRST,
  WRITE_LAST,
  WRITE_LAST_IMMEDIATE,
} from '../../fabric/packets/packet.js'
import { WRITE_MIDDLE, WRITE_ONLY, WRITE_ONLY_IMMEDIATE } from '../../fabric/packets/packet.js'
import { ATOMIC_WRITE, COMPARE_AND_SWAP, FETCH_AND_ADD, FLUSH } from '../../wire/opcode.js'
import { RDMA_READ, RDMA_WRITE } from '../../wire/opcode.js'
import {
  RDMA_WRITE_WITH_IMMEDIATE,
  SEND_WITH_IMMEDIATE,
  SEND_WITH_INVALIDATE,
} from '../../wire/opcode.js'
import {
  PORT_DOWN_MARK,
  QP_NUMBER,
  QP_PATH_MTU_BYTES,
  QP_PEER_INDEX,
} from '../../wire/queue-pair.js'
import { QP_MIGRATION_STATE, QP_PEER_NUMBER, QP_PLANE } from '../../wire/queue-pair.js'
import { QP_SERVICE } from '../../wire/queue-pair.js'
import { RELIABLE_CONNECTED } from '../../wire/service-type.js'
import {
  ATOMIC_COMPARE,
  ATOMIC_OPERAND,
  INLINE,
  SEGMENT_ADDRESS,
} from '../../wire/work-queue-entry.js'
import {
  SEGMENT_BYTES,
  SEGMENT_LENGTH,
  SOLICITED,
  WQE_CONTROL,
} from '../../wire/work-queue-entry.js'
import {
  WQE_IMMEDIATE,
  WQE_MESSAGE_BYTES,
  WQE_REMOTE_ADDRESS,
} from '../../wire/work-queue-entry.js'
import { WQE_REMOTE_KEY, WQE_SEGMENTS } from '../../wire/work-queue-entry.js'
import { partitionKeyOf } from '../queue-pair/find-peer.js'
import { MIGRATED } from '../queue-pair/path-migration.js'
import type { Hca } from '../hca.js'

/** A request that has been started. */
export interface StartedRequest {
  /** Its number in the send queue. */
  readonly place: number
  /** Address of its entry. */
  readonly entry: number
  readonly opcode: number
  readonly firstPsn: number
  /** Packet sequence numbers it takes: packets, or for a READ those of its response. */
  readonly psnCount: number
  readonly bytes: number
  done: boolean
  status: number
  cause: number
  /** Of a READ, response packets that have come. */
  responses: number
}

/** READs, atomics and the like, which are done when their answer has come. */
export function awaitsResponse({ opcode }: { opcode: number }): boolean {
  return (
    opcode === RDMA_READ ||
    awaitsOriginal({ opcode }) ||
    opcode === FLUSH ||
    opcode === ATOMIC_WRITE
  )
}

/** Those that are answered with what was there before. */
export function awaitsOriginal({ opcode }: { opcode: number }): boolean {
  return opcode === COMPARE_AND_SWAP || opcode === FETCH_AND_ADD
}

/** Packet sequence numbers that a message takes. */
export function psnCountOf(bytes: number, mtuBytes: number): number {
  return Math.max(1, Math.ceil(bytes / mtuBytes))
}

/** The header fields that all packets of a queue pair have. */
export function headerOf(hca: Hca, queuePair: number) {
  const at = (word: number): number => hca.i32[(queuePair + word) >>> 2]!
  return {
    source: hca.index,
    destination: at(QP_PEER_INDEX) & ~PORT_DOWN_MARK,
    sourceNumber: at(QP_NUMBER),
    destinationNumber: at(QP_PEER_NUMBER),
    partitionKey: partitionKeyOf(hca.i32, queuePair),
    plane: at(QP_PLANE),
    armed: at(QP_MIGRATION_STATE) !== MIGRATED,
    acknowledgeRequest: false,
    solicited: false,
    payload: NO_PAYLOAD,
  }
}

export const NO_PAYLOAD = new Uint8Array(0)

/**
 * The packets of a started request from its packet number `from` on, made anew from memory as hardware
 * does when it sends again.
 */
export function* packetsOf(
  hca: Hca,
  queuePair: number,
  request: StartedRequest,
  from: number,
): Iterable<Packet> {
  const { u32 } = hca
  const mtuBytes = hca.i32[(queuePair + QP_PATH_MTU_BYTES) >>> 2]!
  const { entry, bytes } = request
  const control = u32[(entry + WQE_CONTROL) >>> 2]!
  const reliable = hca.i32[(queuePair + QP_SERVICE) >>> 2] === RELIABLE_CONNECTED
  const header = headerOf(hca, queuePair)
  const address = u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!
  const key = u32[(entry + WQE_REMOTE_KEY) >>> 2]!
  if (awaitsResponse(request)) {
    yield requestPacket(hca, request, header, from * mtuBytes, { address, key })
    return
  }
  for (let index = from; index < request.psnCount; index++) {
    const [first, last] = [index === 0, index === request.psnCount - 1]
    const skip = index * mtuBytes
    const writes = request.opcode === RDMA_WRITE || request.opcode === RDMA_WRITE_WITH_IMMEDIATE
    const datum = u32[(entry + WQE_IMMEDIATE) >>> 2]!
    const invalidates = request.opcode === SEND_WITH_INVALIDATE
    const immediate =
      request.opcode === SEND_WITH_IMMEDIATE || request.opcode === RDMA_WRITE_WITH_IMMEDIATE
    yield {
      ...header,
      opcode: (reliable ? RC_PACKET : UC_PACKET) | operation(request.opcode, first, last),
      psn: addPsn(request.firstPsn, index),
      acknowledgeRequest: last && reliable,
      solicited: last && (control & (SOLICITED << 8)) !== 0,
      payload: gatherBytes(hca, entry, skip, Math.min(mtuBytes, bytes - skip)),
      ...(writes && first ? { remote: { address, key, bytes } } : {}),
      ...(immediate && last ? { immediate: datum } : {}),
      ...(invalidates && last ? { invalidateKey: datum } : {}),
    }
  }
}

/** The one packet that asks for a READ, the rest of one, an atomic, or a FLUSH. */
function requestPacket(
  hca: Hca,
  request: StartedRequest,
  header: ReturnType<typeof headerOf>,
  skip: number,
  { address, key }: { address: number; key: number },
): Packet {
  const { entry, opcode, firstPsn, bytes } = request
  if (opcode === RDMA_READ) {
    return {
      ...header,
      opcode: RC_PACKET | READ_REQUEST,
      psn: addPsn(firstPsn, request.responses),
      acknowledgeRequest: true,
      remote: { address: address + skip, key, bytes: bytes - skip },
    }
  }
  if (opcode === FLUSH || opcode === ATOMIC_WRITE) {
    const packet = { ...header, psn: firstPsn, acknowledgeRequest: true }
    const remote = { address, key, bytes }
    if (opcode === FLUSH) {
      const flush = hca.u32[(entry + WQE_IMMEDIATE) >>> 2]!
      return { ...packet, opcode: RC_PACKET | FLUSH_REQUEST, flush, remote }
    }
    const payload = gatherBytes(hca, entry, 0, bytes)
    return { ...packet, opcode: RC_PACKET | ATOMIC_WRITE_REQUEST, payload, remote }
  }
  const operand = hca.i64[(entry + ATOMIC_OPERAND) / 8]!
  const compare = hca.i64[(entry + ATOMIC_COMPARE) / 8]!
  return {
    ...header,
    opcode: RC_PACKET | (opcode === COMPARE_AND_SWAP ? COMPARE_SWAP_REQUEST : FETCH_ADD_REQUEST),
    psn: firstPsn,
    acknowledgeRequest: true,
    remote: { address, key, bytes: 8 },
    atomic: { operand, compare },
  }
}

function operation(opcode: number, first: boolean, last: boolean): number {
  const write = opcode === RDMA_WRITE || opcode === RDMA_WRITE_WITH_IMMEDIATE
  if (!last) {
    if (write) return first ? WRITE_FIRST : WRITE_MIDDLE
    return first ? SEND_FIRST : SEND_MIDDLE
  }
  switch (opcode) {
    case RDMA_WRITE:
      return first ? WRITE_ONLY : WRITE_LAST
    case RDMA_WRITE_WITH_IMMEDIATE:
      return first ? WRITE_ONLY_IMMEDIATE : WRITE_LAST_IMMEDIATE
    case SEND_WITH_IMMEDIATE:
      return first ? SEND_ONLY_IMMEDIATE : SEND_LAST_IMMEDIATE
    case SEND_WITH_INVALIDATE:
      return first ? SEND_ONLY_INVALIDATE : SEND_LAST_INVALIDATE
    default:
      return first ? SEND_ONLY : SEND_LAST
  }
}

/** Copies out `bytes` bytes of the message of a request, from byte `skip` of it on. */
export function gatherBytes(hca: Hca, entry: number, skip: number, bytes: number): Uint8Array {
  const payload = new Uint8Array(Math.max(0, bytes))
  const memory = new Uint8Array(hca.i32.buffer)
  const control = hca.u32[(entry + WQE_CONTROL) >>> 2]!
  if ((control & (INLINE << 8)) !== 0) {
    const start = entry + WQE_SEGMENTS + skip
    payload.set(memory.subarray(start, start + payload.length))
    return payload
  }
  let filled = 0
  for (const { address, length } of segmentsOf(hca, entry)) {
    const taken = Math.min(Math.max(0, length - skip), payload.length - filled)
    payload.set(memory.subarray(address + skip, address + skip + taken), filled)
    filled += taken
    skip = Math.max(0, skip - length)
  }
  return payload
}

/** Puts `payload` into the segments of a request, from byte `skip` of them on. */
export function scatterBytes(hca: Hca, entry: number, skip: number, payload: Uint8Array): void {
  const memory = new Uint8Array(hca.i32.buffer)
  let moved = 0
  for (const { address, length } of segmentsOf(hca, entry)) {
    const taken = Math.min(Math.max(0, length - skip), payload.length - moved)
    if (taken > 0) memory.set(payload.subarray(moved, moved + taken), address + skip)
    moved += taken
    skip = Math.max(0, skip - length)
  }
}

function* segmentsOf(hca: Hca, entry: number): Iterable<{ address: number; length: number }> {
  const { u32 } = hca
  const count = u32[(entry + WQE_CONTROL) >>> 2]! >>> 16
  for (let index = 0; index < count; index++) {
    const segment = entry + WQE_SEGMENTS + index * SEGMENT_BYTES
    yield {
      address: u32[(segment + SEGMENT_ADDRESS) >>> 2]!,
      length: u32[(segment + SEGMENT_LENGTH) >>> 2]!,
    }
  }
}

/** Length of the message of an entry. */
export function messageBytes(hca: Hca, entry: number): number {
  return hca.u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!
}
