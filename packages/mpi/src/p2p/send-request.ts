import { RequestError } from '../errors/index.js'
import type { OperationName, OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'
import { describeSend } from './describe.js'
import type { Ownership } from './ownership.js'
import type { Process } from './process.js'
import { Request } from './request.js'
import { Status } from './status.js'
import type { CommunicatorState } from '../comm/communicator-state.js'

/** What a send holds until its receiver has fetched the payload. */
export class Transfer {
  /** Its number in the table of sends that await a FINISH. */
  readonly id: number
  /** Staged copy of the payload, 0 when it is read in place. */
  readonly staged: number
  /** Bytes of the attached buffer that it holds. */
  readonly buffered: number
  /** Registered memory that it is read from in place, and who must know when no longer. */
  owner: Ownership | undefined
  address = 0

  constructor(id: number, staged: number, buffered: number) {
    this.id = id
    this.staged = staged
    this.buffered = buffered
  }
}

/** A send that has been started. Its result is nothing; complete means that the buffer is free. */
export class SendRequest extends Request<void> {
  declare readonly communicator: CommunicatorState
  declare readonly context: number
  /** World rank of the receiver. */
  declare readonly dest: number
  declare readonly tag: number
  declare readonly kind: number
  declare readonly bytes: number
  declare name: OperationName
  declare sequence: number
  /** What is kept of it until it is complete; `undefined` for one that went eagerly. */
  declare transfer: Transfer | undefined

  constructor(
    process: Process,
    communicator: CommunicatorState,
    context: number,
    name: OperationName,
    dest: number,
    tag: number,
    kind: number,
    bytes: number,
  ) {
    super(process)
    this.communicator = communicator
    this.context = context
    this.name = name
    this.dest = dest
    this.tag = tag
    this.kind = kind
    this.bytes = bytes
    this.sequence = 0
    this.transfer = undefined
  }

  override get status(): Status {
    const status = new Status()
    status.bytes = this.bytes
    return status
  }

  /** Sends cannot be cancelled: deprecated since MPI 4.0, and the message may be matched already. */
  override cancel(): void {
    const problem = this.freed ? 'freed' : 'active'
    throw new RequestError({ operation: 'cancel of a send', problem })
  }

  /** Whether it must complete before its rank may end, though nobody waits for it. */
  get completesAlone(): boolean {
    const { transfer } = this
    return transfer !== undefined && (this.freed || transfer.buffered > 0)
  }

  /** Its payload is read in place until it is complete: until then nobody may write there. */
  own(ownership: Ownership, address: number): void {
    const transfer = this.transfer!
    transfer.owner = ownership
    transfer.address = address
    ownership.addSend(address, address + this.bytes)
  }

  override complete(): void {
    const transfer = this.transfer
    if (transfer !== undefined && transfer.owner !== undefined) {
      transfer.owner.removeSend(transfer.address, transfer.address + this.bytes)
      transfer.owner = undefined
    }
    super.complete()
  }

  protected override result(): void {}

  override missing(): Wait {
    return { mode: 'and', arcs: this.done ? [] : [{ peer: this.dest, operation: this.describe() }] }
  }

  override describe(): OperationRecord {
    return describeSend(this)
  }
}
