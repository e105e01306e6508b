import type { CommunicatorState } from '../comm/communicator-state.js'
import { bytesOf, freshArray, type TypedArray } from '../datatype/index.js'
import { BIGINT, EMPTY, isElementKind, nameOfMessageKind, NUMBER } from '../p2p/message-kind.js'
import type { Process } from '../p2p/process.js'
import { ReceiveRequest } from '../p2p/receive-request.js'
import type { OperationName } from '../record/operation.js'
import type { ValueCodec } from './value-codec.js'

/** A receive of a value, of whatever kind the message turns out to be. */
export class ValueReceive<T> extends ReceiveRequest<T> {
  declare private readonly codec: ValueCodec
  declare private value: unknown

  constructor(
    process: Process,
    communicator: CommunicatorState,
    name: OperationName,
    context: number,
    source: number,
    tag: number,
    codec: ValueCodec,
  ) {
    super(process, communicator, name, context, source, tag)
    this.codec = codec
    this.value = undefined
  }

  /** Typed arrays of any size come in pieces; serialised values are decoded whole. */
  override get pieces(): boolean {
    return isElementKind(this.messageKind)
  }

  override refuse(): undefined {
    return undefined
  }

  override land(address: number): void {
    switch (this.messageKind) {
      case NUMBER:
        this.value = this.process.memory.f64[address >>> 3]
        break
      case BIGINT:
        this.value = this.process.memory.i64[address >>> 3]
        break
      case EMPTY:
        break
      default:
        if (isElementKind(this.messageKind)) this.landPiece(address, 0, this.messageBytes)
        else this.#decode(address)
    }
  }

  override target(): number {
    return 0
  }

  override landPiece(address: number, offset: number, bytes: number): void {
    if (offset === 0) {
      this.value = freshArray(this.messageKind, this.messageBytes / bytesOf(this.messageKind))
    }
    const { buffer } = this.value as TypedArray
    const piece = this.process.memory.u8.subarray(address, address + bytes)
    new Uint8Array(buffer, offset, bytes).set(piece)
  }

  override room(): { kind?: string } {
    return this.matched ? { kind: nameOfMessageKind(this.messageKind) } : {}
  }

  protected override elements(): number | undefined {
    const kind = this.messageKind
    return isElementKind(kind) ? this.messageBytes / bytesOf(kind) : undefined
  }

  protected override result(): T {
    return this.value as T
  }

  #decode(address: number): void {
    const { u8 } = this.process.memory
    this.value = this.codec.decode(this.messageKind, u8, address, this.messageBytes)
  }
}
