import { SHARED } from './buffer.js'

/**
 * Which blocks the operations under way read (counted) or write (-1). Dependencies are found here
 * instead of being written down, so none can be forgotten.
 */
export class Hazards {
  readonly #busy: readonly Int32Array[]

  /** @param counts blocks of each buffer */
  constructor(counts: readonly number[]) {
    this.#busy = counts.slice(0, SHARED).map((count) => new Int32Array(count))
  }

  mayRead(buffer: number, index: number, count: number): boolean {
    if (buffer === SHARED) return true
    const busy = this.#busy[buffer]!
    for (let i = index; i < index + count; i++) if (busy[i]! < 0) return false
    return true
  }

  mayWrite(buffer: number, index: number, count: number): boolean {
    if (buffer === SHARED) return true
    const busy = this.#busy[buffer]!
    for (let i = index; i < index + count; i++) if (busy[i] !== 0) return false
    return true
  }

  occupy(buffer: number, index: number, count: number, reads: boolean): void {
    this.#change(buffer, index, count, reads ? 1 : -1)
  }

  release(buffer: number, index: number, count: number, reads: boolean): void {
    this.#change(buffer, index, count, reads ? -1 : 1)
  }

  #change(buffer: number, index: number, count: number, by: number): void {
    const busy = this.#busy[buffer]!
    for (let i = index; i < index + count; i++) busy[i]! += by
  }
}
