import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Board } from '../device/board.js'
import { RequestError } from '../errors/index.js'
import { siteOf } from '../p2p/describe.js'
import { Status } from '../p2p/status.js'
import type { OperationName, OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'
import { described, type Call } from './agreement.js'
import type { Blocks } from './plan/blocks.js'
import { Execution, type Ground } from './plan/execution.js'
import type { Schedule } from './plan/schedule.js'

/** A collective under way, as the program holds it (MPI 4.1, section 6.12). */
export class CollectiveRequest<T, B extends Blocks = Blocks> extends Execution<T> {
  declare readonly name: OperationName
  declare private readonly call: Call
  declare sequence: number
  declare private readonly finish: (blocks: B) => T

  constructor(
    ground: Ground,
    communicator: CommunicatorState,
    schedule: Schedule,
    blocks: B,
    board: Board | undefined,
    number: number,
    name: OperationName,
    call: Call,
    finish: (blocks: B) => T,
  ) {
    super(ground, communicator, schedule, blocks, board, number)
    this.name = name
    this.call = call
    this.sequence = 0
    this.finish = finish
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
    return this.finish(this.blocks as B)
  }

  override missing(): Wait {
    return { mode: 'and', arcs: this.missingArcs() }
  }

  override describe(): OperationRecord {
    const { root, reduction, kind, count } = described(this.call)
    return {
      name: this.name,
      communicator: this.communicator.name,
      context: this.communicator.collectiveContext,
      sequence: this.sequence,
      ...(root === undefined ? {} : { root }),
      ...(reduction === undefined ? {} : { reduction }),
      ...(kind === undefined ? {} : { kind }),
      ...(count === undefined ? {} : { count }),
      ...siteOf(this),
    }
  }
}
