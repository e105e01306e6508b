import type { Heap } from '../../memory/heap.js'
import { lock, unlock } from '../../ring/spin-lock.js'
import { resetSends } from '../../ring/work-queue.js'
import { CQ_ATTACHED } from '../../wire/completion-queue.js'
import { HCA_LOCK, HCA_NEXT_NUMBER, HCA_QUEUE_PAIR_FREE } from '../../wire/hca-block.js'
import { DOMAIN_OBJECTS } from '../../wire/protection-domain.js'
import {
  QP_BYTES,
  QP_DOMAIN,
  QP_HCA,
  QP_INLINE_BYTES_MAX,
  QP_MANAGED,
} from '../../wire/queue-pair.js'
import {
  QP_NEXT,
  QP_NUMBER,
  QP_READY,
  QP_RECEIVE_CQ,
  QP_RECEIVE_RING,
} from '../../wire/queue-pair.js'
import {
  QP_SEGMENTS_MAX,
  QP_SEND_CQ,
  QP_SEND_ENTRIES,
  QP_SEND_MASK,
} from '../../wire/queue-pair.js'
import {
  QP_SEND_ENTRY_SHIFT,
  QP_SERVICE,
  QP_SIGNAL_ALL,
  QP_SRQ,
  QP_STATE,
} from '../../wire/queue-pair.js'
import { RESET } from '../../wire/queue-pair-state.js'
import { RECEIVE_ATTACHED } from '../../wire/receive-ring.js'
import { workQueueEntryShift } from '../../wire/work-queue-entry.js'
import { awaitVisitors } from '../memory/access-slot.js'
import { powerOfTwoFrom } from './capacity.js'
import { scrubCompletions } from './completion-queue-life.js'
import { wakeEarlySenders } from './early-senders.js'
import { wakeWaitingPeer } from './error-state.js'
import type { Hca } from '../hca.js'
import { progress } from '../requester/progress.js'
import { linkQueuePair, unlinkQueuePair } from './queue-pair-list.js'
import { createReceiveRing, destroyReceiveRing } from './receive-ring-life.js'
import { passWakingOn, stopWaiting } from '../requester/receiver-not-ready.js'

/** What a queue pair is created from; addresses of other objects, and capacities. */
export interface QueuePairPlan {
  domain: number
  sendCq: number
  receiveCq: number
  /** Address of the shared receive ring, 0 for a receive queue of its own. */
  srq: number
  /** Receives its own queue holds; without meaning when `srq` is given. */
  receiveEntries: number
  sendEntries: number
  segmentsMax: number
  inlineBytesMax: number
  signalAll: boolean
  managed: boolean
  /** Transport service (wire/service-type.ts). */
  service: number
}

const NUMBER_MAX = 0xfffffe

/** Words that name the objects a queue pair uses, and where each object counts its users. */
const users = [
  [QP_DOMAIN, DOMAIN_OBJECTS],
  [QP_SEND_CQ, CQ_ATTACHED],
  [QP_RECEIVE_CQ, CQ_ATTACHED],
  [QP_RECEIVE_RING, RECEIVE_ATTACHED],
] as const

/** Creates a queue pair in state RESET at the HCA of `block`, whose lock is held. */
export function createQueuePair(
  i32: Int32Array,
  heap: Heap,
  block: number,
  plan: QueuePairPlan,
): number {
  const { domain, sendCq, receiveCq, srq } = plan
  const shift = workQueueEntryShift(plan.segmentsMax, plan.inlineBytesMax)
  const sendEntries = powerOfTwoFrom(plan.sendEntries)
  const entries = heap.allocate(sendEntries << shift)
  const ring = srq || createReceiveRing(i32, heap, domain, plan.receiveEntries, plan.segmentsMax)
  const queuePair = takeBlock(i32, heap, block)
  i32[(queuePair + QP_NUMBER) >>> 2] = takeNumber(i32, block)
  i32[(queuePair + QP_STATE) >>> 2] = RESET
  i32[(queuePair + QP_HCA) >>> 2] = block
  i32[(queuePair + QP_DOMAIN) >>> 2] = domain
  i32[(queuePair + QP_SEND_CQ) >>> 2] = sendCq
  i32[(queuePair + QP_RECEIVE_CQ) >>> 2] = receiveCq
  i32[(queuePair + QP_RECEIVE_RING) >>> 2] = ring
  i32[(queuePair + QP_SRQ) >>> 2] = srq
  i32[(queuePair + QP_MANAGED) >>> 2] = plan.managed ? 1 : 0
  i32[(queuePair + QP_SERVICE) >>> 2] = plan.service
  i32[(queuePair + QP_SEND_ENTRIES) >>> 2] = entries
  i32[(queuePair + QP_SEND_ENTRY_SHIFT) >>> 2] = shift
  i32[(queuePair + QP_SEND_MASK) >>> 2] = sendEntries - 1
  i32[(queuePair + QP_SEGMENTS_MAX) >>> 2] = plan.segmentsMax
  i32[(queuePair + QP_INLINE_BYTES_MAX) >>> 2] = plan.inlineBytesMax
  i32[(queuePair + QP_SIGNAL_ALL) >>> 2] = plan.signalAll ? 1 : 0
  countUser(i32, queuePair, 1)
  linkQueuePair(i32, block, queuePair)
  return queuePair
}

