import { RECEIVER_NOT_READY } from '../../fabric/fabric.js'
import { ringDoorbell } from '../../ring/doorbell.js'
import { pushReady } from '../../ring/ready-list.js'
import { addWaiter, hasWaiter, removeWaiter, wakeThisWaiter } from '../../ring/waiter-list.js'
import { wakeWaiter } from '../../ring/waiter-list.js'
import { RETRY_EXCEEDED } from '../../wire/completion-status.js'
import { HCA_DOORBELL } from '../../wire/hca-block.js'
import { QP_EARLY_LOCK, QP_NUMBER, QP_PATH_MTU_BYTES } from '../../wire/queue-pair.js'
import { QP_PEER_NUMBER, QP_STATE } from '../../wire/queue-pair.js'
import { INIT, RESET } from '../../wire/queue-pair-state.js'
import { RECEIVE_WAIT_LOCK } from '../../wire/receive-ring.js'
import type { Hca } from '../hca.js'
import { isListening } from '../responder/listening.js'

// Senders whose peer is about to be connected, as happens when one side is slow to come up. They
// stand in a list of the peer's own and not at its receive ring: a receive posted meanwhile is
// nothing to them, and waking them for it would keep it from those it is for.

/** Where a receive ring would lie whose waiter list were the list of a queue pair's early senders. */
const EARLY_LIST = QP_EARLY_LOCK - RECEIVE_WAIT_LOCK

/**
 * Waits for `peer`, which was found not to listen, if it is about to be connected. Any other is
 * unreachable, unless it has come up by now.
 */
export function waitUntilConnected(hca: Hca, queuePair: number, peer: number): number {
  const { i32 } = hca
  if (!isComingUp(i32, queuePair, peer)) {
    if (!isListening(hca, queuePair, peer)) return RETRY_EXCEEDED
    pushReady(i32, hca.block, queuePair)
    return RECEIVER_NOT_READY
  }
  addWaiter(i32, peer + EARLY_LIST, queuePair)
  // After joining: whoever changes state or number stores it, then looks for waiters.
  if (!isComingUp(i32, queuePair, peer)) wakeThisWaiter(i32, peer + EARLY_LIST, queuePair)
  return RECEIVER_NOT_READY
}

/**
 * Whether the peer is in INIT, or has never been connected. One that was connected and is in RESET has
 * left the connection.
 */
function isComingUp(i32: Int32Array, queuePair: number, peer: number): boolean {
  const number = Atomics.load(i32, (peer + QP_NUMBER) >>> 2) // 0 once it is destroyed
  if (number !== i32[(queuePair + QP_PEER_NUMBER) >>> 2]) return false
  // Before the state: set on the way from INIT, it says nothing about a RESET seen earlier.
  const mtuBytes = Atomics.load(i32, (peer + QP_PATH_MTU_BYTES) >>> 2)
  const state = Atomics.load(i32, (peer + QP_STATE) >>> 2) // the owner changes it
  return state === INIT || (state === RESET && mtuBytes === 0)
}

/** Has all early senders of a queue pair look again: it is connected, or will not be. */
export function wakeEarlySenders(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  while (hasWaiter(i32, queuePair + EARLY_LIST)) {
    const block = wakeWaiter(i32, queuePair + EARLY_LIST)
    if (block !== 0 && block !== hca.block) ringDoorbell(i32, block + HCA_DOORBELL)
  }
}

/** Takes a queue pair off the list of its peer's early senders, if it stands there. */
export function leaveEarlySenders(i32: Int32Array, queuePair: number, peer: number): void {
  removeWaiter(i32, peer + EARLY_LIST, queuePair)
}
