const EMPTY = -1

/**
 * Of each ordered pair of ranks what waits there: receives, or messages that came before them, never
 * both. A hash table with linear probing (Knuth, TAOCP 3, 6.4, algorithms L and R); a pair that has
 * nothing waiting has no entry.
 */
export class Channels {
  #key: Float64Array
  #first: Int32Array
  #last: Int32Array
  #mask: number
  #entries = 0

  constructor(capacity = 1024) {
    this.#key = new Float64Array(capacity).fill(EMPTY)
    this.#first = new Int32Array(capacity)
    this.#last = new Int32Array(capacity)
    this.#mask = capacity - 1
  }

  /** Where the entry of a pair is, or -1. Holds until the next change. */
  find(key: number): number {
    const keys = this.#key
    for (let at = this.#slot(key); ; at = (at + 1) & this.#mask) {
      const seen = keys[at]!
      if (seen === key) return at
      if (seen === EMPTY) return -1
    }
  }

  first(at: number): number {
    return this.#first[at]!
  }

  last(at: number): number {
    return this.#last[at]!
  }

  /** Makes an entry with one item; the pair has none. */
  add(key: number, item: number): void {
    if (2 * ++this.#entries > this.#mask) this.#grow()
    let at = this.#slot(key)
    while (this.#key[at] !== EMPTY) at = (at + 1) & this.#mask
    this.#key[at] = key
    this.#first[at] = item
    this.#last[at] = item
  }

  setLast(at: number, item: number): void {
    this.#last[at] = item
  }

  setFirst(at: number, item: number): void {
    this.#first[at] = item
  }

  /** Removes an entry, and moves those that it kept from their places. */
  remove(at: number): void {
    const keys = this.#key
    this.#entries--
    let hole = at
    for (let next = (at + 1) & this.#mask; keys[next] !== EMPTY; next = (next + 1) & this.#mask) {
      const home = this.#slot(keys[next]!)
      // It may move when its home is not between the hole and where it is.
      const distance = (next - home) & this.#mask
      if (distance < ((next - hole) & this.#mask)) continue
      keys[hole] = keys[next]!
      this.#first[hole] = this.#first[next]!
      this.#last[hole] = this.#last[next]!
      hole = next
    }
    keys[hole] = EMPTY
  }

  #slot(key: number): number {
    const high = (key / 4294967296) | 0
    const mixed = Math.imul((key | 0) ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1)
    return (mixed ^ (mixed >>> 15)) & this.#mask
  }

  #grow(): void {
    const keys = this.#key
    const first = this.#first
    const last = this.#last
    const capacity = 2 * keys.length
    this.#key = new Float64Array(capacity).fill(EMPTY)
    this.#first = new Int32Array(capacity)
    this.#last = new Int32Array(capacity)
    this.#mask = capacity - 1
    keys.forEach((key, from) => {
      if (key === EMPTY) return
      let at = this.#slot(key)
      while (this.#key[at] !== EMPTY) at = (at + 1) & this.#mask
      this.#key[at] = key
      this.#first[at] = first[from]!
      this.#last[at] = last[from]!
    })
  }
}
