import type { OperationName, OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'
import { siteOf } from './describe.js'
import { Request } from './request.js'
import type { Status } from './status.js'

/** A send and a receive under way together; complete when both are (MPI 4.1, section 3.11). */
export class ExchangeRequest<T> extends Request<T> {
  readonly name: OperationName
  readonly #send: Request<void>
  readonly #receive: Request<T>

  constructor(name: OperationName, send: Request<void>, receive: Request<T>) {
    super(send.process)
    this.name = name
    this.#send = send
    this.#receive = receive
    const halfDone = (): void => {
      if (send.done && receive.done) this.#end()
    }
    if (!send.done) send.onDone = halfDone
    if (!receive.done) receive.onDone = halfDone
    halfDone()
  }

  override get status(): Status {
    return this.#receive.status
  }

  override cancel(): void {
    this.#receive.cancel()
  }

  protected override result(): T {
    this.#send.wait()
    return this.#receive.wait()
  }

  override missing(): Wait {
    return { mode: 'and', arcs: [...this.#send.missing().arcs, ...this.#receive.missing().arcs] }
  }

  override describe(): OperationRecord {
    const receiving = this.#receive.describe()
    return { ...this.#send.describe(), name: this.name, receiving, ...siteOf(this) }
  }

  #end(): void {
    this.error = this.#send.error ?? this.#receive.error
    this.complete()
  }
}
