/** Equal buffers in one registered block, and which of them are free. */
export class BufferStock {
  readonly bytes: number
  readonly localKey: number
  readonly #address: number
  readonly #count: number
  /** Buffers that were given back; those from `#fresh` on were never taken. */
  readonly #free: number[] = []
  #fresh = 0

  constructor(address: number, count: number, bytes: number, localKey: number) {
    this.#address = address
    this.bytes = bytes
    this.localKey = localKey
    this.#count = count
  }

  addressOf(index: number): number {
    return this.#address + index * this.bytes
  }

  /** Number of a free buffer, -1 when there is none. */
  take(): number {
    return this.#free.pop() ?? (this.#fresh < this.#count ? this.#fresh++ : -1)
  }

  give(index: number): void {
    this.#free.push(index)
  }
}