/** Destroys a queue pair whatever its state. The owner's thread. */
export function destroyQueuePair(hca: Hca, queuePair: number): void {
  const { i32, heap, block } = hca
  hca.packets?.abandon(queuePair)
  quiesce(hca, queuePair)
  scrubCompletions(hca, queuePair)
  lock(i32, block + HCA_LOCK)
  unlinkQueuePair(i32, block, queuePair)
  unlock(i32, block + HCA_LOCK)
  Atomics.store(i32, (queuePair + QP_NUMBER) >>> 2, 0) // from here on peers see that it is gone
  awaitVisitors(hca) // a peer that saw the number may look at the ring
  wakeEarlySenders(hca, queuePair)
  releaseObjects(i32, heap, queuePair)
  lock(i32, block + HCA_LOCK)
  i32[(queuePair + QP_NEXT) >>> 2] = i32[(block + HCA_QUEUE_PAIR_FREE) >>> 2]!
  i32[(block + HCA_QUEUE_PAIR_FREE) >>> 2] = queuePair
  unlock(i32, block + HCA_LOCK)
}

/**
 * Moves a queue pair to RESET and returns when no other thread touches it any more and it stands in
 * no list of work. The owner's thread.
 */
export function quiesce(hca: Hca, queuePair: number): void {
  const { i32 } = hca
  Atomics.store(i32, (queuePair + QP_STATE) >>> 2, RESET) // before peers and slots are looked at
  wakeWaitingPeer(hca, queuePair)
  wakeEarlySenders(hca, queuePair)
  awaitVisitors(hca)
  stopWaiting(hca, queuePair)
  passWakingOn(hca, queuePair)
  // Nobody can make it ready any more; if somebody did before, it is driven, which does nothing.
  if (Atomics.load(i32, (queuePair + QP_READY) >>> 2) !== 0) progress(hca) // set by other threads
  resetSends(i32, queuePair)
}

function releaseObjects(i32: Int32Array, heap: Heap, queuePair: number): void {
  const at = (offset: number): number => i32[(queuePair + offset) >>> 2]! >>> 0
  countUser(i32, queuePair, -1)
  heap.free(at(QP_SEND_ENTRIES))
  if (at(QP_SRQ) === 0) destroyReceiveRing(i32, heap, at(QP_RECEIVE_RING))
}

/** Tells the objects that a queue pair uses that there is one user more, or less. */
function countUser(i32: Int32Array, queuePair: number, change: number): void {
  for (const [word, count] of users) {
    const object = i32[(queuePair + word) >>> 2]! >>> 0
    Atomics.add(i32, (object + count) >>> 2, change) // threads of peers count too
  }
}

/** A zeroed block: one that was used before, or a new one. The lock is held. */
function takeBlock(i32: Int32Array, heap: Heap, block: number): number {
  const free = i32[(block + HCA_QUEUE_PAIR_FREE) >>> 2]! >>> 0
  if (free === 0) return heap.allocate(QP_BYTES)
  i32[(block + HCA_QUEUE_PAIR_FREE) >>> 2] = i32[(free + QP_NEXT) >>> 2]!
  i32.fill(0, free >>> 2, (free + QP_BYTES) >>> 2)
  return free
}

function takeNumber(i32: Int32Array, block: number): number {
  const number = i32[(block + HCA_NEXT_NUMBER) >>> 2]!
  // 0, 1 and the last are reserved; numbers come round after 16 million queue pairs.
  i32[(block + HCA_NEXT_NUMBER) >>> 2] = number >= NUMBER_MAX ? 2 : number + 1
  return number
}
