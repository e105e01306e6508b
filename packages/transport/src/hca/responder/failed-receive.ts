import { ringDoorbell } from '../../ring/doorbell.js'
import { pushCompletion } from '../../ring/completion-ring.js'
import { HCA_DOORBELL } from '../../wire/hca-block.js'
import { COMPLETED_RECEIVE } from '../../wire/opcode.js'
import { QP_HCA, QP_NUMBER, QP_RECEIVE_CQ } from '../../wire/queue-pair.js'
import { markOverrun } from '../queue-pair/error-state.js'
import type { Hca } from '../hca.js'

/** Completes the receive taken with an error, and leaves the queue pair as it is. */
export function completeFailedReceive(hca: Hca, queuePair: number, status: number): void {
  const { i32, u32 } = hca
  const cq = u32[(queuePair + QP_RECEIVE_CQ) >>> 2]!
  const control = status | (COMPLETED_RECEIVE << 8)
  const number = i32[(queuePair + QP_NUMBER) >>> 2]!
  if (!pushCompletion(i32, cq, hca.taken[0]!, control, 0, 0, 0, number, hca.index)) {
    markOverrun(hca, cq)
  }
  const block = u32[(queuePair + QP_HCA) >>> 2]!
  if (block !== hca.block) ringDoorbell(i32, block + HCA_DOORBELL)
}
