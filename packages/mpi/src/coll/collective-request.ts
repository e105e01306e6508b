import type { CommunicatorState } from '../comm/communicator-state.js'
import { RequestError } from '../errors/index.js'
import type { OperationName, OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'
import { siteOf } from '../p2p/describe.js'
import type { Process } from '../p2p/process.js'
import { Request } from '../p2p/request.js'
import { Status } from '../p2p/status.js'

/**
 * A collective under way: rounds of sends and receives, each begun when the one before is done,
 * from whichever call makes progress. Blocking and non-blocking forms are the same request.
 */
export abstract class CollectiveRequest<T> extends Request<T> {
  readonly communicator: CommunicatorState
  readonly name: OperationName
  /** How many collectives of its communicator came before it. */
  readonly number: number
  sequence = 0
  #round = 0
  #begun = false
  #open: readonly Request<unknown>[] = []
  readonly #roundDone = (): void => {
    if (this.#open.every((request) => request.done)) this.advance()
  }

  constructor(process: Process, communicator: CommunicatorState, name: OperationName) {
    super(process)
    this.communicator = communicator
    this.name = name
    this.number = communicator.collectives++
  }

  /** Tag of its messages: collectives on one communicator are begun in the same order everywhere. */
  protected get tag(): number {
    return this.number & 0x3fffffff
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
      if (this.#begun && !this.#endRound()) return
      const requests = this.begin(this.#round)
      if (requests === undefined) return this.complete()
      this.#open = requests
      this.#begun = true
      if (this.#waits(requests)) return
    }
  }

  #endRound(): boolean {
    this.#begun = false
    const failed = this.#open.find((request) => request.error !== undefined)
    if (failed !== undefined) this.fail(failed.error!)
    else this.end(this.#round++)
    return failed === undefined
  }

  #waits(requests: readonly Request<unknown>[]): boolean {
    let waits = false
    for (const request of requests) {
      if (request.done) continue
      request.onDone = this.#roundDone
      waits = true
    }
    return waits
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
