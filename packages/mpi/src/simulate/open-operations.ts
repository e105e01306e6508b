import { twice } from '@commworld/transport/simulated'
import { UNWATCHED } from './data-shape.js'

const NONE = -1
const BUFFERS = 4

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
  readonly #first: Int32Array
  /** Operations of each rank. */
  readonly open: Int32Array
  // Of each rank and buffer: how many, and the blocks between the first and the last of them.
  readonly #inBuffer: Int32Array
  readonly #low: Int32Array
  readonly #high: Int32Array

  constructor(ranks: number) {
    this.#first = new Int32Array(ranks).fill(NONE)
    this.open = new Int32Array(ranks)
    this.#inBuffer = new Int32Array(ranks * BUFFERS)
    this.#low = new Int32Array(ranks * BUFFERS)
    this.#high = new Int32Array(ranks * BUFFERS)
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
    this.open[rank]!++
    const head = this.#first[rank]!
    this.#next[id] = head
    this.#before[id] = NONE
    if (head !== NONE) this.#before[head] = id
    this.#first[rank] = id
    if (buffer < 0) return id
    const at = rank * BUFFERS + buffer
    const fresh = this.#inBuffer[at]!++ === 0
    if (fresh || index < this.#low[at]!) this.#low[at] = index
    if (fresh || index + count > this.#high[at]!) this.#high[at] = index + count
    return id
  }

  end(id: number): void {
    const rank = this.rank[id]!
    const next = this.#next[id]!
    const before = this.#before[id]!
    if (before === NONE) this.#first[rank] = next
    else this.#next[before] = next
    if (next !== NONE) this.#before[next] = before
    this.open[rank]!--
    const buffer = this.buffer[id]!
    if (buffer >= 0) this.#inBuffer[rank * BUFFERS + (buffer % BUFFERS)]!--
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
    const at = rank * BUFFERS + buffer
    if (this.#inBuffer[at] === 0) return false
    if (index >= this.#high[at]! || index + count <= this.#low[at]!) return false
    for (let id = this.#first[rank]!; id !== NONE; id = this.#next[id]!) {
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
