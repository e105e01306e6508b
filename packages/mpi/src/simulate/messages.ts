import { twice } from '@commworld/transport'

/** All its bytes are on the way, or have come. */
export const EAGER = 0
/** The receiver is being told of it. */
export const REQUESTED = 1
/** The receiver asks for its bytes. */
export const FETCHED = 2
/** The bytes that were asked for are on the way. */
export const ANSWERED = 3

const NONE = -1

/** Messages under way, or come before their receives. */
export class Messages {
  state = new Int8Array(256)
  from = new Int32Array(256)
  to = new Int32Array(256)
  bytes = new Float64Array(256)
  /** The send that waits for its end, or -1. */
  send = new Int32Array(256)
  /** The receive that it was matched with. */
  receive = new Int32Array(256)
  arrivedAt = new Float64Array(256)
  /** The next one from the same rank that came before its receive. */
  next = new Int32Array(256)
  /** Whether it has come, and waits for one that set out before it. */
  held = new Int8Array(256)
  // Messages of one rank that have not come yet, in the order in which they set out.
  #after = new Int32Array(256)
  #before = new Int32Array(256)
  #departing: Int32Array
  #holds = 0
  #free = NONE
  #used = 0
  #live = 0
  /** Most at once. */
  peak = 0
  readonly #onGrow: (capacity: number) => void

  constructor(ranks: number, onGrow: (capacity: number) => void) {
    this.#departing = new Int32Array(ranks).fill(NONE)
    this.#onGrow = onGrow
  }

  add(state: number, from: number, to: number, bytes: number): number {
    const id = this.#newId()
    this.state[id] = state
    this.from[id] = from
    this.to[id] = to
    this.bytes[id] = bytes
    this.send[id] = NONE
    this.next[id] = NONE
    if (++this.#live > this.peak) this.peak = this.#live
    return id
  }

  /** It sets out; `arrive` is called when it has come. */
  depart(id: number): void {
    const rank = this.from[id]!
    const last = this.#departing[rank]!
    this.held[id] = 0
    this.#before[id] = last
    this.#after[id] = NONE
    if (last !== NONE) this.#after[last] = id
    this.#departing[rank] = id
  }

  /**
   * It has come. Messages between two ranks do not overtake each other (MPI 4.1, 3.5): an earlier one
   * that is still under way holds it back.
   *
   * @returns whether it may be taken
   */
  arrive(id: number): boolean {
    const to = this.to[id]!
    for (let other = this.#before[id]!; other !== NONE; other = this.#before[other]!) {
      if (this.to[other] !== to) continue
      this.held[id] = 1
      this.#holds++
      return false
    }
    return true
  }

  /** It is taken. @returns the message that it held back, or -1 */
  admit(id: number): number {
    const before = this.#before[id]!
    const after = this.#after[id]!
    if (before !== NONE) this.#after[before] = after
    if (after !== NONE) this.#before[after] = before
    else this.#departing[this.from[id]!] = before
    if (this.#holds === 0) return NONE
    const to = this.to[id]!
    let next = after
    while (next !== NONE && this.to[next] !== to) next = this.#after[next]!
    if (next === NONE || this.held[next] === 0) return NONE
    this.#holds--
    return next
  }

  remove(id: number): void {
    this.#live--
    this.next[id] = this.#free
    this.#free = id
  }

  #newId(): number {
    const free = this.#free
    if (free !== NONE) {
      this.#free = this.next[free]!
      return free
    }
    if (this.#used === this.state.length) {
      this.state = twice(this.state)
      this.from = twice(this.from)
      this.to = twice(this.to)
      this.bytes = twice(this.bytes)
      this.send = twice(this.send)
      this.receive = twice(this.receive)
      this.arrivedAt = twice(this.arrivedAt)
      this.next = twice(this.next)
      this.held = twice(this.held)
      this.#after = twice(this.#after)
      this.#before = twice(this.#before)
      this.#onGrow(this.state.length)
    }
    return this.#used++
  }
}
