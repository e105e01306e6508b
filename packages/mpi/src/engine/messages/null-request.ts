import type { OperationRecord } from '../../record/operation.js'
import type { Wait } from '../../record/rank-snapshot.js'
import type { Process } from '../../p2p/process.js'
import { Request } from '../../p2p/request.js'
import { Status } from '../../p2p/status.js'

/** A send to, or a receive from PROC_NULL: complete from the start, and without data. */
export class NullRequest<T> extends Request<T> {
  readonly #result: T
  readonly #status = new Status()

  constructor(process: Process, result: T) {
    super(process)
    this.done = true
    this.#result = result
  }

  override get status(): Status {
    return this.#status
  }

  override cancel(): void {}

  protected override result(): T {
    return this.#result
  }

  override missing(): Wait {
    return { mode: 'and', arcs: [] }
  }

  override describe(): OperationRecord {
    return { name: 'wait', peer: 'null', communicator: '', sequence: 0 }
  }
}
