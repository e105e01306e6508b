/** Equal buffers in one registered block, and which of them are free. */
export class BufferStock {
  readonly bytes: number
  readonly localKey: number
  readonly #address: number
  readonly #free: number[]

  constructor(address: number, count: number, bytes: number, localKey: number) {
    this.#address = address
    this.bytes = bytes
    this.localKey = localKey
    this.#free = Array.from({ length: count }, (_, index) => count - 1 - index)
  }

  addressOf(index: number): number {
    return this.#address + index * this.bytes
  }

  /** Number of a free buffer, -1 when there is none. */
  take(): number {
    return this.#free.pop() ?? -1
  }

  give(index: number): void {
    this.#free.push(index)
  }
}
