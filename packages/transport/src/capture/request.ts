import { partitionKeyOf } from '../hca/find-peer.js'
import { writeGlobalIdentifier } from '../hca/global-identifier.js'
import type { Hca } from '../hca/hca.js'
import {
  AH_FLOW_LABEL,
  AH_GID,
  AH_GLOBAL,
  AH_HOPS,
  AH_LID,
  AH_PATH,
  GID_BYTES,
  GRH_BYTES,
} from '../wire/address-handle.js'
import { HCA_PORT_MTU_BYTES } from '../wire/hca-block.js'
import {
  PORT_DOWN_MARK,
  QP_NUMBER,
  QP_PATH_MTU_BYTES,
  QP_PEER_INDEX,
  QP_PEER_NUMBER,
  QP_SERVICE,
  QP_SERVICE_LEVEL,
} from '../wire/queue-pair.js'
import { UNRELIABLE_DATAGRAM } from '../wire/service-type.js'
import { WQE_CONTROL, WQE_DESTINATION, WQE_MESSAGE_BYTES } from '../wire/work-queue-entry.js'
import { WQE_REMOTE_ADDRESS } from '../wire/work-queue-entry.js'
import type { Path } from './packet.js'

/** A request about to be carried: what all of its packets have in common. */
export interface CapturedRequest {
  readonly entry: number
  readonly service: number
  readonly opcode: number
  readonly flags: number
  readonly bytes: number
  readonly mtuBytes: number
  readonly queuePair: number
  readonly path: Path
}

/** LID of the port of the HCA in this place of the world. */
const identifierOf = (index: number): number => (index & ~PORT_DOWN_MARK) + 1

export function requestOf(hca: Hca, queuePair: number, entry: number): CapturedRequest {
  const { i32, u32 } = hca
  const control = u32[(entry + WQE_CONTROL) >>> 2]!
  const service = i32[(queuePair + QP_SERVICE) >>> 2]!
  const datagram = service === UNRELIABLE_DATAGRAM
  const mtuBytes = datagram
    ? i32[(hca.block + HCA_PORT_MTU_BYTES) >>> 2]!
    : i32[(queuePair + QP_PATH_MTU_BYTES) >>> 2]!
  return {
    entry,
    service,
    opcode: control & 0xff,
    flags: (control >>> 8) & 0xff,
    bytes: u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!,
    mtuBytes,
    queuePair,
    path: datagram ? datagramPath(hca, queuePair, entry) : connectedPath(hca, queuePair),
  }
}

function connectedPath(hca: Hca, queuePair: number): Path {
  const { i32 } = hca
  return {
    sourceIdentifier: identifierOf(hca.index),
    destinationIdentifier: identifierOf(i32[(queuePair + QP_PEER_INDEX) >>> 2]!),
    serviceLevel: i32[(queuePair + QP_SERVICE_LEVEL) >>> 2]!,
    partitionKey: partitionKeyOf(i32, queuePair),
    destinationNumber: i32[(queuePair + QP_PEER_NUMBER) >>> 2]!,
  }
}

/** The way back, for what answers. */
export function pathBack(hca: Hca, { path, queuePair }: CapturedRequest): Path {
  return {
    ...path,
    sourceIdentifier: path.destinationIdentifier,
    destinationIdentifier: path.sourceIdentifier,
    destinationNumber: hca.i32[(queuePair + QP_NUMBER) >>> 2]!,
  }
}

function datagramPath(hca: Hca, queuePair: number, entry: number): Path {
  const { i32, u32 } = hca
  const handle = u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!
  const way = u32[(handle + AH_PATH) >>> 2]!
  return {
    sourceIdentifier: identifierOf(hca.index) | ((way >>> 8) & 0xff),
    destinationIdentifier: i32[(handle + AH_LID) >>> 2]! & 0xffff,
    serviceLevel: way & 0xf,
    partitionKey: partitionKeyOf(i32, queuePair),
    destinationNumber: i32[(entry + WQE_DESTINATION) >>> 2]!,
    globalRoute: u32[(handle + AH_GLOBAL) >>> 2] === 1 ? globalRouteOf(hca, handle) : undefined,
  }
}

/** GRH, its length left out (IBA vol. 1, 8.3). */
function globalRouteOf(hca: Hca, handle: number): Uint8Array {
  const route = new Uint8Array(GRH_BYTES)
  const hops = hca.u32[(handle + AH_HOPS) >>> 2]!
  const IP_VERSION = 6
  const TRANSPORT = 0x1b
  const first = (IP_VERSION << 28) | (((hops >>> 8) & 0xff) << 20)
  new DataView(route.buffer).setUint32(0, (first | hca.u32[(handle + AH_FLOW_LABEL) >>> 2]!) >>> 0)
  route[6] = TRANSPORT
  route[7] = hops & 0xff
  writeGlobalIdentifier(route.subarray(8, 24), hca.index)
  route.set(new Uint8Array(hca.i32.buffer, handle + AH_GID, GID_BYTES), 24)
  return route
}
