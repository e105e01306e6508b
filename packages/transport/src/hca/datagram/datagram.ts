import { AH_DOMAIN, AH_GLOBAL, AH_LID, GRH_BYTES } from '../../wire/address-handle.js'
import {
  LOCAL_LENGTH_ERROR,
  LOCAL_QP_OPERATION_ERROR,
  SUCCESS,
} from '../../wire/completion-status.js'
import { CAUSE_FOREIGN_ADDRESS_HANDLE, CAUSE_MESSAGE_BEYOND_LIMIT } from '../../wire/error-cause.js'
import { HCA_PORT_MTU_BYTES } from '../../wire/hca-block.js'
import { MULTICAST_NUMBER } from '../../wire/multicast-attachment.js'
import { QP_DOMAIN } from '../../wire/queue-pair.js'
import {
  WQE_DESTINATION,
  WQE_MESSAGE_BYTES,
  WQE_REMOTE_ADDRESS,
} from '../../wire/work-queue-entry.js'
import { deliverDatagram } from './datagram-delivery.js'
import type { Hca } from '../hca.js'
import { hcaAddress, hcaCount } from '../hca-table.js'
import { groupMembers } from './multicast.js'
import { isPathOpen } from '../connection/path.js'
import { findQueuePairByNumber } from '../queue-pair/queue-pair-list.js'

/**
 * Sends a datagram: one packet, to a queue pair or to all of a multicast group. It succeeds once it
 * has left; whether it arrives nobody says (IBA vol. 1, 9.8.3: UD).
 *
 * @returns the sender's completion status
 */
export function sendDatagram(hca: Hca, queuePair: number, entry: number): number {
  const failed = checkDatagram(hca, queuePair, entry)
  if (failed !== SUCCESS) return failed
  const handle = hca.u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!
  const destination = hca.i32[(entry + WQE_DESTINATION) >>> 2]!
  if (destination === MULTICAST_NUMBER) {
    for (const { member, number } of groupMembers(hca.i32, handle)) {
      deliverDatagram(hca, queuePair, entry, handle, member, number)
    }
    return SUCCESS
  }
  const index = hca.i32[(handle + AH_LID) >>> 2]! - 1
  if (index < 0 || index >= hcaCount(hca.i32)) return SUCCESS
  if (!isPathOpen(hca.i32, hca.block, hcaAddress(hca.i32, index))) return SUCCESS
  const member = findQueuePairByNumber(hca.i32, index, destination)
  if (member !== 0) deliverDatagram(hca, queuePair, entry, handle, member, destination)
  return SUCCESS
}

/** What the sender's HCA refuses by itself. */
export function checkDatagram(hca: Hca, queuePair: number, entry: number): number {
  const { u32 } = hca
  const handle = u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!
  if (handle === 0 || u32[(handle + AH_DOMAIN) >>> 2] !== u32[(queuePair + QP_DOMAIN) >>> 2]) {
    hca.cause = CAUSE_FOREIGN_ADDRESS_HANDLE
    return LOCAL_QP_OPERATION_ERROR
  }
  if (u32[(entry + WQE_MESSAGE_BYTES) >>> 2]! > u32[(hca.block + HCA_PORT_MTU_BYTES) >>> 2]!) {
    hca.cause = CAUSE_MESSAGE_BEYOND_LIMIT
    return LOCAL_LENGTH_ERROR
  }
  return SUCCESS
}

/** Whether datagrams by this handle carry a global route header. */
export function isGlobal(i32: Int32Array, handle: number): boolean {
  return i32[(handle + AH_GLOBAL) >>> 2] === 1
}

export { GRH_BYTES }
