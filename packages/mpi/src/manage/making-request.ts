import { RequestError } from '../errors/index.js'
import { siteOf } from '../p2p/describe.js'
import type { Process } from '../p2p/process.js'
import { Request } from '../p2p/request.js'
import { Status } from '../p2p/status.js'
import type { OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'

/** A communicator that is being made: requests one after the other, each begun when the one before is complete. */
export class MakingRequest<T> extends Request<T> {
  /** The call as reports name it. */
  declare private readonly call: () => OperationRecord
  /** What goes on at the moment. */
  declare private part: Request<unknown> | undefined
  declare private made: T

  constructor(process: Process, call: () => OperationRecord) {
    super(process)
    this.call = call
    this.part = undefined
  }

  /**
   * What is done when `part` is complete; it goes on from there with another part, or ends.
   *
   * @param release called after that, or when `part` has failed
   */
  follow<R>(part: Request<R>, next: (result: R) => void, release?: () => void): void {
    this.part = part
    if (part.done) this.#goOn(part, next, release)
    else part.onDone = () => this.#goOn(part, next, release)
  }

  /** The last part is complete. */
  end(made: T): void {
    this.made = made
    this.part = undefined
    this.complete()
  }

  override get status(): Status {
    return new Status()
  }

  override cancel(): void {
    throw new RequestError({ operation: `cancel of ${this.call().name}`, problem: 'active' })
  }

  override free(): void {
    throw new RequestError({ operation: `free of ${this.call().name}`, problem: 'active' })
  }

  protected override result(): T {
    return this.made
  }

  override missing(): Wait {
    const operation = this.describe()
    const arcs = this.part?.missing().arcs ?? []
    return { mode: 'and', arcs: arcs.map((arc) => ({ ...arc, operation })) }
  }

  override describe(): OperationRecord {
    return { ...this.call(), ...siteOf(this) }
  }

  #goOn<R>(part: Request<R>, next: (result: R) => void, release?: () => void): void {
    try {
      next(part.take())
    } catch (error) {
      this.part = undefined
      this.fail(error as Error)
    } finally {
      release?.()
    }
  }
}
