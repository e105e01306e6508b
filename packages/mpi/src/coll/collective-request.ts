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
  declare readonly communicator: CommunicatorState
  declare readonly name: OperationName
  /** How many collectives of its communicator came before it. */
  declare readonly number: number
  declare sequence: number
  declare private round: number
  declare private begun: boolean
  /** What the round under way waits for. */
  declare protected sending: Request<void> | undefined
  declare protected receiving: Request<unknown> | undefined

  constructor(process: Process, communicator: CommunicatorState, name: OperationName) {
    super(process)
    this.communicator = communicator
    this.name = name
    this.number = communicator.collectives++
    this.sequence = 0
    this.round = 0
    this.begun = false
    this.sending = undefined
    this.receiving = undefined
  }

  /** Tag of its messages: collectives on one communicator are begun in the same order everywhere. */
  protected get tag(): number {
    return this.number & 0x3fffffff
  }

  /**
   * Begins round `k`: sets what must be done before the next one.
   *
   * @returns whether there is such a round
   */
  protected abstract begin(round: number): boolean
  /** What round `k` brought. */
  protected abstract end(round: number): void

  /** Goes on as far as possible. */
  advance(): void {
    for (;;) {
      if (this.begun) {
        if (isOpen(this.sending) || isOpen(this.receiving)) return
        const error = this.sending?.error ?? this.receiving?.error
        if (error !== undefined) return this.fail(error)
        this.begun = false
        this.end(this.round++)
      }
      this.sending = undefined
      this.receiving = undefined
      if (!this.begin(this.round)) return this.complete()
      this.begun = true
      this.watch(this.sending)
      this.watch(this.receiving)
    }
  }

  private watch(request: Request<unknown> | undefined): void {
    if (request !== undefined && !request.done) request.onDone = () => this.advance()
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
    const arcs = [this.sending, this.receiving].flatMap((request) =>
      request === undefined ? [] : request.missing().arcs,
    )
    return { mode: 'and', arcs: arcs.map((arc) => ({ ...arc, operation })) }
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

function isOpen(request: Request<unknown> | undefined): boolean {
  return request !== undefined && !request.done
}
