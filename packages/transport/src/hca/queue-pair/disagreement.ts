import { QP_NUMBER, QP_PATH_MTU_BYTES, QP_RECEIVE_PSN } from '../../wire/queue-pair.js'
import { QP_PEER_NUMBER, QP_SEND_PSN, QP_SERVICE, QP_STATE } from '../../wire/queue-pair.js'
import { READY_TO_SEND, receives } from '../../wire/queue-pair-state.js'
import { RELIABLE_CONNECTED } from '../../wire/service-type.js'
import type { Hca } from '../hca.js'
import { findPeer } from './find-peer.js'

const HALF = 1 << 23

/**
 * Warns of what two ends were told and do not agree on, when the later of them becomes ready to send.
 * Nothing of it fails at once: the sender learns it by a retry counter, or not at all.
 */
export function warnOfDisagreement(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  const peer = findPeer(i32, queuePair)
  if (peer === 0 || i32[(peer + QP_SERVICE) >>> 2] !== i32[(queuePair + QP_SERVICE) >>> 2]) return
  const state = Atomics.load(i32, (peer + QP_STATE) >>> 2) // the peer's thread changes it
  if (!receives(state)) return
  if (i32[(peer + QP_PEER_NUMBER) >>> 2] !== i32[(queuePair + QP_NUMBER) >>> 2]) return
  compareMtus(hca, queuePair, peer)
  if (i32[(queuePair + QP_SERVICE) >>> 2] !== RELIABLE_CONNECTED) return
  compareNumbers(hca, queuePair, peer)
  if (state === READY_TO_SEND) compareNumbers(hca, peer, queuePair)
}

function compareMtus(hca: Hca, queuePair: number, peer: number): void {
  const mtuOf = (end: number): number => hca.i32[(end + QP_PATH_MTU_BYTES) >>> 2]!
  if (mtuOf(queuePair) === mtuOf(peer)) return
  hca.warn?.(
    `${nameOf(hca, queuePair)} has a path MTU of ${mtuOf(queuePair)} bytes, its peer one of ` +
      `${mtuOf(peer)}: in packets, messages of several are refused`,
  )
}

function compareNumbers(hca: Hca, sender: number, receiver: number): void {
  const first = hca.i32[(sender + QP_SEND_PSN) >>> 2]!
  const expected = hca.i32[(receiver + QP_RECEIVE_PSN) >>> 2]!
  if (first === expected) return
  const behind = ((expected - first) & (2 * HALF - 1)) < HALF
  hca.warn?.(
    `${nameOf(hca, sender)} sends from packet ${first}, its peer expects ${expected}: in packets, ` +
      (behind ? 'the first are taken for repeated ones and not delivered' : 'none is accepted'),
  )
}

function nameOf({ i32 }: Hca, queuePair: number): string {
  return `queue pair 0x${i32[(queuePair + QP_NUMBER) >>> 2]!.toString(16)}`
}
