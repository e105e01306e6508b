import { lock, unlock } from '../../ring/spin-lock.js'
import {
  HCA_LISTEN_ACCESS,
  HCA_LISTEN_DOMAIN,
  HCA_LISTEN_INLINE_BYTES,
} from '../../wire/hca-block.js'
import {
  HCA_LISTEN_RECEIVE_CQ,
  HCA_LISTEN_SEGMENTS,
  HCA_LISTEN_SEND_CQ,
} from '../../wire/hca-block.js'
import {
  HCA_LISTEN_SEND_ENTRIES,
  HCA_LISTEN_SIGNAL_ALL,
  HCA_LISTEN_SRQ,
} from '../../wire/hca-block.js'
import { HCA_INDEX, HCA_LOCK } from '../../wire/hca-block.js'
import {
  QP_ACCESS,
  QP_ACCESS_GIVEN,
  QP_MIN_RNR_TIMER,
  QP_NUMBER,
  QP_PATH_MTU_BYTES,
  QP_PEER,
} from '../../wire/queue-pair.js'
import { QP_PEER_INDEX, QP_PEER_NUMBER, QP_PEER_READS_MAX, QP_PORT } from '../../wire/queue-pair.js'
import { QP_READS_MAX, QP_RETRY_COUNT, QP_RNR_RETRY, QP_STATE } from '../../wire/queue-pair.js'
import { QP_TIMEOUT } from '../../wire/queue-pair.js'
import { READY_TO_SEND } from '../../wire/queue-pair-state.js'
import { RELIABLE_CONNECTED } from '../../wire/service-type.js'
import type { Hca } from '../hca.js'
import { hcaAddress, hcaCount } from '../hca-table.js'
import { isPathOpen } from './path.js'
import { findQueuePairByPeer } from '../queue-pair/queue-pair-list.js'
import { createQueuePair } from '../queue-pair/queue-pair-life.js'
import { demand } from '../verbs-error.js'

/** What queue pairs are made from when a peer, or the owner, connects. Addresses and capacities. */
export interface ListeningTemplate {
  domain: number
  sendCq: number
  receiveCq: number
  srq: number
  access: number
  sendEntries: number
  segmentsMax: number
  inlineBytesMax: number
  signalAll: boolean
}

/** Publishes the template; from now on peers may connect, and this HCA to them. The owner. */
export function listen(hca: Hca, template: ListeningTemplate): void {
  const { i32, block } = hca
  i32[(block + HCA_LISTEN_SEND_CQ) >>> 2] = template.sendCq
  i32[(block + HCA_LISTEN_RECEIVE_CQ) >>> 2] = template.receiveCq
  i32[(block + HCA_LISTEN_SRQ) >>> 2] = template.srq
  i32[(block + HCA_LISTEN_ACCESS) >>> 2] = template.access
  i32[(block + HCA_LISTEN_SEND_ENTRIES) >>> 2] = template.sendEntries
  i32[(block + HCA_LISTEN_SEGMENTS) >>> 2] = template.segmentsMax
  i32[(block + HCA_LISTEN_INLINE_BYTES) >>> 2] = template.inlineBytesMax
  i32[(block + HCA_LISTEN_SIGNAL_ALL) >>> 2] = template.signalAll ? 1 : 0
  Atomics.store(i32, (block + HCA_LISTEN_DOMAIN) >>> 2, template.domain | 0) // last: it says "listening"
}

/** No peer connects any more once this returns. The owner. */
export function stopListening(hca: Hca): void {
  const { i32, block } = hca
  lock(i32, block + HCA_LOCK) // a peer that is connecting finishes first
  Atomics.store(i32, (block + HCA_LISTEN_DOMAIN) >>> 2, 0) // loaded by peers that connect
  unlock(i32, block + HCA_LOCK)
}

/**
 * The connection manager: gives the queue pair that connects this HCA to HCA `remoteIndex`, making
 * both ends, ready to send, if there is none that works. Both ends are made in the calling thread
 * from the two published templates; nothing is needed from the peer's thread. When both sides
 * connect at once they get the two ends of one pair.
 *
 * An HCA connected to itself has one queue pair, which is its own peer.
 *
 * @returns address of this HCA's end; 0 when one of the two does not listen yet
 */
