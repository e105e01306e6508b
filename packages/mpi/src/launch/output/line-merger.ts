/** A partial line longer than this is written as it is. */
const HELD_BYTES_MAX = 16 * 2 ** 20

const NEWLINE = 10

/**
 * Makes whole lines of what one rank writes to one stream, so that lines of ranks never mix.
 *
 * Invariant: what is held has no newline; what was emitted ends in one, but for a line that is too
 * long to hold or that `end` finds unfinished.
 */
export class LineMerger {
  readonly #label: Buffer
  readonly #emit: (bytes: Buffer, fresh: number) => void
  #held: Buffer[] = []
  #heldBytes = 0

  /**
   * `label` goes before each line and may be empty. `emit` gets the lines and how many bytes of them
   * came with the last `add`, rather than out of what was held.
   */
  constructor(label: string, emit: (bytes: Buffer, fresh: number) => void) {
    this.#label = Buffer.from(label)
    this.#emit = emit
  }

  /** Emits the lines that `chunk` completes and holds its rest. Returns the bytes of the rest. */
  add(chunk: string | Uint8Array): number {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      this.#hold(bytes.subarray(0, end))
      this.#release(end)
    }
    const rest = bytes.length - end
    if (rest > 0) this.#hold(bytes.subarray(end))
    if (this.#heldBytes > HELD_BYTES_MAX) this.#release(0)
    return rest
  }

  /** The rank is over: emits an unfinished line. */
  end(): void {
    if (this.#heldBytes > 0) this.#release(0)
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
  }

  #release(fresh: number): void {
    const bytes = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    this.#emit(this.#label.length > 0 ? labelled(bytes, this.#label) : bytes, fresh)
  }
}

/** `label` before each line of `bytes`. */
function labelled(bytes: Buffer, label: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? bytes.length : newline + 1
    parts.push(label, bytes.subarray(start, end))
    start = end
  }
  return Buffer.concat(parts)
}
