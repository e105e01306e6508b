const ROOM_MIN = 64
const NO_ROOM = new Float64Array(0)

/**
 * Half-open intervals of addresses, by where they start: which memory operations under way own.
 * A sorted list with room at both ends, since buffers are mostly used in rising order and given
 * back first in, first out; then adding and removing move nothing.
 */
export class IntervalSet {
  #starts = NO_ROOM
  #ends = NO_ROOM
  #first = 0
  #last = 0
  /** No interval is longer, which bounds how far back an overlap can begin. */
  #longest = 0

  get size(): number {
    return this.#last - this.#first
  }

  /** Whether any interval shares an address with [start, end). */
  overlaps(start: number, end: number): boolean {
    if (this.#first === this.#last || start >= end) return false
    let at = this.#lowerBound(end) - 1
    for (; at >= this.#first && this.#starts[at]! > start - this.#longest; at--) {
      if (this.#ends[at]! > start) return true
    }
    return false
  }

  add(start: number, end: number): void {
    if (start >= end) return
    if (end - start > this.#longest) this.#longest = end - start
    if (this.#last === this.#starts.length) this.#makeRoom()
    const at = this.#lowerBound(start)
    if (at < this.#last) {
      this.#starts.copyWithin(at + 1, at, this.#last)
      this.#ends.copyWithin(at + 1, at, this.#last)
    }
    this.#starts[at] = start
    this.#ends[at] = end
    this.#last++
  }

  /** Removes one interval that was added. */
  remove(start: number, end: number): void {
    if (start >= end) return
    let at = this.#lowerBound(start)
    while (this.#ends[at] !== end) at++
    if (at === this.#first) {
      this.#first++
      if (this.#first === this.#last) this.#clear()
      return
    }
    this.#starts.copyWithin(at, at + 1, this.#last)
    this.#ends.copyWithin(at, at + 1, this.#last)
    this.#last--
  }

  #clear(): void {
    this.#first = 0
    this.#last = 0
    this.#longest = 0
  }

  /** First place whose start is at least `start`; the end is tried first. */
  #lowerBound(start: number): number {
    let low = this.#first
    let high = this.#last
    if (high > low && this.#starts[high - 1]! < start) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#starts[middle]! < start) low = middle + 1
      else high = middle
    }
    return low
  }

  #makeRoom(): void {
    const size = this.size
    const { length: before } = this.#starts
    const length = Math.max(ROOM_MIN, size * 2 > before ? before * 2 : before)
    const starts = new Float64Array(length)
    const ends = new Float64Array(length)
    starts.set(this.#starts.subarray(this.#first, this.#last))
    ends.set(this.#ends.subarray(this.#first, this.#last))
    this.#starts = starts
    this.#ends = ends
    this.#first = 0
    this.#last = size
  }
}
