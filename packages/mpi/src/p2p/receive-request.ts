import { RequestError } from '../errors/index.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import type { OperationName, OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'
import { describeReceive } from './describe.js'
import { ANY, type Queued } from './matching/queued.js'
import type { Peer } from '../device/peer.js'
import type { Process } from './process.js'
import { Request } from './request.js'
import { Status } from './status.js'

/**
 * A receive that has been started. Where the payload goes is the business of its subclasses: memory
 * of the caller, or a value. A payload arrives whole from an eager message or in pieces by RDMA READ.
 */
export abstract class ReceiveRequest<T> extends Request<T> implements Queued {
  declare readonly communicator: CommunicatorState
  declare context: number
  declare source: number
  declare tag: number
  declare previous: Queued | undefined
  declare next: Queued | undefined
  declare name: OperationName
  /** How many operations of the process came before it: also its place in the order of posting. */
  declare order: number
  /** A status of the caller that is to be filled on completion. */
  declare private statusInto: Status | undefined
  declare cancelled: boolean
  /** World rank of the sender of the message that matched, `ANY` before. */
  declare messageSource: number
  declare messageTag: number
  declare messageKind: number
  declare messageBytes: number

  constructor(
    process: Process,
    communicator: CommunicatorState,
    name: OperationName,
    context: number,
    source: number,
    tag: number,
  ) {
    super(process)
    this.communicator = communicator
    this.name = name
    this.context = context
    this.source = source
    this.tag = tag
    this.order = 0
    this.previous = undefined
    this.next = undefined
    this.statusInto = undefined
    this.cancelled = false
    this.messageSource = ANY
    this.messageTag = -1
    this.messageKind = 0
    this.messageBytes = 0
  }

  /** What is wrong with the message that has matched, or nothing. Called once. */
  abstract refuse(): Error | undefined
  /** Takes the whole payload from the world's memory. */
  abstract land(address: number): void
  /** Address in registered memory that the payload may be read into directly, or 0. */
  abstract target(): number
  /** Takes a piece at `offset` of a payload that cannot be read directly; pieces come in order. */
  abstract landPiece(address: number, offset: number, bytes: number): void
  /** Whether pieces may be any part of the payload; otherwise it must be landed whole. */
  abstract readonly pieces: boolean

  get matched(): boolean {
    return this.messageSource !== ANY
  }

  /** Records what matched. */
  match(peer: Peer, tag: number, kind: number, bytes: number): void {
    this.messageSource = peer.rank
    this.messageTag = tag
    this.messageKind = kind
    this.messageBytes = bytes
  }

  override get status(): Status {
    return this.fillStatus(new Status())
  }

  /** Has a status of the caller filled when the receive is complete. */
  fillOnCompletion(status: Status): void {
    this.statusInto = status
    if (this.done) this.fillStatus(status)
  }

  fillStatus(status: Status): Status {
    status.cancelled = this.cancelled
    if (!this.matched) return status
    status.source = this.communicator.rankOf(this.messageSource)
    status.tag = this.messageTag
    status.bytes = this.messageBytes
    status.count = this.elements()
    return status
  }

  /** Elements of the sender's kind, `undefined` for values. */
  protected abstract elements(): number | undefined

  /** What reports say of the memory that waits for the message. */
  abstract room(): { kind?: string; bytes?: number; count?: number }

  override complete(): void {
    if (this.statusInto !== undefined) this.fillStatus(this.statusInto)
    super.complete()
  }

  override cancel(): void {
    if (this.freed) throw new RequestError({ operation: 'cancel', problem: 'freed' })
    if (this.done || !this.process.inbox.withdraw(this)) return
    this.cancelled = true
    this.complete()
  }

  override missing(): Wait {
    if (this.done) return { mode: 'and', arcs: [] }
    const operation = this.describe()
    if (this.matched) return { mode: 'and', arcs: [{ peer: this.messageSource, operation }] }
    if (this.source !== ANY) return { mode: 'and', arcs: [{ peer: this.source, operation }] }
    return { mode: 'and', arcs: [{ peer: 'any', members: this.communicator.members(), operation }] }
  }

  override describe(): OperationRecord {
    return describeReceive(this)
  }
}
