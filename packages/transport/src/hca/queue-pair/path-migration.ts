import { EVENT_PATH_MIGRATED, EVENT_PATH_MIGRATION_ERROR } from '../../wire/asynchronous-event.js'
import { PORT_DOWN_MARK, QP_ALTERNATE_LID, QP_MIGRATION_STATE } from '../../wire/queue-pair.js'
import { QP_PEER_INDEX, QP_PLANE } from '../../wire/queue-pair.js'
import { raiseQueuePairEvent } from '../port/events.js'
import type { Hca } from '../hca.js'
import { findPeer } from './find-peer.js'

// Automatic path migration (IBA vol. 1, 17.2.8). Every port is reached in two planes of the subnet: in
// the first by its LID, in the second by a LID that is 0x4000 more. A path is a LID.

/** States of path migration, numbered as `ibv_mig_state`. */
export const MIGRATED = 0
export const REARM = 1
export const ARMED = 2

const SECOND_PLANE = 0x4000
const LID_END = 0x8000

function isInSecondPlane(identifier: number): boolean {
  return identifier > SECOND_PLANE && identifier < LID_END
}

/** HCA index of the port that a LID leads to. */
export function indexOfLid(identifier: number): number {
  return (isInSecondPlane(identifier) ? identifier - SECOND_PLANE : identifier) - 1
}

/** 0 or 1: the plane that a LID leads through. */
export function planeOfLid(identifier: number): number {
  return isInSecondPlane(identifier) ? 1 : 0
}

/** LID of a port in a plane. */
export function lidOf(index: number, plane: number): number {
  return index + 1 + plane * SECOND_PLANE
}

/** LID by which a queue pair reaches its peer. */
export function peerLid(i32: Int32Array, queuePair: number): number {
  const index = i32[(queuePair + QP_PEER_INDEX) >>> 2]! & ~PORT_DOWN_MARK
  return lidOf(index, i32[(queuePair + QP_PLANE) >>> 2]!)
}

/**
 * Goes over to the alternate path of a queue pair that is armed, and tells its owner; whether there is
 * a way to go on by.
 */
export function migrate(hca: Hca, queuePair: number): boolean {
  const state = (queuePair + QP_MIGRATION_STATE) >>> 2
  // Exchanged, so that of two threads one migrates.
  if (Atomics.compareExchange(hca.i32, state, ARMED, MIGRATED) !== ARMED) return false
  return takeAlternate(hca, queuePair)
}

function takeAlternate(hca: Hca, queuePair: number): boolean {
  const { i32 } = hca
  const alternate = i32[(queuePair + QP_ALTERNATE_LID) >>> 2]!
  const index = i32[(queuePair + QP_PEER_INDEX) >>> 2]! & ~PORT_DOWN_MARK
  const leads = alternate !== 0 && indexOfLid(alternate) === index
  if (leads) i32[(queuePair + QP_PLANE) >>> 2] = planeOfLid(alternate)
  raiseQueuePairEvent(hca, queuePair, leads ? EVENT_PATH_MIGRATED : EVENT_PATH_MIGRATION_ERROR)
  return leads
}

/** The same where the peer learns it at once, not from packets. */
export function migrateBoth(hca: Hca, queuePair: number): boolean {
  if (!migrate(hca, queuePair)) return false
  const peer = findPeer(hca.i32, queuePair)
  if (peer !== 0) migrate(hca, peer)
  return true
}

/** The owner asked for a state: it armed the queue pair, or has it migrate now. */
export function changeMigrationState(
  hca: Hca,
  queuePair: number,
  asked: number,
  before: number,
): void {
  if (asked === MIGRATED && before === ARMED) takeAlternate(hca, queuePair)
  if (hca.packets !== undefined) return // the peer learns it from packets
  const peer = findPeer(hca.i32, queuePair)
  if (peer === 0 || peer === queuePair) return // what comes back to itself crosses no plane
  if (asked === MIGRATED) migrate(hca, peer)
  else if (asked === REARM) armBoth(hca.i32, queuePair, peer)
}

function armBoth(i32: Int32Array, queuePair: number, peer: number): void {
  const at = (end: number): number => (end + QP_MIGRATION_STATE) >>> 2
  if (Atomics.load(i32, at(peer)) === MIGRATED) return // not yet: its owner does it then
  for (const end of [queuePair, peer]) {
    Atomics.compareExchange(i32, at(end), REARM, ARMED) // either end may come here first
  }
}

/** A packet has come: what its sender says about its path in the bit MigReq. */
export function noteMigration(hca: Hca, queuePair: number, migrated: boolean): void {
  const state = (queuePair + QP_MIGRATION_STATE) >>> 2
  if (migrated) migrate(hca, queuePair)
  // The peer is rearmed as well, or armed already.
  else Atomics.compareExchange(hca.i32, state, REARM, ARMED)
}
