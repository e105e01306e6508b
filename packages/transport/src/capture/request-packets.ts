import { queueKeyOf } from '../hca/datagram/datagram-delivery.js'
import type { Hca } from '../hca/hca.js'
import { ATOMIC_WRITE, FLUSH } from '../wire/opcode.js'
import { COMPARE_AND_SWAP, FETCH_AND_ADD, RDMA_READ, RDMA_WRITE } from '../wire/opcode.js'
import {
  RDMA_WRITE_WITH_IMMEDIATE,
  SEND_WITH_IMMEDIATE,
  SEND_WITH_INVALIDATE,
} from '../wire/opcode.js'
import { QP_NUMBER } from '../wire/queue-pair.js'
import { RELIABLE_CONNECTED, UNRELIABLE_DATAGRAM } from '../wire/service-type.js'
import { ATOMIC_COMPARE, ATOMIC_OPERAND, SOLICITED } from '../wire/work-queue-entry.js'
import { WQE_IMMEDIATE, WQE_REMOTE_ADDRESS, WQE_REMOTE_KEY } from '../wire/work-queue-entry.js'
import { requestOpcode } from './packet-opcode.js'
import { type Packet, SEQUENCE_MASK } from './packet.js'
import type { CapturedRequest } from './request.js'

/** Whether the message travels with the request. */
export function carriesData({ opcode }: CapturedRequest): boolean {
  return opcode < RDMA_READ || opcode === SEND_WITH_INVALIDATE || opcode === ATOMIC_WRITE
}

/** Whether the message comes back with the answer. */
export function bringsData({ opcode }: CapturedRequest): boolean {
  return opcode === RDMA_READ || opcode === COMPARE_AND_SWAP || opcode === FETCH_AND_ADD
}

/** Packets of a message of `bytes` bytes, an empty one included. */
export function packetCount(bytes: number, mtuBytes: number): number {
  return Math.max(1, Math.ceil(bytes / mtuBytes))
}

/** Sequence numbers that a request takes: a READ as many as its answer has packets. */
export function sequenceCount(request: CapturedRequest): number {
  if (request.service === UNRELIABLE_DATAGRAM) return 1
  if (!carriesData(request) && request.opcode !== RDMA_READ) return 1
  return packetCount(request.bytes, request.mtuBytes)
}

/** The packets of a request, its message `data` cut by the path's MTU (IBA vol. 1, 9.4). */
export function* requestPackets(
  hca: Hca,
  request: CapturedRequest,
  first: number,
  data: Uint8Array,
): Iterable<Packet> {
  const { opcode, service, flags } = request
  const count = carriesData(request) ? sequenceCount(request) : 1
  const pieceBytes = service === UNRELIABLE_DATAGRAM ? data.length : request.mtuBytes
  for (let index = 0; index < count; index++) {
    const last = index === count - 1
    yield {
      opcode: requestOpcode(service, opcode, { index, count }),
      sequence: (first + index) & SEQUENCE_MASK,
      solicited: last && (flags & SOLICITED) !== 0,
      acknowledgeRequest: last && service === RELIABLE_CONNECTED,
      ...(index === 0 ? firstHeaders(hca, request) : undefined),
      ...(last ? lastHeaders(hca, request) : undefined),
      payload: data.subarray(index * pieceBytes, (index + 1) * pieceBytes),
    }
  }
}

/** Operations that name a range at the peer. */
const reaching: ReadonlySet<number> = new Set([
  ...[RDMA_READ, RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, ATOMIC_WRITE],
])

function firstHeaders(hca: Hca, request: CapturedRequest): Partial<Packet> {
  const { u32, i64, i32 } = hca
  const { entry, opcode, queuePair } = request
  const address = u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!
  const key = u32[(entry + WQE_REMOTE_KEY) >>> 2]!
  if (request.service === UNRELIABLE_DATAGRAM) {
    const sourceNumber = i32[(queuePair + QP_NUMBER) >>> 2]!
    return { datagram: { queueKey: queueKeyOf(i32, queuePair, key | 0) >>> 0, sourceNumber } }
  }
  if (opcode === COMPARE_AND_SWAP || opcode === FETCH_AND_ADD) {
    const operand = i64[(entry + ATOMIC_OPERAND) >>> 3]!
    const compare = opcode === COMPARE_AND_SWAP ? i64[(entry + ATOMIC_COMPARE) >>> 3]! : 0n
    return { atomic: { address, key, operand, compare } }
  }
  const remote = { address, key, bytes: request.bytes }
  if (opcode === FLUSH) return { flush: u32[(entry + WQE_IMMEDIATE) >>> 2]!, remote }
  return reaching.has(opcode) ? { remote } : {}
}

function lastHeaders(hca: Hca, { entry, opcode, service }: CapturedRequest): Partial<Packet> {
  const datum = hca.u32[(entry + WQE_IMMEDIATE) >>> 2]!
  if (opcode === SEND_WITH_IMMEDIATE || opcode === RDMA_WRITE_WITH_IMMEDIATE) {
    return { immediate: datum }
  }
  const invalidates = opcode === SEND_WITH_INVALIDATE && service === RELIABLE_CONNECTED
  return invalidates ? { invalidateKey: datum } : {}
}
