import type { WorldMemory } from '@commworld/transport'
import { packElements } from '../datatype/copy-elements.js'
import { bytesOf, type TypedArray } from '../datatype/kinds.js'
import type { Spread } from './spread.js'

/**
 * What a message carries, before it is clear by which protocol. `kind` is what the receiver checks:
 * an element kind for memory, a kind of value otherwise.
 */
export interface Payload {
  readonly kind: number
  readonly bytes: number
  /** Address when it already lies, contiguous, in registered memory; else 0 and it is staged. */
  readonly address: number
  write(memory: WorldMemory, address: number): void
}

/** A contiguous typed array in registered memory. */
export class RegisteredPayload implements Payload {
  readonly kind: number
  readonly bytes: number
  readonly address: number

  constructor(kind: number, address: number, bytes: number) {
    this.kind = kind
    this.address = address
    this.bytes = bytes
  }

  write(memory: WorldMemory, address: number): void {
    memory.kernels.copy(address, this.address, this.bytes)
  }
}

/** A contiguous typed array somewhere else. */
export class PlainPayload implements Payload {
  readonly kind: number
  readonly bytes: number
  readonly address = 0
  readonly data: TypedArray

  constructor(kind: number, data: TypedArray) {
    this.kind = kind
    this.bytes = data.byteLength
    this.data = data
  }

  write(memory: WorldMemory, address: number): void {
    const { buffer, byteOffset, byteLength } = this.data
    memory.u8.set(new Uint8Array(buffer, byteOffset, byteLength), address)
  }
}

/** Up to this size a loop is quicker than `set`, which has views to make and to check. */
const SHORT_BYTES = 192

/** Bytes that belong to nobody else: a serialised value. */
export class BytesPayload implements Payload {
  readonly kind: number
  readonly bytes: number
  readonly address = 0
  readonly #data: Uint8Array

  constructor(kind: number, data: Uint8Array) {
    this.kind = kind
    this.bytes = data.length
    this.#data = data
  }

  write({ u8 }: WorldMemory, address: number): void {
    const data = this.#data
    const bytes = this.bytes
    if (bytes <= SHORT_BYTES) for (let i = 0; i < bytes; i++) u8[address + i] = data[i]!
    else u8.set(data, address)
  }
}

/** Memory seen through a datatype: packed on the way. */
export class SpreadPayload implements Payload {
  readonly kind: number
  readonly bytes: number
  readonly address = 0
  readonly #data: TypedArray
  readonly #spread: Spread

  constructor(kind: number, data: TypedArray, spread: Spread) {
    this.kind = kind
    this.bytes = spread.layout.size * spread.count * bytesOf(kind)
    this.#data = data
    this.#spread = spread
  }

  write(memory: WorldMemory, address: number): void {
    const { layout, offset, count } = this.#spread
    const elementBytes = bytesOf(this.kind)
    const strided = layout.strided(count)
    if (strided !== undefined && this.#data.buffer === memory.buffer) {
      memory.kernels.pack(
        address,
        this.#data.byteOffset + (offset + strided.offset) * elementBytes,
        strided.count,
        strided.blockLength * elementBytes,
        strided.stride * elementBytes,
      )
    } else {
      const packed = memory.u8.subarray(address, address + this.bytes)
      packElements(packed, this.#data, this.kind, offset, layout, count)
    }
  }
}
