import type { Heap } from '../../memory/heap.js'
import { completionAt, RELEASE_BATCH } from '../../ring/completion-ring.js'
import {
  COMPLETION_SCRUBBED,
  CQ_ATTACHED,
  CQ_BYTES,
  CQ_HCA,
  CQ_MASK,
  CQ_POLLED,
} from '../../wire/completion-queue.js'
import { CQE_BYTES, CQE_CONTROL, CQE_NUMBER } from '../../wire/completion-queue.js'
import { QP_NEXT, QP_NUMBER, QP_RECEIVE_CQ, QP_SEND_CQ } from '../../wire/queue-pair.js'
import {
  HCA_LISTEN_RECEIVE_CQ,
  HCA_LISTEN_SEND_CQ,
  HCA_LOCK,
  HCA_QUEUE_PAIR_HEAD,
} from '../../wire/hca-block.js'
import { lock, unlock } from '../../ring/spin-lock.js'
import { awaitVisitors } from '../memory/access-slot.js'
import { powerOfTwoFrom } from './capacity.js'
import type { Hca } from '../hca.js'

/** Creates an empty completion queue of at least `entries` completions. */
export function createCompletionQueue(
  i32: Int32Array,
  heap: Heap,
  block: number,
  entries: number,
): number {
  const capacity = powerOfTwoFrom(entries + RELEASE_BATCH)
  const cq = heap.allocate(CQ_BYTES + capacity * CQE_BYTES)
  i32[(cq + CQ_MASK) >>> 2] = capacity - 1
  i32[(cq + CQ_HCA) >>> 2] = block
  return cq
}

/** Marks the completions of a queue pair that have not been polled, to be skipped. The owner. */
export function scrubCompletions(hca: Hca, queuePair: number): void {
  const { u32 } = hca
  const number = hca.i32[(queuePair + QP_NUMBER) >>> 2]!
  scrub(hca.i32, u32[(queuePair + QP_SEND_CQ) >>> 2]!, number)
  scrub(hca.i32, u32[(queuePair + QP_RECEIVE_CQ) >>> 2]!, number)
}

function scrub(i32: Int32Array, cq: number, number: number): void {
  const first = i32[(cq + CQ_POLLED) >>> 2]!
  const capacity = i32[(cq + CQ_MASK) >>> 2]! + 1
  for (let ahead = 0; ahead < capacity; ahead++) {
    const entry = completionAt(i32, cq, (first + ahead) | 0)
    if (entry !== 0 && i32[(entry + CQE_NUMBER) >>> 2] === number) {
      i32[(entry + CQE_CONTROL) >>> 2]! |= COMPLETION_SCRUBBED << 16
    }
  }
}

/**
 * Has every queue pair, and the template for those to come, push into `next` from now on; when it
 * returns nobody pushes into `cq` any more. The owner.
 */
export function moveCompletionQueue(hca: Hca, cq: number, next: number): void {
  const { i32, u32, block } = hca
  lock(i32, block + HCA_LOCK) // peers that connect create queue pairs from the template
  for (const word of [HCA_LISTEN_SEND_CQ, HCA_LISTEN_RECEIVE_CQ]) {
    if (u32[(block + word) >>> 2] === cq) i32[(block + word) >>> 2] = next
  }
  let here = u32[(block + HCA_QUEUE_PAIR_HEAD) >>> 2]!
  for (; here !== 0; here = u32[(here + QP_NEXT) >>> 2]!) {
    for (const word of [QP_SEND_CQ, QP_RECEIVE_CQ]) {
      if (u32[(here + word) >>> 2] === cq) Atomics.store(i32, (here + word) >>> 2, next) // read by peers
    }
  }
  unlock(i32, block + HCA_LOCK)
  const attached = Atomics.exchange(i32, (cq + CQ_ATTACHED) >>> 2, 0) // peers counted too
  Atomics.add(i32, (next + CQ_ATTACHED) >>> 2, attached) // the same
  awaitVisitors(hca)
}
