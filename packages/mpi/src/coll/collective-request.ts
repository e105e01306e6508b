import type { CommunicatorState } from '../comm/communicator-state.js'
import { RequestError } from '../errors/index.js'
import { siteOf } from '../p2p/describe.js'
import { Status } from '../p2p/status.js'
import type { OperationName, OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'
import type { Saying } from '../device/board.js'
import { described, disagreement } from './agreement.js'
import type { CallPlan } from './call-plan.js'
import type { Blocks } from './plan/blocks.js'
import { Execution, type Ground } from './plan/execution.js'

/** Of a request that waits for its next call. */
const NO_BLOCKS = {} as Blocks

/** A collective under way, as the program holds it (MPI 4.1, section 6.12). */
export class CollectiveRequest<T> extends Execution<T> {
  declare private readonly plan: CallPlan
  declare sequence: number

  constructor(
    ground: Ground,
    communicator: CommunicatorState,
    plan: CallPlan,
    blocks: Blocks,
    number: number,
  ) {
    super(ground, communicator, plan.schedule, blocks, number)
    this.plan = plan
    this.sequence = 0
  }

  /** The request of a call that blocks, which its program never sees: the last one like it serves again. */
  static blocking(
    ground: Ground,
    communicator: CommunicatorState,
    plan: CallPlan,
    blocks: Blocks,
    number: number,
  ): CollectiveRequest<unknown> {
    const idle = plan.idle as CollectiveRequest<unknown> | undefined
    if (idle === undefined) {
      return new CollectiveRequest<unknown>(ground, communicator, plan, blocks, number)
    }
    plan.idle = undefined
    idle.restart(blocks, number)
    return idle
  }

  /**
   * Says what this call is to all ranks, before anything moves, or leaves that until it has to wait: whoever
   * blocks and waits for all of them hears it from each.
   *
   * @throws AgreementError when another rank has said something else
   */
  say(): void {
    const { board, number, plan } = this
    if (board === undefined) return
    const hears = plan.call.form === 'blocking' && plan.schedule.hearsAll
    if (hears && this.process.carrier.patience > 0 && !board.mustSay(number)) this.hearEach()
    else if (!board.say(number, plan.saying)) {
      this.blocks.release()
      board.complete(number)
      throw this.disagreement(board.said(number))
    }
  }

  /** Waits for it, takes what it gives, and keeps it for the next call. */
  finish(): T {
    const result = this.take()
    this.blocks = NO_BLOCKS
    this.plan.valueBlocks?.forget() // what they hold is the caller's
    this.plan.idle = this
    return result
  }

  protected override get saying(): Saying {
    return this.plan.saying
  }

  protected override disagreement(other: Saying): Error {
    return disagreement(this.communicator, this.number, this.plan.call, other)
  }

  get name(): OperationName {
    return this.plan.name
  }

  override get status(): Status {
    return new Status()
  }

  override cancel(): void {
    throw new RequestError({ operation: `cancel of ${this.name}`, problem: 'active' })
  }

  override free(): void {
    throw new RequestError({ operation: `free of ${this.name}`, problem: 'active' })
  }

  protected override result(): T {
    return this.plan.result(this.blocks) as T
  }

  override missing(): Wait {
    return { mode: 'and', arcs: this.missingArcs() }
  }

  override describe(): OperationRecord {
    const { operation, root, reduction, kind, count } = described(this.plan.call)
    return {
      name: this.name,
      communicator: this.communicator.name,
      context: this.communicator.collectiveContext,
      sequence: this.sequence,
      number: this.number,
      ...(operation === this.name ? {} : { called: operation }),
      ...(root === undefined ? {} : { root }),
      ...(reduction === undefined ? {} : { reduction }),
      ...(kind === undefined ? {} : { kind }),
      ...(count === undefined ? {} : { count }),
      ...siteOf(this),
    }
  }
}
