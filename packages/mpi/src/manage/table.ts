import { OutOfMemory } from '@commworld/transport'
import type { WorldMemory } from '@commworld/transport'
import type { Endpoint } from '../device/endpoint.js'
import { NoMemoryError } from '../errors/index.js'

/**
 * What the ranks of a communicator tell each other, as many numbers each. It lies in registered
 * memory: nothing is copied on the way, however many ranks there are.
 */
export class Table {
  readonly numbers: Float64Array
  readonly #endpoint: Endpoint
  readonly #width: number

  /** @throws NoMemoryError */
  constructor(memory: WorldMemory, endpoint: Endpoint, rank: number, size: number, own: Row) {
    this.#endpoint = endpoint
    this.#width = own.length
    const length = size * own.length
    try {
      const address = endpoint.registered.allocate(length * Float64Array.BYTES_PER_ELEMENT)
      this.numbers = new Float64Array(memory.buffer, address, length)
    } catch (error) {
      throw error instanceof OutOfMemory ? new NoMemoryError(error) : error
    }
    this.numbers.set(own, rank * own.length)
  }

  /** Number of ranks. */
  get size(): number {
    return this.numbers.length / this.#width
  }

  at(rank: number, index: number): number {
    return this.numbers[rank * this.#width + index]!
  }

  /** A copy of what one rank has told. */
  row(rank: number): Row {
    return Array.from(this.numbers.subarray(rank * this.#width, (rank + 1) * this.#width))
  }

  tells(rank: number, row: Row): boolean {
    return row.every((number, index) => number === this.at(rank, index))
  }

  /** The first rank that has told something else, -1 when there is none. */
  whoDiffers(row: Row): number {
    for (let rank = 0; rank < this.size; rank++) if (!this.tells(rank, row)) return rank
    return -1
  }

  free(): void {
    const { byteOffset, byteLength } = this.numbers
    this.#endpoint.registered.free(byteOffset, byteLength, () => false)
  }
}

export type Row = readonly number[]

/** So many entries of a list are told as they are. */
const SHOWN = 6

/** A list of integers in a row that is as wide for every list: its length, two hashes, its beginning. */
export function rowOf(list: readonly number[]): Row {
  let first = 0x811c9dc5
  let second = list.length
  for (const entry of list) {
    first = Math.imul(first ^ entry, 0x01000193)
    second = (Math.imul(second, 31) + entry) | 0
  }
  const beginning = Array.from({ length: SHOWN }, (_, index) => list[index] ?? 0)
  return [list.length, first, second, ...beginning]
}

/** The list that a row was made of, or `undefined` when it was longer than what is told of it. */
export function listOf(row: Row): readonly number[] | undefined {
  const [length = 0, , , ...beginning] = row
  return length <= SHOWN ? beginning.slice(0, length) : undefined
}
