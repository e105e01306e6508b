/**
 * A hash over the events of a run, in their order: two runs with the same hash did the same. FNV-1a
 * over the bytes of (time, what), in two lanes of 32 bits.
 */
export class EventLog {
  #low = 0x811c9dc5
  #high = 0x9747b28c
  readonly #words = new Uint32Array(2)
  readonly #time = new Float64Array(this.#words.buffer)
  count = 0

  add(time: number, what: number): void {
    this.#time[0] = time
    this.#mix(this.#words[0]!)
    this.#mix(this.#words[1]!)
    this.#mix(what)
    this.count++
  }

  /** Sixteen hexadecimal digits. */
  get digest(): string {
    return [this.#high, this.#low]
      .map((lane) => (lane >>> 0).toString(16).padStart(8, '0'))
      .join('')
  }

  #mix(word: number): void {
    this.#low = Math.imul(this.#low ^ word, 0x01000193)
    this.#high = Math.imul(this.#high ^ (word >>> 7) ^ (this.#low >>> 15), 0x85ebca6b) ^ this.#low
  }
}
