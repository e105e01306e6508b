/** Numbers the writes of all ranks of a job, in the order in which they happened. In shared memory. */
export class WriteCounter {
  readonly shared: SharedArrayBuffer
  readonly #count: Int32Array

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared
    this.#count = new Int32Array(shared)
  }

  next(): number {
    return Atomics.add(this.#count, 0, 1) >>> 0
  }
}

/**
 * Brings writes that come on many ports back into the order in which they happened: what a rank
 * printed before it sent a message comes before what the receiver then printed.
 *
 * Invariant: all writes below `next` were delivered, and `early` holds only writes above.
 */
export class OutputOrder {
  readonly #early = new Map<number, () => void>()
  #next = 0

  /** Calls `deliver` when the turn of this write has come. */
  add(number: number, deliver: () => void): void {
    this.#early.set(number, deliver)
    for (let turn; (turn = this.#early.get(this.#next)); this.#next = (this.#next + 1) >>> 0) {
      this.#early.delete(this.#next)
      turn()
    }
  }

  /** Nothing more will come: a thread may have been ended between taking a number and writing. */
  finish(): void {
    for (const number of [...this.#early.keys()].sort((a, b) => a - b)) this.#early.get(number)!()
    this.#early.clear()
  }
}
