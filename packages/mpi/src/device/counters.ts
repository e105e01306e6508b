/** What a rank has moved, and how often bytes were copied on the way (for `--stats` and tests). */
export class Counters {
  messagesReceived = 0
  // A cell of its own: a field that grows beyond 32 bits would change its representation on the way,
  // and all code that sends would be compiled anew.
  readonly #bytesSent = new Float64Array(1)
  /** Eager payloads written from registered memory: the one copy of the eager path at the sender. */
  registeredCopies = 0
  /** Payloads copied because they lay in plain memory, or in pieces: at either end. */
  stagedCopies = 0
  /** Eager payloads kept because no receive was posted yet. */
  unexpectedCopies = 0
  /** Payloads that went straight from the sender's array into the receiver's. */
  zeroCopies = 0

  get bytesSent(): number {
    return this.#bytesSent[0]!
  }

  countSent(bytes: number): void {
    this.#bytesSent[0]! += bytes
  }
}
