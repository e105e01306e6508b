import type { WorldMemory } from '@commworld/transport'
import type { CommunicatorState } from '../comm/communicator-state.js'
import { bytesOf, nameOf, type TypedArray } from '../datatype/kinds.js'
import { unpackElements } from '../datatype/copy-elements.js'
import type { Carrier } from '../device/carrier.js'
import { MismatchError, TruncateError } from '../errors/index.js'
import type { OperationName } from '../record/operation.js'
import { nameOfMessageKind } from './message-kind.js'
import type { Ownership } from './ownership.js'
import { copyWithin } from './payload.js'
import { ReceiveRequest } from './receive-request.js'
import type { Spread } from './spread.js'
import type { Status } from './status.js'

/** A receive into memory of the caller. */
export class MemoryReceive extends ReceiveRequest<Status> {
  readonly #memory: WorldMemory
  readonly data: TypedArray
  readonly kind: number
  /** Set when the memory is not simply all of `data`. */
  readonly spread: Spread | undefined
  readonly bytesMax: number
  /** Set while the memory is registered as owned by this receive. */
  owner: Ownership | undefined

  constructor(
    carrier: Carrier,
    communicator: CommunicatorState,
    name: OperationName,
    context: number,
    source: number,
    tag: number,
    memory: WorldMemory,
    data: TypedArray,
    kind: number,
    spread: Spread | undefined,
  ) {
    super(carrier, communicator, name, context, source, tag)
    this.#memory = memory
    this.data = data
    this.kind = kind
    this.spread = spread
    this.bytesMax =
      spread === undefined ? data.byteLength : spread.layout.size * spread.count * bytesOf(kind)
  }

  override complete(): void {
    if (this.owner !== undefined) this.#disown(this.owner)
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
    else if (this.data.buffer === this.#memory.buffer) {
      copyWithin(this.#memory, this.data.byteOffset, address, bytes)
    } else {
      this.landPiece(address, 0, bytes)
    }
  }

  override target(): number {
    if (this.spread !== undefined || this.data.buffer !== this.#memory.buffer) return 0
    return this.data.byteOffset
  }

  override landPiece(address: number, offset: number, bytes: number): void {
    const { buffer, byteOffset } = this.data
    const piece = this.#memory.u8.subarray(address, address + bytes)
    new Uint8Array(buffer, byteOffset + offset, bytes).set(piece)
  }

  override room(): { kind: string; bytes: number; count: number } {
    return { kind: nameOf(this.kind), bytes: this.bytesMax, count: this.bytesMax / bytesOf(this.kind) }
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
    if (
      strided !== undefined &&
      elements === layout.size * count &&
      this.data.buffer === this.#memory.buffer
    ) {
      this.#memory.kernels.unpack(
        this.data.byteOffset + (offset + strided.offset) * elementBytes,
        address,
        strided.count,
        strided.blockLength * elementBytes,
        strided.stride * elementBytes,
      )
    } else {
      const packed = this.#memory.u8.subarray(address, address + this.messageBytes)
      unpackElements(packed, this.data, this.kind, offset, layout, elements)
    }
  }

  #disown(owner: Ownership): void {
    const { buffer, byteOffset, byteLength } = this.data
    owner.removeReceive(buffer, byteOffset, byteOffset + byteLength)
    this.owner = undefined
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
