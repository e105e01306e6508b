import { binomialTree } from '../coll/bcast/index.js'
import type { Form } from '../coll/agreement.js'
import { CallPlan } from '../coll/call-plan.js'
import { CollectiveRequest } from '../coll/collective-request.js'
import type { CollectiveOperation } from '../coll/operation.js'
import type { Blocks } from '../coll/plan/blocks.js'
import type { Ground } from '../coll/plan/execution.js'
import { Schedule } from '../coll/plan/schedule.js'
import { ValueBlocks, type ValueMessages } from '../coll/plan/value-blocks.js'
import { CommunicatorState } from '../comm/communicator-state.js'
import { NO_KIND } from '../datatype/index.js'
import type { Membership } from './membership.js'

/** The members of a new communicator, as a part of the one they know each other by. */
export interface Part {
  readonly on: CommunicatorState
  readonly membership: Membership
  /** Context and tag of their messages, which no other messages between them have. */
  readonly context: number
  readonly tag: number
}

/**
 * Gives what the first of the members has to all of them: a broadcast in messages, that the rest of
 * the communicator takes no part in.
 */
export function spread(
  messages: Ground & ValueMessages,
  part: Part,
  operation: CollectiveOperation,
  form: Form,
  value: Float64Array | undefined,
): CollectiveRequest<Float64Array> {
  const { on, membership, context, tag } = part
  const { members, rank } = membership
  const size = members.length
  const scope = new CommunicatorState({
    name: on.name,
    context: on.sendContext,
    collectiveContext: context,
    group: members,
    rank,
    size,
    board: undefined,
  })
  const env = { size, rank, root: 0, blocks: 1, radix: binomialTree.radix ?? 0, slots: false }
  const schedule = new Schedule(binomialTree, env, false)
  const call = { operation, form, root: 0, op: undefined, kind: NO_KIND, count: -1 }
  const plan = new CallPlan(scope, call, schedule, onlyValue)
  const given = rank === 0 ? { input: [], output: [value] } : { input: [] }
  const blocks = new ValueBlocks(messages, scope, schedule, tag, given, undefined)
  const request = new CollectiveRequest<Float64Array>(messages, scope, plan, blocks, tag)
  request.advance()
  return request
}

function onlyValue(blocks: Blocks): unknown {
  return (blocks as ValueBlocks).output[0]
}