export function connect(hca: Hca, remoteIndex: number): number {
  const { i32, block } = hca
  demand(remoteIndex >= 0 && remoteIndex < hcaCount(i32), `there is no HCA ${remoteIndex}`)
  const remote = hcaAddress(i32, remoteIndex)
  // The lower address first, so that two that connect to each other do not wait for ever.
  lock(i32, Math.min(block, remote) + HCA_LOCK)
  if (remote !== block) lock(i32, Math.max(block, remote) + HCA_LOCK)
  try {
    const existing = findQueuePairByPeer(i32, block, remoteIndex)
    if (existing !== 0) return existing
    if (!isListening(i32, block) || !isListening(i32, remote)) return 0
    if (!isPathOpen(i32, block, remote)) return 0
    return connectPair(hca, remote)
  } finally {
    if (remote !== block) unlock(i32, Math.max(block, remote) + HCA_LOCK)
    unlock(i32, Math.min(block, remote) + HCA_LOCK)
  }
}

function isListening(i32: Int32Array, block: number): boolean {
  return Atomics.load(i32, (block + HCA_LISTEN_DOMAIN) >>> 2) !== 0 // before the rest of the template
}

/** Makes both ends. Both locks are held. */
function connectPair(hca: Hca, remote: number): number {
  const { i32, block } = hca
  const near = createFromTemplate(hca, block)
  const far = remote === block ? near : createFromTemplate(hca, remote)
  joinTo(i32, near, far, remote)
  if (far !== near) joinTo(i32, far, near, block)
  // The far end first: it must listen when the first message comes.
  Atomics.store(i32, (far + QP_STATE) >>> 2, READY_TO_SEND) // after the words above
  Atomics.store(i32, (near + QP_STATE) >>> 2, READY_TO_SEND) // the same
  return near
}

function createFromTemplate(hca: Hca, block: number): number {
  const { i32, heap } = hca
  const at = (offset: number): number => i32[(block + offset) >>> 2]! >>> 0
  const queuePair = createQueuePair(i32, heap, block, {
    domain: at(HCA_LISTEN_DOMAIN),
    sendCq: at(HCA_LISTEN_SEND_CQ),
    receiveCq: at(HCA_LISTEN_RECEIVE_CQ),
    srq: at(HCA_LISTEN_SRQ),
    receiveEntries: 0,
    sendEntries: at(HCA_LISTEN_SEND_ENTRIES),
    segmentsMax: at(HCA_LISTEN_SEGMENTS),
    inlineBytesMax: at(HCA_LISTEN_INLINE_BYTES),
    signalAll: at(HCA_LISTEN_SIGNAL_ALL) === 1,
    managed: true,
    service: RELIABLE_CONNECTED,
  })
  i32[(queuePair + QP_ACCESS) >>> 2] = at(HCA_LISTEN_ACCESS)
  i32[(queuePair + QP_ACCESS_GIVEN) >>> 2] = at(HCA_LISTEN_ACCESS)
  return queuePair
}

/** Tells one end about the other, with the attributes that rdma_cm would choose. */
function joinTo(i32: Int32Array, end: number, other: number, otherBlock: number): void {
  i32[(end + QP_PEER) >>> 2] = other
  i32[(end + QP_PEER_NUMBER) >>> 2] = i32[(other + QP_NUMBER) >>> 2]!
  i32[(end + QP_PEER_INDEX) >>> 2] = i32[(otherBlock + HCA_INDEX) >>> 2]!
  i32[(end + QP_PORT) >>> 2] = 1
  i32[(end + QP_PATH_MTU_BYTES) >>> 2] = 4096
  i32[(end + QP_TIMEOUT) >>> 2] = 14
  i32[(end + QP_RETRY_COUNT) >>> 2] = 7
  i32[(end + QP_RNR_RETRY) >>> 2] = 7
  i32[(end + QP_MIN_RNR_TIMER) >>> 2] = 12
  i32[(end + QP_READS_MAX) >>> 2] = 16
  i32[(end + QP_PEER_READS_MAX) >>> 2] = 16
}
