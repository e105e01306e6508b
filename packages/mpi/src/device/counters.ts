const SENT = 0
const DIRECT = 1

/** What a rank has moved, and how often bytes were copied on the way (for `--stats` and tests). */
export class Counters {
  messagesReceived = 0
  // Cells of their own: a field that grows beyond 32 bits would change its representation on the way,
  // and all code that sends would be compiled anew.
  readonly #bytes = new Float64Array(2)
  /** Blocks that collectives fetched from, or put into, the memory of a peer. */
  directTransfers = 0
  /** Eager payloads written from registered memory: the one copy of the eager path at the sender. */
  registeredCopies = 0
  /** Payloads copied because they lay in plain memory, or in pieces: at either end. */
  stagedCopies = 0
  /** Eager payloads kept because no receive was posted yet. */
  unexpectedCopies = 0
  /** Payloads that the receiver read out of the sender's memory: those that go by rendezvous. */
  fetches = 0
  /** Payloads that went straight from the sender's array into the receiver's. */
  zeroCopies = 0

  get bytesSent(): number {
    return this.#bytes[SENT]!
  }

  get bytesDirect(): number {
    return this.#bytes[DIRECT]!
  }

  countDirect(bytes: number): void {
    this.directTransfers++
    this.#bytes[DIRECT]! += bytes
  }

  countSent(bytes: number): void {
    this.#bytes[SENT]! += bytes
  }
}
