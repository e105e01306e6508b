import { takeReceive } from '../../ring/receive-queue.js'
import {
  AH_FLOW_LABEL,
  AH_GID,
  AH_GLOBAL,
  AH_HOPS,
  AH_PATH,
  GID_BYTES,
  GRH_BYTES,
} from '../../wire/address-handle.js'
import { LOCAL_WRITE } from '../../wire/access.js'
import { COMPLETION_GRH, COMPLETION_SERVICE_LEVEL_SHIFT } from '../../wire/completion-queue.js'
import { COMPLETION_WITH_IMMEDIATE } from '../../wire/completion-queue.js'
import { LOCAL_PROTECTION_ERROR, REMOTE_ABORTED } from '../../wire/completion-status.js'
import { CAUSE_MESSAGE_TOO_LONG, CAUSE_PEER_RECEIVE_MEMORY } from '../../wire/error-cause.js'
import { HCA_PORT_BAD_QUEUE_KEYS } from '../../wire/hca-block.js'
import { COMPLETED_RECEIVE, SEND_WITH_IMMEDIATE } from '../../wire/opcode.js'
import {
  QP_HCA,
  QP_NUMBER,
  QP_PEER_INDEX,
  QP_QUEUE_KEY,
  QP_RECEIVE_RING,
} from '../../wire/queue-pair.js'
import { PORT_DOWN_MARK, QP_SERVICE, QP_SRQ, QP_STATE } from '../../wire/queue-pair.js'
import { receives } from '../../wire/queue-pair-state.js'
import { RECEIVE_DOMAIN } from '../../wire/receive-ring.js'
import { UNRELIABLE_DATAGRAM } from '../../wire/service-type.js'
import {
  WQE_CONTROL,
  WQE_IMMEDIATE,
  WQE_MESSAGE_BYTES,
  WQE_REMOTE_KEY,
} from '../../wire/work-queue-entry.js'
import { enterHca, leaveHca } from '../memory/access-slot.js'
import { pushReceived, solicitedFlag } from '../responder/deliver.js'
import { completeFailedReceive } from '../responder/failed-receive.js'
import { sharePartition } from '../queue-pair/find-peer.js'
import { writeGlobalIdentifier } from './global-identifier.js'
import type { Hca } from '../hca.js'
import { gather } from '../memory/move-bytes.js'
import { announceLimit } from '../requester/receiver-not-ready.js'
import { TAKEN_AT_LIMIT } from '../../ring/receive-queue.js'
import { checkRegion, findValidRegion } from '../memory/region-table.js'

/** Brings a datagram to one queue pair; whatever is wrong with it there, it is dropped in silence. */
export function deliverDatagram(
  hca: Hca,
  queuePair: number,
  entry: number,
  handle: number,
  member: number,
  number: number,
  origin: number = hca.index,
): void {
  enterHca(hca, hca.u32[(member + QP_HCA) >>> 2]!)
  if (takesDatagrams(hca, queuePair, entry, member, number)) {
    placeDatagram(hca, queuePair, entry, handle, member, origin)
  }
  leaveHca(hca)
}

function takesDatagrams(
  hca: Hca,
  queuePair: number,
  entry: number,
  member: number,
  number: number,
): boolean {
  const { i32 } = hca
  const state = hca.kernels.acquire(member + QP_STATE) // after the access slot's store
  if (!receives(state) || i32[(member + QP_NUMBER) >>> 2] !== number) return false
  if (i32[(member + QP_SERVICE) >>> 2] !== UNRELIABLE_DATAGRAM) return false
  if ((i32[(member + QP_PEER_INDEX) >>> 2]! & PORT_DOWN_MARK) !== 0) return false
  if (!sharePartition(i32, queuePair, member)) return false
  const key = queueKeyOf(i32, queuePair, i32[(entry + WQE_REMOTE_KEY) >>> 2]!)
  if (i32[(member + QP_QUEUE_KEY) >>> 2] === key) return true
  const block = i32[(member + QP_HCA) >>> 2]! >>> 0
  Atomics.add(i32, (block + HCA_PORT_BAD_QUEUE_KEYS) >>> 2, 1) // any sender counts
  return false
}

/** A key with its top bit set stands for the queue pair's own (IBA vol. 1, 10.2.4: Q_Keys). */
export function queueKeyOf(i32: Int32Array, queuePair: number, key: number): number {
  return key < 0 ? i32[(queuePair + QP_QUEUE_KEY) >>> 2]! : key
}

