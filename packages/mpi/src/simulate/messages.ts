import { twice } from '@commworld/transport/simulated'

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
  #free = NONE
  #used = 0
  #live = 0
  /** Most at once. */
  peak = 0
  readonly #onGrow: (capacity: number) => void

  constructor(onGrow: (capacity: number) => void) {
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
      this.#onGrow(this.state.length)
    }
    return this.#used++
  }
}
