const ROOM_MIN = 64
const NO_ROOM = new Float64Array(0)

/**
 * Half-open intervals that do not overlap: what receives under way own. A sorted list with room at
 * both ends, since buffers are mostly posted in rising order and filled first in, first out; then
 * adding and removing are O(1).
 */
export class DisjointIntervals {
  #starts = NO_ROOM
  #ends = NO_ROOM
  #first = 0
  #last = 0

  get size(): number {
    return this.#last - this.#first
  }

  /** Whether any interval shares an address with [start, end). */
  overlaps(start: number, end: number): boolean {
    if (this.#first === this.#last || start >= end) return false
    const at = this.#lowerBound(start)
    return this.#meets(at, start, end)
  }

  /** Adds an interval. @returns false, and adds nothing, when it overlaps another */
  add(start: number, end: number): boolean {
    if (start >= end) return true
    if (this.#last === this.#starts.length) this.#makeRoom()
    const last = this.#last
    if (last === this.#first || this.#ends[last - 1]! <= start) {
      this.#starts[last] = start
      this.#ends[last] = end
      this.#last = last + 1
      return true
    }
    return this.#insert(start, end)
  }

  /** Removes an interval that was added. */
  remove(start: number, end: number): void {
    if (start >= end) return
    const first = this.#first
    if (this.#starts[first] !== start) return this.#removeAt(this.#lowerBound(start))
    if (first + 1 === this.#last) {
      this.#first = 0
      this.#last = 0
    } else {
      this.#first = first + 1
    }
  }

  #insert(start: number, end: number): boolean {
    const at = this.#lowerBound(start)
    if (this.#meets(at, start, end)) return false
    this.#starts.copyWithin(at + 1, at, this.#last)
    this.#ends.copyWithin(at + 1, at, this.#last)
    this.#starts[at] = start
    this.#ends[at] = end
    this.#last++
    return true
  }

  #removeAt(at: number): void {
    this.#starts.copyWithin(at, at + 1, this.#last)
    this.#ends.copyWithin(at, at + 1, this.#last)
    this.#last--
  }

  /** Whether the neighbours of place `at` reach into [start, end). */
  #meets(at: number, start: number, end: number): boolean {
    if (at > this.#first && this.#ends[at - 1]! > start) return true
    return at < this.#last && this.#starts[at]! < end
  }

  /** First place whose start is at least `start`. */
  #lowerBound(start: number): number {
    let low = this.#first
    let high = this.#last
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#starts[middle]! < start) low = middle + 1
      else high = middle
    }
    return low
  }

  #makeRoom(): void {
    const { size } = this
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
