import { twice } from '@commworld/transport'
import { UNWATCHED } from './data-shape.js'

const NONE = -1
const BUFFERS = 4
/** Numbers of a rank, and where in them those are. */
const RANK = 16
const OPEN = 1
const IN_BUFFER = 2
const LOW = 6
const HIGH = 10

/**
 * Receives and sends under way, as a list for each rank, with the blocks that they write or read:
 * what coll/plan/hazards.ts keeps as a count for each block, in room for what is under way only.
 */
export class OpenOperations {
  rank = new Int32Array(256)
  op = new Int8Array(256)
  buffer = new Int32Array(256)
  index = new Int32Array(256)
  count = new Int32Array(256)
  side = new Int8Array(256)
  bytes = new Float64Array(256)
  /** For lists elsewhere (coll messages that wait for each other). */
  queued = new Int32Array(256)
  #next = new Int32Array(256)
  #before = new Int32Array(256)
  #free = NONE
  #used = 0
  /**
   * Of each rank, side by side in one line of the cache: its first operation, how many it has, and for
   * each buffer how many, and the blocks between the first and the last of them.
   */
  readonly #ranks: Int32Array

  constructor(ranks: number) {
    this.#ranks = new Int32Array(ranks * RANK)
    for (let rank = 0; rank < ranks; rank++) this.#ranks[rank * RANK] = NONE
  }

  /** Operations of a rank. */
  countOf(rank: number): number {
    return this.#ranks[rank * RANK + OPEN]!
  }

  /** @param reads whether the blocks are read, else they are written; a buffer below 0 is none */
  begin(
    rank: number,
    op: number,
    reads: boolean,
    buffer: number,
    index: number,
    count: number,
    side: number,
    bytes: number,
  ): number {
    const id = this.#newId()
    this.rank[id] = rank
    this.op[id] = op
    this.buffer[id] = reads ? buffer + BUFFERS : buffer
    this.index[id] = index
    this.count[id] = count
    this.side[id] = side
    this.bytes[id] = bytes
    this.queued[id] = NONE
    const ranks = this.#ranks
    const own = rank * RANK
    ranks[own + OPEN]!++
    const head = ranks[own]!
    this.#next[id] = head
    this.#before[id] = NONE
    if (head !== NONE) this.#before[head] = id
    ranks[own] = id
    if (buffer < 0) return id
    const at = own + buffer
    const fresh = ranks[at + IN_BUFFER]!++ === 0
    if (fresh || index < ranks[at + LOW]!) ranks[at + LOW] = index
    if (fresh || index + count > ranks[at + HIGH]!) ranks[at + HIGH] = index + count
    return id
  }

  end(id: number): void {
    const own = this.rank[id]! * RANK
    const next = this.#next[id]!
    const before = this.#before[id]!
    if (before === NONE) this.#ranks[own] = next
    else this.#next[before] = next
    if (next !== NONE) this.#before[next] = before
    this.#ranks[own + OPEN]!--
    const buffer = this.buffer[id]!
    if (buffer >= 0) this.#ranks[own + IN_BUFFER + (buffer % BUFFERS)]!--
    this.#next[id] = this.#free
    this.#free = id
  }

  mayRead(rank: number, buffer: number, index: number, count: number): boolean {
    return buffer === UNWATCHED || !this.#meets(rank, buffer, index, count, false)
  }

  mayWrite(rank: number, buffer: number, index: number, count: number): boolean {
    return buffer === UNWATCHED || !this.#meets(rank, buffer, index, count, true)
  }

  /** Whether blocks are those of an operation that writes them, or, with `readsToo`, that uses them. */
  #meets(rank: number, buffer: number, index: number, count: number, readsToo: boolean): boolean {
    const ranks = this.#ranks
    const at = rank * RANK + buffer
    if (ranks[at + IN_BUFFER] === 0) return false
    if (index >= ranks[at + HIGH]! || index + count <= ranks[at + LOW]!) return false
    for (let id = ranks[rank * RANK]!; id !== NONE; id = this.#next[id]!) {
      const other = this.buffer[id]!
      if (other !== buffer && !(readsToo && other === buffer + BUFFERS)) continue
      if (index < this.index[id]! + this.count[id]! && this.index[id]! < index + count) return true
    }
    return false
  }

  #newId(): number {
    const free = this.#free
    if (free !== NONE) {
      this.#free = this.#next[free]!
      return free
    }
    if (this.#used === this.rank.length) this.#grow()
    return this.#used++
  }

  #grow(): void {
    this.rank = twice(this.rank)
    this.op = twice(this.op)
    this.buffer = twice(this.buffer)
    this.index = twice(this.index)
    this.count = twice(this.count)
    this.side = twice(this.side)
    this.bytes = twice(this.bytes)
    this.queued = twice(this.queued)
    this.#next = twice(this.#next)
    this.#before = twice(this.#before)
  }
}
