import { COMPLETION_FLAGS, COMPLETION_SERVICE_LEVEL_SHIFT } from '../wire/completion-queue.js'
import {
  COMPLETION_GRH,
  COMPLETION_WITH_IMMEDIATE,
  COMPLETION_WITH_INVALIDATE,
} from '../wire/completion-queue.js'
import { completionStatusName, completionStatusTexts, SUCCESS } from '../wire/completion-status.js'
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
  /** Flags, and the service level of a datagram beside them (wire/completion-queue.ts). */
  detail = 0
  /** Bytes received, or read. */
  bytes = 0
  /** Immediate data, 32 bits unsigned, when `hasImmediate`. */
  immediate = 0
  /** Number of the queue pair it belongs to. */
  queuePairNumber = 0
  /** Of a receive: HCA index of the sender, whose LID is one more; of a request: -1. */
  source = -1
  /** Of a datagram received: number of the queue pair that sent it. */
  sourceQueuePairNumber = 0

  /** `ibv_wc_flags`. */
  get flags(): number {
    return this.detail & COMPLETION_FLAGS
  }

  /** Service level of a datagram received. */
  get serviceLevel(): number {
    return this.detail >>> COMPLETION_SERVICE_LEVEL_SHIFT
  }

  get succeeded(): boolean {
    return this.status === SUCCESS
  }

  get isReceive(): boolean {
    return this.opcode >= 128
  }

  get hasImmediate(): boolean {
    return (this.flags & COMPLETION_WITH_IMMEDIATE) !== 0
  }

  /** Whether the message invalidated `invalidatedKey`. */
  get hasInvalidated(): boolean {
    return (this.flags & COMPLETION_WITH_INVALIDATE) !== 0
  }

  /** The key that the message made invalid, when `hasInvalidated`. */
  get invalidatedKey(): number {
    return this.immediate
  }

  /** Whether the first 40 bytes of a datagram's receive hold a global route header. */
  get hasGlobalRouteHeader(): boolean {
    return (this.flags & COMPLETION_GRH) !== 0
  }

  /** LID of the sender's port, of a receive. */
  get sourceLocalIdentifier(): number {
    return this.source + 1
  }

  get statusText(): string {
    return completionStatusTexts[this.statusName]
  }

  get statusName(): CompletionStatus {
    return completionStatusName(this.status)
  }

  get opcodeName(): CompletionOpcode {
    return completionOpcodeName(this.opcode)
  }
}
