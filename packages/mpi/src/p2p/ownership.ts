import { OverlapError } from '../errors/index.js'
import { DisjointIntervals } from './disjoint-intervals.js'
import { IntervalSet } from './interval-set.js'

/** Memory of one operation: a range of the world's memory, or of another buffer (`address` 0). */
export interface OwnedMemory {
  readonly address: number
  readonly bytesMax: number
  readonly data: ArrayBufferView
}

/**
 * Which memory the operations under way own (MPI 4.1, section 3.7.2): what a receive will write must
 * not be touched by any other operation; what sends read may be read by others.
 */
export class Ownership {
  readonly #receives = new DisjointIntervals()
  /** Only registered memory is sent from in place, so only that is owned by a send. */
  readonly #sends = new IntervalSet()
  /** Receives into plain memory, by its buffer. */
  #elsewhere: WeakMap<ArrayBufferLike, DisjointIntervals> | undefined
  #operations = 0

  /** Whether anything is owned: the checks below are needless while it is not. */
  get busy(): boolean {
    return this.#operations !== 0
  }

  /** @throws OverlapError when a receive under way owns part of registered memory to be read */
  checkSend(start: number, end: number, operation: string): void {
    if (this.#receives.overlaps(start, end)) throw overlap(operation, 'a receive')
  }

  /** The same for memory elsewhere. */
  checkSendElsewhere({ buffer, byteOffset, byteLength }: ArrayBufferView, operation: string): void {
    const owned = this.#elsewhere?.get(buffer)
    if (owned?.overlaps(byteOffset, byteOffset + byteLength)) throw overlap(operation, 'a receive')
  }

  /** @throws OverlapError when any operation under way owns part of what is about to be written */
  checkReceive({ address, bytesMax, data }: OwnedMemory, operation: string): void {
    if (address === 0) {
      const { buffer, byteOffset } = data
      const owned = this.#elsewhere?.get(buffer)
      if (owned?.overlaps(byteOffset, byteOffset + bytesMax))
        throw overlap(operation, 'another receive')
    } else {
      const end = address + bytesMax
      if (this.#receives.overlaps(address, end)) throw overlap(operation, 'another receive')
      if (this.#sends.overlaps(address, end)) throw overlap(operation, 'a send')
    }
  }

  /** Whether anything under way owns part of the world's memory from `start` to `end`. */
  isOwned(start: number, end: number): boolean {
    return this.#receives.overlaps(start, end) || this.#sends.overlaps(start, end)
  }

  /**
   * Makes the memory of a receive its own until `removeReceive`.
   *
   * @throws OverlapError when another operation under way owns part of it
   */
  addReceive({ address, bytesMax, data }: OwnedMemory, operation: string): void {
    if (address === 0) {
      const { buffer, byteOffset } = data
      if (!this.#ownedOf(buffer).add(byteOffset, byteOffset + bytesMax)) {
        throw overlap(operation, 'another receive')
      }
    } else {
      const end = address + bytesMax
      if (this.#sends.size > 0 && this.#sends.overlaps(address, end)) {
        throw overlap(operation, 'a send')
      }
      if (!this.#receives.add(address, end)) throw overlap(operation, 'another receive')
    }
    this.#operations++
  }

  removeReceive({ address, bytesMax, data }: OwnedMemory): void {
    this.#operations--
    if (address !== 0) this.#receives.remove(address, address + bytesMax)
    else this.#ownedOf(data.buffer).remove(data.byteOffset, data.byteOffset + bytesMax)
  }

  addSend(start: number, end: number): void {
    this.#operations++
    this.#sends.add(start, end)
  }

  removeSend(start: number, end: number): void {
    this.#operations--
    this.#sends.remove(start, end)
  }

  #ownedOf(buffer: ArrayBufferLike): DisjointIntervals {
    this.#elsewhere ??= new WeakMap()
    let owned = this.#elsewhere.get(buffer)
    if (owned === undefined) {
      owned = new DisjointIntervals()
      this.#elsewhere.set(buffer, owned)
    }
    return owned
  }
}

function overlap(operation: string, other: string): OverlapError {
  return new OverlapError({
    operation,
    first: 'the buffer',
    second: `the buffer of ${other} that is not complete`,
    advice: 'Wait for its request first',
  })
}
