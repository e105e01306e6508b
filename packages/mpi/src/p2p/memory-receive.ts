import type { CommunicatorState } from '../comm/communicator-state.js'
import { bytesOf, nameOf, type TypedArray } from '../datatype/kinds.js'
import { unpackElements } from '../datatype/copy-elements.js'
import { MismatchError, TruncateError } from '../errors/index.js'
import type { OperationName } from '../record/operation.js'
import { nameOfMessageKind } from './message-kind.js'
import type { Process } from './process.js'
import { ReceiveRequest } from './receive-request.js'
import type { Spread } from './spread.js'
import type { Status } from './status.js'

/** A receive into memory of the caller. */
export class MemoryReceive extends ReceiveRequest<Status> {
  declare readonly data: TypedArray
  declare readonly kind: number
  /** Where the memory lies when it is registered, else 0. */
  declare readonly address: number
  declare readonly bytesMax: number
  /** Set when the memory is not simply all of `data`. */
  declare readonly spread: Spread | undefined
  /** Whether the memory is registered as owned by this receive. */
  declare owned: boolean

  constructor(
    process: Process,
    communicator: CommunicatorState,
    name: OperationName,
    context: number,
    source: number,
    tag: number,
    data: TypedArray,
    kind: number,
    address: number,
    bytesMax: number,
    spread: Spread | undefined,
  ) {
    super(process, communicator, name, context, source, tag)
    this.data = data
    this.kind = kind
    this.address = address
    this.bytesMax = bytesMax
    this.spread = spread
    this.owned = false
  }

  override complete(): void {
    if (this.owned) {
      this.owned = false
      this.process.ownership.removeReceive(this)
    }
    super.complete()
  }

  override get pieces(): boolean {
    return this.spread === undefined
  }

  override refuse(): Error | undefined {
    if (this.messageKind === this.kind && this.messageBytes <= this.bytesMax) return undefined
    return this.#refusal()
  }

  override land(address: number): void {
    const bytes = this.messageBytes
    if (this.spread !== undefined) this.#unpack(address, this.spread)
    else if (this.address !== 0) this.process.memory.kernels.copy(this.address, address, bytes)
    else this.landPiece(address, 0, bytes)
  }

  override target(): number {
    return this.spread === undefined ? this.address : 0
  }

  override landPiece(address: number, offset: number, bytes: number): void {
    const { buffer, byteOffset } = this.data
    const piece = this.process.memory.u8.subarray(address, address + bytes)
    new Uint8Array(buffer, byteOffset + offset, bytes).set(piece)
  }

  override room(): { kind: string; bytes: number; count: number } {
    return {
      kind: nameOf(this.kind),
      bytes: this.bytesMax,
      count: this.bytesMax / bytesOf(this.kind),
    }
  }

  protected override elements(): number {
    return this.messageBytes / bytesOf(this.kind)
  }

  protected override result(): Status {
    return this.status
  }

  #unpack(address: number, { layout, offset, count }: Spread): void {
    const elementBytes = bytesOf(this.kind)
    const elements = this.messageBytes / elementBytes
    const strided = layout.strided(count)
    if (strided !== undefined && elements === layout.size * count && this.address !== 0) {
      this.process.memory.kernels.unpack(
        this.address + (offset + strided.offset) * elementBytes,
        address,
        strided.count,
        strided.blockLength * elementBytes,
        strided.stride * elementBytes,
      )
    } else {
      const packed = this.process.memory.u8.subarray(address, address + this.messageBytes)
      unpackElements(packed, this.data, this.kind, offset, layout, elements)
    }
  }

  #refusal(): Error {
    const source = this.communicator.rankOf(this.messageSource)
    const facts = { source, tag: this.messageTag, communicator: this.communicator.name }
    if (this.messageKind !== this.kind) {
      const sent = nameOfMessageKind(this.messageKind)
      return new MismatchError({ ...facts, sent, received: nameOf(this.kind) })
    }
    return new TruncateError({
      ...facts,
      messageBytes: this.messageBytes,
      bufferBytes: this.bytesMax,
      element: { name: nameOf(this.kind), bytes: bytesOf(this.kind) },
    })
  }
}
