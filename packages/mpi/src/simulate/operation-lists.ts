import type { Emit } from '../coll/plan/algorithm.js'
import type { Buffer, Side } from '../coll/plan/buffer.js'
import { Op } from '../coll/plan/schedule.js'
import type { DataShape } from './data-shape.js'

/** Words of an operation: those of coll/plan/schedule.ts, and the number of the next one. */
export const LIST_WORDS = 9
const NEXT = 8
const NONE = -1

/**
 * Operations that ranks have still to begin, as a list for each rank in one pool: a round is written
 * down when its rank comes to it, and what was begun is given back. It emits as coll/plan/schedule.ts
 * records, ranges that wrap around cut in two.
 */
export class OperationLists implements Emit {
  words = new Int32Array(1024 * LIST_WORDS)
  readonly #shape: DataShape
  readonly #size: number
  readonly #first: Int32Array
  #last = NONE
  #free = NONE
  #used = 0
  #rank = 0

  constructor(shape: DataShape, size: number) {
    this.#shape = shape
    this.#size = size
    this.#first = new Int32Array(size).fill(NONE)
  }

  /** From now on the list of this rank, which is empty, is written. */
  write(rank: number): void {
    this.#rank = rank
    this.#last = NONE
  }

  /** Where the next operation of a rank begins in `words`, or -1. */
  first(rank: number): number {
    return this.#first[rank]!
  }

  /** Gives the first operation of a rank back. */
  drop(rank: number): void {
    const at = this.#first[rank]!
    this.#first[rank] = this.words[at + NEXT]!
    this.words[at + NEXT] = this.#free
    this.#free = at
  }

  send(peer: number, buffer: Buffer, index: number, count = 1): void {
    this.#ranged(Op.send, peer, buffer, index, count, 0)
  }

  receive(peer: number, buffer: Buffer, index: number, count = 1): void {
    this.#ranged(Op.receive, peer, buffer, index, count, 0)
  }

  receiveReduce(peer: number, buffer: Buffer, index: number, count: number, side: Side): void {
    this.#ranged(Op.receiveReduce, peer, buffer, index, count, side)
  }

  copy(from: Buffer, index: number, to: Buffer, toIndex: number, count = 1): void {
    this.#moved(Op.copy, NONE, from, index, to, toIndex, count, 0)
  }

  reduce(
    from: Buffer,
    index: number,
    to: Buffer,
    toIndex: number,
    count: number,
    side: Side,
  ): void {
    this.#moved(Op.reduce, NONE, from, index, to, toIndex, count, side)
  }

  signal(peer: number): void {
    this.#add(Op.signal, peer, 0, 0, 0, 0, 0, 0)
  }

  await(peer: number): void {
    this.#add(Op.await, peer, 0, 0, 0, 0, 0, 0)
  }

  publish(stage: number): void {
    this.#add(Op.publish, NONE, 0, 0, 0, 0, stage, 0)
  }

  awaitPublished(peer: number, stage: number): void {
    if (peer !== this.#rank) this.#add(Op.awaitPublished, peer, 0, 0, 0, 0, stage, 0)
  }

  meet(stage: number): void {
    this.publish(stage)
    for (let distance = 1; distance < this.#size; distance++) {
      this.awaitPublished((this.#rank + distance) % this.#size, stage)
    }
  }

  once(stage: number, operations: () => void): void {
    const at = this.#add(Op.once, NONE, 0, 0, 0, 0, stage, 0)
    const before = this.#added
    operations()
    this.words[at + 7] = this.#added - before
    this.#add(Op.endOnce, NONE, 0, 0, 0, 0, stage, 0)
  }

  get(peer: number, from: Buffer, index: number, to: Buffer, toIndex: number, count = 1): void {
    this.#moved(Op.get, peer, from, index, to, toIndex, count, 0)
  }

  getReduce(
    peer: number,
    from: Buffer,
    index: number,
    to: Buffer,
    toIndex: number,
    count: number,
    side: Side,
  ): void {
    this.#moved(Op.getReduce, peer, from, index, to, toIndex, count, side)
  }

  put(peer: number, from: Buffer, index: number, to: Buffer, toIndex: number, count = 1): void {
    this.#moved(Op.put, peer, from, index, to, toIndex, count, 0)
  }

  fence(): void {
    this.#add(Op.fence, NONE, 0, 0, 0, 0, 0, 0)
  }

  #ranged(
    op: number,
    peer: number,
    buffer: number,
    index: number,
    count: number,
    side: number,
  ): void {
    if (count <= 0) return
    const blocks = this.#shape.count(this.#rank, buffer)
    const first = blocks === 0 ? index : index % blocks
    const whole = Math.min(count, Math.max(blocks - first, 1))
    this.#add(op, peer, buffer, first, 0, 0, whole, side)
    if (count > whole) this.#ranged(op, peer, buffer, 0, count - whole, side)
  }

  #moved(
    op: number,
    peer: number,
    from: number,
    index: number,
    to: number,
    toIndex: number,
    count: number,
    side: number,
  ): void {
    const reads = op === Op.get || op === Op.getReduce
    const fromBlocks = reads ? Infinity : this.#shape.count(this.#rank, from)
    const toBlocks = op === Op.put ? Infinity : this.#shape.count(this.#rank, to)
    for (let done = 0; done < count;) {
      const at = fromBlocks === Infinity ? index + done : (index + done) % fromBlocks
      const toAt = toBlocks === Infinity ? toIndex + done : (toIndex + done) % toBlocks
      const piece = Math.min(count - done, fromBlocks - at, toBlocks - toAt)
      this.#add(op, peer, from, at, to, toAt, piece, side)
      done += piece
    }
  }

  #added = 0

  #add(
    op: number,
    peer: number,
    buffer: number,
    index: number,
    to: number,
    toIndex: number,
    count: number,
    side: number,
  ): number {
    const at = this.#newSlot()
    const { words } = this
    words[at] = op
    words[at + 1] = peer
    words[at + 2] = buffer
    words[at + 3] = index
    words[at + 4] = to
    words[at + 5] = toIndex
    words[at + 6] = count
    words[at + 7] = side
    words[at + NEXT] = NONE
    if (this.#last === NONE) this.#first[this.#rank] = at
    else words[this.#last + NEXT] = at
    this.#last = at
    this.#added++
    return at
  }

  #newSlot(): number {
    const free = this.#free
    if (free !== NONE) {
      this.#free = this.words[free + NEXT]!
      return free
    }
    if (this.#used === this.words.length) {
      const words = new Int32Array(2 * this.#used)
      words.set(this.words)
      this.words = words
    }
    const at = this.#used
    this.#used += LIST_WORDS
    return at
  }
}
