import type { CommunicatorState } from '../comm/communicator-state.js'
import type { OperationName } from '../record/operation.js'
import { TraceFlag } from '../record/trace.js'
import type { Saying } from '../device/board.js'
import { said, type Call } from './agreement.js'
import type { Blocks } from './plan/blocks.js'
import type { Execution } from './plan/execution.js'
import type { ValueBlocks } from './plan/value-blocks.js'
import { collectives } from './plan/collective.js'
import type { Schedule } from './plan/schedule.js'

/** All that calls on one communicator that are alike have in common; found once. */
export class CallPlan {
  readonly call: Call
  readonly schedule: Schedule
  /** What is compared with the calls of the other ranks. */
  readonly saying: Saying
  /** As reports name it. */
  readonly name: OperationName
  readonly code: number
  readonly traceFlags: number
  /** Rank of the world, -1 where there is no root. */
  readonly worldRoot: number
  /** Of calls that block the request of the last one, complete: the next one takes it. */
  idle: Execution<unknown> | undefined
  /** What such calls of values move, once it is known. */
  valueBlocks: ValueBlocks | undefined
  /** What the caller gets. */
  readonly result: (blocks: Blocks) => unknown

  constructor(
    on: CommunicatorState,
    call: Call,
    schedule: Schedule,
    result: (blocks: Blocks) => unknown,
  ) {
    const { operation, form, root } = call
    const blocking = form === 'blocking'
    this.call = call
    this.schedule = schedule
    this.saying = said(call)
    this.name = blocking ? operation.name : operation.iName
    this.code = blocking ? operation.code : operation.iCode
    this.traceFlags = operation.traceFlag | (blocking ? TraceFlag.blocking : 0)
    this.worldRoot = collectives[operation.collective].rooted ? on.worldRank(root) : -1
    this.result = result
  }
}
