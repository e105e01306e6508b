const EMPTY = -1
/** Where nothing waits. Items are any other whole numbers of 32 bits. */
export const NOTHING = -0x80000000

// Numbers of a rank: the peer of its own channel, its first and last item, and how many it has elsewhere.
const RANK = 4
const FIRST = 1
const LAST = 2
const OTHERS = 3

/**
 * Of each ordered pair of ranks what waits there: receives, or messages that came before them, never
 * both. Most ranks wait for one peer at a time, so each has room for one pair of its own; more are in a
 * table of all.
 */
export class Channels {
  readonly #size: number
  readonly #own: Int32Array
  readonly #table = new PairTable()

  constructor(size: number) {
    this.#size = size
    this.#own = new Int32Array(size * RANK)
    for (let rank = 0; rank < size; rank++) this.#own[rank * RANK] = EMPTY
  }

  /** What came first of what waits, or `NOTHING`. */
  first(rank: number, peer: number): number {
    const own = this.#own
    const at = rank * RANK
    if (own[at] === peer) return own[at + FIRST]!
    if (own[at + OTHERS] === 0) return NOTHING
    const entry = this.#table.find(rank * this.#size + peer)
    return entry < 0 ? NOTHING : this.#table.first(entry)
  }

  /** Puts an item behind the others. @returns the one before it, or `NOTHING` */
  append(rank: number, peer: number, item: number): number {
    const own = this.#own
    const at = rank * RANK
    if (own[at] === peer) {
      const last = own[at + LAST]!
      own[at + LAST] = item
      return last
    }
    const key = rank * this.#size + peer
    const entry = own[at + OTHERS] === 0 ? EMPTY : this.#table.find(key)
    if (entry >= 0) {
      const last = this.#table.last(entry)
      this.#table.setLast(entry, item)
      return last
    }
    if (own[at] === EMPTY) {
      own[at] = peer
      own[at + FIRST] = item
      own[at + LAST] = item
    } else {
      own[at + OTHERS]!++
      this.#table.add(key, item)
    }
    return NOTHING
  }

  /** The first item is gone; `next` is first now, if it is not `NOTHING`. Precondition: there is one. */
  advance(rank: number, peer: number, next: number): void {
    const own = this.#own
    const at = rank * RANK
    if (own[at] === peer) {
      if (next === NOTHING) own[at] = EMPTY
      else own[at + FIRST] = next
      return
    }
    const entry = this.#table.find(rank * this.#size + peer)
    if (next !== NOTHING) this.#table.setFirst(entry, next)
    else {
      own[at + OTHERS]!--
      this.#table.remove(entry)
    }
  }
}

/**
 * A hash table with linear probing (Knuth, TAOCP 3, 6.4, algorithms L and R); a pair that has nothing
 * waiting has no entry.
 */
class PairTable {
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
