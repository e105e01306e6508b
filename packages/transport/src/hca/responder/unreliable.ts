import { LOCAL_QP_OPERATION_ERROR, SUCCESS } from '../../wire/completion-status.js'
import { CAUSE_NOT_OF_SERVICE } from '../../wire/error-cause.js'
import { QP_SERVICE } from '../../wire/queue-pair.js'
import { RELIABLE_CONNECTED, UNRELIABLE_DATAGRAM } from '../../wire/service-type.js'
import { WQE_CONTROL } from '../../wire/work-queue-entry.js'
import { sendDatagram } from '../datagram/datagram.js'
import type { Hca } from '../hca.js'
import { hasOperation } from '../operations.js'
import { carryUnreliably } from './unreliable-connected.js'

/** The queue pair is a reliable one. */
export const NO_PEER = -1

/**
 * Carries a request of a queue pair that has no peer to deliver to at once: one of an unreliable
 * service, whose way is looked for with each message.
 *
 * @returns a completion status; `NO_PEER` when the queue pair is a reliable one that has no peer
 */
export function carryWithoutPeer(hca: Hca, queuePair: number, entry: number): number {
  const service = hca.i32[(queuePair + QP_SERVICE) >>> 2]!
  if (service === RELIABLE_CONNECTED) return NO_PEER
  if (!hasOperation(service, hca.i32[(entry + WQE_CONTROL) >>> 2]! & 0xff)) {
    hca.cause = CAUSE_NOT_OF_SERVICE
    return LOCAL_QP_OPERATION_ERROR
  }
  if (service === UNRELIABLE_DATAGRAM) return sendDatagram(hca, queuePair, entry)
  carryUnreliably(hca, queuePair, entry)
  return SUCCESS // the message may be lost; nobody says so
}
