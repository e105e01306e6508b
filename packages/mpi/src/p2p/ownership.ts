import { OverlapError } from '../errors/index.js'
import { IntervalSet } from './interval-set.js'

/** What operations under way own of one buffer: an ArrayBuffer, or the world's memory. */
class Owned {
  readonly receives = new IntervalSet()
  readonly sends = new IntervalSet()
}

/**
 * Which memory the operations under way own (MPI 4.1, section 3.7.2): what a receive will write must
 * not be touched by any other operation; what sends read may be read by others.
 */
export class Ownership {
  readonly #world = new Owned()
  readonly #elsewhere = new WeakMap<ArrayBufferLike, Owned>()
  readonly #worldBuffer: ArrayBufferLike
  #operations = 0

  constructor(worldBuffer: ArrayBufferLike) {
    this.#worldBuffer = worldBuffer
  }

  /** Whether anything is owned: the checks below are needless while it is not. */
  get busy(): boolean {
    return this.#operations !== 0
  }

  /** @throws OverlapError when a receive under way owns part of what is about to be read */
  checkSend(buffer: ArrayBufferLike, start: number, end: number, operation: string): void {
    const owned = this.#of(buffer)
    if (owned?.receives.overlaps(start, end)) throw overlap(operation, 'a receive')
  }

  /** @throws OverlapError when any operation under way owns part of what is about to be written */
  checkReceive(buffer: ArrayBufferLike, start: number, end: number, operation: string): void {
    const owned = this.#of(buffer)
    if (owned === undefined) return
    if (owned.receives.overlaps(start, end)) throw overlap(operation, 'another receive')
    if (owned.sends.overlaps(start, end)) throw overlap(operation, 'a send')
  }

  /** Whether anything under way owns part of the world's memory from `start` to `end`. */
  isOwned(start: number, end: number): boolean {
    return this.#world.receives.overlaps(start, end) || this.#world.sends.overlaps(start, end)
  }

  addReceive(buffer: ArrayBufferLike, start: number, end: number): void {
    this.#operations++
    this.#made(buffer).receives.add(start, end)
  }

  removeReceive(buffer: ArrayBufferLike, start: number, end: number): void {
    this.#operations--
    this.#made(buffer).receives.remove(start, end)
  }

  /** Only registered memory is sent from in place, so only that is owned by a send. */
  addSend(start: number, end: number): void {
    this.#operations++
    this.#world.sends.add(start, end)
  }

  removeSend(start: number, end: number): void {
    this.#operations--
    this.#world.sends.remove(start, end)
  }

  #of(buffer: ArrayBufferLike): Owned | undefined {
    return buffer === this.#worldBuffer ? this.#world : this.#elsewhere.get(buffer)
  }

  #made(buffer: ArrayBufferLike): Owned {
    let owned = this.#of(buffer)
    if (owned === undefined) {
      owned = new Owned()
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
