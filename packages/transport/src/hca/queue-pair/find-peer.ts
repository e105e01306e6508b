import { HCA_PARTITION_KEYS, HCA_PORT_BAD_PARTITION_KEYS } from '../../wire/hca-block.js'
import { PORT_DOWN_MARK, QP_HCA, QP_PARTITION_KEY_INDEX } from '../../wire/queue-pair.js'
import { QP_PEER_INDEX, QP_PEER_NUMBER } from '../../wire/queue-pair.js'
import { hcaAddress, hcaCount } from '../hca-table.js'
import { findQueuePairByNumber } from './queue-pair-list.js'
import { isPathOpen } from '../connection/path.js'

const FULL_MEMBER = 0x8000

/**
 * Looks up the peer that a connected queue pair names by LID and number.
 *
 * @returns its address; 0 when there is none, a port on the way is down, or the partitions differ
 */
export function findPeer(i32: Int32Array, queuePair: number): number {
  const number = i32[(queuePair + QP_PEER_NUMBER) >>> 2]!
  const index = i32[(queuePair + QP_PEER_INDEX) >>> 2]! & ~PORT_DOWN_MARK
  if (number === 0 || index < 0 || index >= hcaCount(i32)) return 0
  const near = i32[(queuePair + QP_HCA) >>> 2]! >>> 0
  const far = hcaAddress(i32, index)
  if (!isPathOpen(i32, near, far)) return 0
  const peer = findQueuePairByNumber(i32, index, number)
  return peer !== 0 && sharePartition(i32, queuePair, peer) ? peer : 0
}

/** Partition key that packets of a queue pair carry. */
export function partitionKeyOf(i32: Int32Array, queuePair: number): number {
  const block = i32[(queuePair + QP_HCA) >>> 2]! >>> 0
  const index = i32[(queuePair + QP_PARTITION_KEY_INDEX) >>> 2]!
  return i32[(block + HCA_PARTITION_KEYS + index * 4) >>> 2]!
}

/** Whether two partition keys match: the same partition, and one of them a full member. */
export function partitionKeysMatch(left: number, right: number): boolean {
  const same = (left & ~FULL_MEMBER) === (right & ~FULL_MEMBER) && (left & ~FULL_MEMBER) !== 0
  return same && ((left | right) & FULL_MEMBER) !== 0
}

/** Whether the peer takes packets with the partition key of `queuePair`; counted if it does not. */
export function sharePartition(i32: Int32Array, queuePair: number, peer: number): boolean {
  if (partitionKeysMatch(partitionKeyOf(i32, queuePair), partitionKeyOf(i32, peer))) return true
  const block = i32[(peer + QP_HCA) >>> 2]! >>> 0
  Atomics.add(i32, (block + HCA_PORT_BAD_PARTITION_KEYS) >>> 2, 1) // any sender counts
  return false
}
