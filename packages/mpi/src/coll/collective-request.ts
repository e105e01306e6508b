import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Carrier } from '../device/carrier.js'
import { RequestError } from '../errors/index.js'
import type { OperationName, OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'
import { siteOf } from '../p2p/describe.js'
import { Request } from '../p2p/request.js'
import { Status } from '../p2p/status.js'

/**
 * A collective under way: rounds of sends and receives, each begun when the one before is done,
 * from whichever call makes progress. Blocking and non-blocking forms are the same request.
 */
export abstract class CollectiveRequest<T> extends Request<T> {
  readonly communicator: CommunicatorState
  readonly name: OperationName
  /** Tag of its messages: collectives on one communicator are begun in the same order everywhere. */
  protected readonly tag: number
  sequence = 0
  #round = 0
  #open: Request<unknown>[] = []
  readonly #roundDone = (): void => {
    if (this.#open.every((request) => request.done)) this.advance()
  }

  constructor(carrier: Carrier, communicator: CommunicatorState, name: OperationName) {
    super(carrier)
    this.communicator = communicator
    this.name = name
    this.tag = communicator.collectives++ & 0x3fffffff
  }

  /**
   * Begins round `k`: returns what must be done before the next one, or `undefined` when there is
   * no such round.
   */
  protected abstract begin(round: number): Request<unknown>[] | undefined
  /** What round `k` brought. */
  protected abstract end(round: number): void

  /** Goes on as far as possible. */
  advance(): void {
    for (;;) {
      if (this.#open.length > 0) {
        const failed = this.#open.find((request) => request.error !== undefined)
        if (failed !== undefined) return this.fail(failed.error!)
        this.#open = []
        this.end(this.#round++)
      }
      const begun = this.begin(this.#round)
      if (begun === undefined) return this.complete()
      this.#open = begun
      const waiting = begun.find((request) => !request.done)
      if (waiting !== undefined) {
        for (const request of begun) if (!request.done) request.onDone = this.#roundDone
        return
      }
    }
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

  override missing(): Wait {
    const operation = this.describe()
    const arcs = this.#open.flatMap((request) =>
      request.missing().arcs.map((arc) => ({ ...arc, operation })),
    )
    return { mode: 'and', arcs }
  }

  override describe(): OperationRecord {
    return {
      name: this.name,
      communicator: this.communicator.name,
      context: this.communicator.collectiveContext,
      sequence: this.sequence,
      ...siteOf(this),
    }
  }
}