function placeDatagram(
  hca: Hca,
  queuePair: number,
  entry: number,
  handle: number,
  member: number,
  origin: number,
): void {
  const { i32, u32, taken } = hca
  const ring = u32[(member + QP_RECEIVE_RING) >>> 2]!
  const outcome = takeReceive(i32, ring, taken)
  if (outcome === 0) return
  if (outcome === TAKEN_AT_LIMIT) announceLimit(hca, ring)
  const bytes = u32[(entry + WQE_MESSAGE_BYTES) >>> 2]! + GRH_BYTES
  if (bytes > taken[2]!) {
    hca.cause = CAUSE_MESSAGE_TOO_LONG
    // A receive of a shared queue cannot be put back: it ends as aborted.
    if (i32[(member + QP_SRQ) >>> 2] !== 0) completeFailedReceive(hca, member, REMOTE_ABORTED)
    else completeFailedReceive(hca, member, LOCAL_LENGTH)
    return
  }
  const control = i32[(entry + WQE_CONTROL) >>> 2]!
  const withImmediate = (control & 0xff) === SEND_WITH_IMMEDIATE
  writeRouteHeader(hca, handle, bytesOfPacket(bytes - GRH_BYTES, withImmediate), origin)
  if (!scatterDatagram(hca, member, ring, entry, bytes)) {
    hca.cause = CAUSE_PEER_RECEIVE_MEMORY
    completeFailedReceive(hca, member, LOCAL_PROTECTION_ERROR)
    return
  }
  let flags = solicitedFlag(control)
  if (withImmediate) flags |= COMPLETION_WITH_IMMEDIATE
  if (i32[(handle + AH_GLOBAL) >>> 2] === 1) flags |= COMPLETION_GRH
  flags |= (i32[(handle + AH_PATH) >>> 2]! & 0xf) << COMPLETION_SERVICE_LEVEL_SHIFT
  const immediate = i32[(entry + WQE_IMMEDIATE) >>> 2]!
  const source = i32[(queuePair + QP_NUMBER) >>> 2]!
  pushReceived(hca, member, COMPLETED_RECEIVE, flags, bytes, immediate, source, origin)
}

const LOCAL_LENGTH = 1

/** What follows a global route header: BTH, DETH, immediate data, the padded payload, invariant CRC. */
function bytesOfPacket(payloadBytes: number, withImmediate: boolean): number {
  return 12 + 8 + (withImmediate ? 4 : 0) + ((payloadBytes + 3) & ~3) + 4
}

/** Writes the global route header that receivers find in the first 40 bytes (IBA vol. 1, 8.3). */
function writeRouteHeader(hca: Hca, handle: number, packetBytes: number, origin: number): void {
  const { u32 } = hca
  const bytes = new Uint8Array(hca.i32.buffer, hca.scratch, GRH_BYTES)
  bytes.fill(0)
  if (u32[(handle + AH_GLOBAL) >>> 2] !== 1) return
  const view = new DataView(hca.i32.buffer, hca.scratch, GRH_BYTES)
  const hops = u32[(handle + AH_HOPS) >>> 2]!
  const IP_VERSION = 6
  const NEXT_HEADER_TRANSPORT = 0x1b
  const trafficClass = (hops >>> 8) & 0xff
  view.setUint32(
    0,
    ((IP_VERSION << 28) | (trafficClass << 20) | u32[(handle + AH_FLOW_LABEL) >>> 2]!) >>> 0,
  )
  view.setUint16(4, packetBytes)
  view.setUint8(6, NEXT_HEADER_TRANSPORT)
  view.setUint8(7, hops & 0xff)
  writeGlobalIdentifier(bytes.subarray(8, 24), origin)
  bytes.set(new Uint8Array(hca.i32.buffer, handle + AH_GID, GID_BYTES), 24)
}

/** Moves the header, then the message, into the segments of the receive taken. */
function scatterDatagram(
  hca: Hca,
  member: number,
  ring: number,
  entry: number,
  bytes: number,
): boolean {
  const { u32, taken } = hca
  const block = u32[(member + QP_HCA) >>> 2]!
  const domain = u32[(ring + RECEIVE_DOMAIN) >>> 2]!
  let moved = 0
  for (let segment = 4; moved < bytes; segment += 4) {
    const address = taken[segment]!
    const part = Math.min(taken[segment + 1]!, bytes - moved)
    if (part === 0) continue
    const region = findValidRegion(hca.i32, block, taken[segment + 2]!)
    if (checkRegion(hca, region, domain, address, part, LOCAL_WRITE) !== 0) return false
    const header = Math.min(part, Math.max(0, GRH_BYTES - moved))
    if (header > 0) hca.kernels.copy(address, hca.scratch + moved, header)
    if (part > header)
      gather(hca, entry, moved + header - GRH_BYTES, part - header, address + header)
    moved += part
  }
  return true
}
