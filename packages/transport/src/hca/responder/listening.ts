import { EVENT_COMMUNICATION_ESTABLISHED } from '../../wire/asynchronous-event.js'
import {
  NOTICE_ESTABLISHED,
  QP_NUMBER,
  QP_PEER_INDEX,
  QP_PEER_NUMBER,
} from '../../wire/queue-pair.js'
import { QP_STATE } from '../../wire/queue-pair.js'
import { READY_TO_RECEIVE, READY_TO_SEND, receives } from '../../wire/queue-pair-state.js'
import { raiseOnce } from '../port/events.js'
import type { Hca } from '../hca.js'

/** Whether the peer is the one this queue pair is connected to, and takes messages. */
export function isListening(hca: Hca, queuePair: number, peer: number): boolean {
  const { i32 } = hca
  // An atomic load: after the access slot's store, before anything of the peer is used.
  const state = hca.kernels.acquire(peer + QP_STATE)
  if (state !== READY_TO_SEND && !receives(state)) return false
  if (
    i32[(peer + QP_NUMBER) >>> 2] !== i32[(queuePair + QP_PEER_NUMBER) >>> 2] ||
    i32[(peer + QP_PEER_NUMBER) >>> 2] !== i32[(queuePair + QP_NUMBER) >>> 2] ||
    i32[(peer + QP_PEER_INDEX) >>> 2] !== hca.index
  ) {
    return false
  }
  return state === READY_TO_SEND || establish(hca, peer, state)
}

/** The first message taken while ready to receive only says so to the owner (COMM_EST). */
export function establish(hca: Hca, peer: number, state: number): boolean {
  if (state === READY_TO_RECEIVE) {
    raiseOnce(hca, peer, EVENT_COMMUNICATION_ESTABLISHED, NOTICE_ESTABLISHED)
  }
  return true
}
