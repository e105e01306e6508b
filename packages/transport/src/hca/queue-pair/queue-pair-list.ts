import { lock, unlock } from '../../ring/spin-lock.js'
import { HCA_LOCK, HCA_QUEUE_PAIR_HEAD } from '../../wire/hca-block.js'
import { QP_MANAGED, QP_NEXT, QP_NUMBER, QP_PEER_INDEX, QP_STATE } from '../../wire/queue-pair.js'
import { ERROR, RESET } from '../../wire/queue-pair-state.js'
import { hcaAddress, hcaCount } from '../hca-table.js'

/**
 * The list of all queue pairs of an HCA, newest first. Changed under the HCA's lock; the owner, the
 * only one that removes, may walk it without. There is no table of ranks by ranks: a queue pair
 * exists where two ranks have talked.
 */

/** Puts a queue pair, complete but for its link, on the list. The lock is held. */
export function linkQueuePair(i32: Int32Array, block: number, queuePair: number): void {
  const head = (block + HCA_QUEUE_PAIR_HEAD) >>> 2
  i32[(queuePair + QP_NEXT) >>> 2] = i32[head]!
  Atomics.store(i32, head, queuePair | 0) // after its words: the owner walks without the lock
}

/** Takes a queue pair off the list. The lock is held by the owner. */
export function unlinkQueuePair(i32: Int32Array, block: number, queuePair: number): void {
  let link = (block + HCA_QUEUE_PAIR_HEAD) >>> 2
  while (i32[link]! >>> 0 !== queuePair) link = ((i32[link]! >>> 0) + QP_NEXT) >>> 2
  i32[link] = i32[(queuePair + QP_NEXT) >>> 2]!
}

/** The queue pair that the connection manager made for `peerIndex` and that works; 0 when none does. */
export function findQueuePairByPeer(i32: Int32Array, block: number, peerIndex: number): number {
  let queuePair = firstQueuePair(i32, block)
  while (queuePair !== 0) {
    if (
      i32[(queuePair + QP_PEER_INDEX) >>> 2] === peerIndex &&
      i32[(queuePair + QP_MANAGED) >>> 2] === 1 &&
      isUsable(i32, queuePair)
    ) {
      return queuePair
    }
    queuePair = nextQueuePair(i32, queuePair)
  }
  return 0
}

/** The first of all queue pairs of the HCA at `block`; 0 when there is none. The owner. */
export function firstQueuePair(i32: Int32Array, block: number): number {
  return Atomics.load(i32, (block + HCA_QUEUE_PAIR_HEAD) >>> 2) >>> 0 // peers put queue pairs here
}

/** The one behind `queuePair`; 0 when it is the last. The owner. */
export function nextQueuePair(i32: Int32Array, queuePair: number): number {
  return i32[(queuePair + QP_NEXT) >>> 2]! >>> 0
}

/** The queue pair with a number, in the HCA `index`; 0 when there is none. Any thread. */
export function findQueuePairByNumber(i32: Int32Array, index: number, number: number): number {
  if (index < 0 || index >= hcaCount(i32)) return 0
  const block = hcaAddress(i32, index)
  lock(i32, block + HCA_LOCK)
  let queuePair = i32[(block + HCA_QUEUE_PAIR_HEAD) >>> 2]! >>> 0
  while (queuePair !== 0 && i32[(queuePair + QP_NUMBER) >>> 2] !== number) {
    queuePair = i32[(queuePair + QP_NEXT) >>> 2]! >>> 0
  }
  unlock(i32, block + HCA_LOCK)
  return queuePair
}

function isUsable(i32: Int32Array, queuePair: number): boolean {
  const state = Atomics.load(i32, (queuePair + QP_STATE) >>> 2) // peers may set ERROR
  return state !== ERROR && state !== RESET
}
