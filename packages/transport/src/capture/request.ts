import { partitionKeyOf } from '../hca/queue-pair/find-peer.js'
import { lidOf, MIGRATED, peerLid } from '../hca/queue-pair/path-migration.js'
import type { Hca } from '../hca/hca.js'
import { AH_BYTES, AH_GLOBAL, AH_LID, AH_PATH } from '../wire/address-handle.js'
import { HCA_PORT_MTU_BYTES } from '../wire/hca-block.js'
import {
  QP_MIGRATION_STATE,
  QP_NUMBER,
  QP_PATH_MTU_BYTES,
  QP_PLANE,
  QP_PEER_NUMBER,
  QP_SERVICE,
  QP_SERVICE_LEVEL,
} from '../wire/queue-pair.js'
import { UNRELIABLE_DATAGRAM } from '../wire/service-type.js'
import { WQE_CONTROL, WQE_DESTINATION, WQE_MESSAGE_BYTES } from '../wire/work-queue-entry.js'
import { WQE_REMOTE_ADDRESS } from '../wire/work-queue-entry.js'
import { globalRoute } from './global-route.js'
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
const identifierOf = (index: number): number => index + 1

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
    sourceIdentifier: lidOf(hca.index, i32[(queuePair + QP_PLANE) >>> 2]!),
    destinationIdentifier: peerLid(i32, queuePair),
    armed: i32[(queuePair + QP_MIGRATION_STATE) >>> 2] !== MIGRATED,
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
    globalRoute:
      u32[(handle + AH_GLOBAL) >>> 2] === 1
        ? globalRoute(new Uint8Array(hca.i32.buffer, handle, AH_BYTES), hca.index)
        : undefined,
  }
}
