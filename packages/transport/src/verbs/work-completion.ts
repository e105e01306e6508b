import { COMPLETION_WITH_IMMEDIATE } from '../wire/completion-queue.js'
import { completionStatusName, SUCCESS } from '../wire/completion-status.js'
import type { CompletionStatus } from '../wire/completion-status.js'
import { completionOpcodeName } from '../wire/opcode.js'
import type { CompletionOpcode } from '../wire/opcode.js'

/**
 * A completion, to be filled by `CompletionQueue.poll` again and again. When the status is not
 * success only `workRequestId`, `status` and `queuePairNumber` mean anything.
 */
export class WorkCompletion {
  /** What the request or the receive was posted with. */
  workRequestId = 0
  /** Number of the status as in `ibv_wc_status`, 0 for success; `statusName` says it in words. */
  status = 0
  /** Number of the opcode as in `ibv_wc_opcode`, 128 and up for receives; `opcodeName` in words. */
  opcode = 0
  /** `ibv_wc_flags`. */
  flags = 0
  /** Bytes received, or read. */
  bytes = 0
  /** Immediate data, 32 bits unsigned, when `hasImmediate`. */
  immediate = 0
  /** Number of the queue pair it belongs to. */
  queuePairNumber = 0
  /** Of a receive: HCA index of the sender; of a request: -1. */
  source = -1

  get succeeded(): boolean {
    return this.status === SUCCESS
  }

  get isReceive(): boolean {
    return this.opcode >= 128
  }

  get hasImmediate(): boolean {
    return (this.flags & COMPLETION_WITH_IMMEDIATE) !== 0
  }

  get statusName(): CompletionStatus {
    return completionStatusName(this.status)
  }

  get opcodeName(): CompletionOpcode {
    return completionOpcodeName(this.opcode)
  }
}
