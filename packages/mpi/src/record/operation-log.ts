import { OPERATION_NAMES, type OperationRecord } from './operation.js'

/** How many operations of a rank are remembered for reports. */
const REMEMBERED = 64
const WORDS = 6

/** In place of a peer or a tag. */
export const NONE = -3

/**
 * The last operations of a rank in a fixed ring of numbers: six stores an operation, no allocation.
 * Words: name code, peer, tag, context, bytes, kind.
 */
export class OperationLog {
  /** Grows until the ring is full: worlds in tests are many and short. */
  readonly #words: number[] = []
  #count = 0

  /** Operations so far. */
  get count(): number {
    return this.#count
  }

  add(code: number, peer: number, tag: number, context: number, bytes: number, kind: number): void {
    const at = (this.#count & (REMEMBERED - 1)) * WORDS
    const words = this.#words
    words[at] = code
    words[at + 1] = peer
    words[at + 2] = tag
    words[at + 3] = context
    words[at + 4] = bytes
    words[at + 5] = kind
    this.#count++
  }

  /** The remembered operations, oldest first, as reports show them. */
  recent(
    describe: (
      peer: number,
      tag: number,
      context: number,
      kind: number,
    ) => Partial<OperationRecord>,
  ): OperationRecord[] {
    const records: OperationRecord[] = []
    for (let n = Math.max(0, this.#count - REMEMBERED); n < this.#count; n++) {
      const at = (n & (REMEMBERED - 1)) * WORDS
      const [code, peer, tag, context, bytes, kind] = this.#words.slice(at, at + WORDS)
      records.push({
        name: OPERATION_NAMES[code!]!,
        communicator: '',
        sequence: n,
        bytes: bytes!,
        ...describe(peer!, tag!, context!, kind!),
      })
    }
    return records
  }
}
