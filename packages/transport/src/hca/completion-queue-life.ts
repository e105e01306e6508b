import type { Heap } from '../memory/heap.js'
import { completionAt, RELEASE_BATCH } from '../ring/completion-ring.js'
import {
  COMPLETION_SCRUBBED,
  CQ_BYTES,
  CQ_HCA,
  CQ_MASK,
  CQ_POLLED,
} from '../wire/completion-queue.js'
import { CQE_BYTES, CQE_CONTROL, CQE_NUMBER } from '../wire/completion-queue.js'
import { QP_NUMBER, QP_RECEIVE_CQ, QP_SEND_CQ } from '../wire/queue-pair.js'
import { powerOfTwoFrom } from './capacity.js'
import type { Hca } from './hca.js'

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
