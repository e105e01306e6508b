import { twice } from '@commworld/transport'

/** Header and payload are on the way, or have come. */
export const EAGER = 0
/** The header of a message whose payload waits at its sender. */
export const ANNOUNCED = 1
/** The receiver asks for that payload. */
export const FETCH = 2
/** The payload that was asked for. */
export const PAYLOAD = 3
/** The sender hears that its payload was fetched. */
export const FINISHED = 4

const NONE = -1

/** Whatever is under way between ranks, or has come and is not matched yet, by number. */
export class Flights {
  state = new Int8Array(256)
  from = new Int32Array(256)
  to = new Int32Array(256)
  /** Of the payload. */
  bytes = new Float64Array(256)
  /** Where header and payload lie in the world's memory. */
  slot = new Float64Array(256)
  /** Of a payload that is fetched: where from, where to, how much at first, and for whom. */
  remote = new Float64Array(256)
  local = new Float64Array(256)
  piece = new Float64Array(256)
  token = new Int32Array(256)
  /** Of a recorded run: the send that it belongs to. */
  operation = new Int32Array(256)
  /** And the receive. */
  receive = new Int32Array(256)
  sentAt = new Float64Array(256)
  arrivedAt = new Float64Array(256)
  #next = new Int32Array(256)
  #free = NONE
  #used = 0
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
    this.slot[id] = 0
    return id
  }

  remove(id: number): void {
    this.#next[id] = this.#free
    this.#free = id
  }

  #newId(): number {
    const free = this.#free
    if (free !== NONE) {
      this.#free = this.#next[free]!
      return free
    }
    if (this.#used === this.state.length) this.#grow()
    return this.#used++
  }

  #grow(): void {
    this.state = twice(this.state)
    this.from = twice(this.from)
    this.to = twice(this.to)
    this.bytes = twice(this.bytes)
    this.slot = twice(this.slot)
    this.remote = twice(this.remote)
    this.local = twice(this.local)
    this.piece = twice(this.piece)
    this.token = twice(this.token)
    this.operation = twice(this.operation)
    this.receive = twice(this.receive)
    this.sentAt = twice(this.sentAt)
    this.arrivedAt = twice(this.arrivedAt)
    this.#next = twice(this.#next)
    this.#onGrow(this.state.length)
  }
}
