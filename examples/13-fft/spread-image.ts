// A square image of complex numbers whose rows are spread over the ranks.

import type { Communicator, Mpi } from '@commworld/mpi'
import { transform, type Complex, type Direction } from './fourier.js'

/**
 * Every rank has the same number of rows, and a row is that number times the number of ranks long.
 * Where the side of the image does not come out even the rest is padding, which nobody looks at. So
 * the rows of a rank are one square block for each rank, and the image is transposed when each rank
 * has sent each its block and the blocks are turned over.
 */
export class SpreadImage {
  readonly side: number
  readonly #world: Communicator
  readonly #rowsPerRank: number
  /** From one row to the next, in numbers. */
  readonly #width: number
  readonly #firstRow: number
  readonly #numbers: Float64Array
  readonly #outgoing: Float64Array
  readonly #incoming: Float64Array
  readonly #whole: Float64Array | undefined

  constructor({ world, alloc }: Mpi, side: number) {
    this.side = side
    this.#world = world
    this.#rowsPerRank = Math.ceil(side / world.size)
    this.#width = this.#rowsPerRank * world.size
    this.#firstRow = this.#rowsPerRank * world.rank
    const length = 2 * this.#rowsPerRank * this.#width
    this.#numbers = alloc(Float64Array, length)
    this.#outgoing = alloc(Float64Array, length)
    this.#incoming = alloc(Float64Array, length)
    if (world.rank === 0) this.#whole = alloc(Float64Array, length * world.size)
  }

  /** All places whose numbers are here. */
  *places(): Generator<{ row: number; column: number }> {
    const end = Math.min(this.side, this.#firstRow + this.#rowsPerRank)
    for (let row = this.#firstRow; row < end; row++) {
      for (let column = 0; column < this.side; column++) yield { row, column }
    }
  }

  ownerOf(row: number): number {
    return Math.floor(row / this.#rowsPerRank)
  }

  get(row: number, column: number): Complex {
    const at = this.#at(row - this.#firstRow, column)
    return { real: this.#numbers[at], imaginary: this.#numbers[at + 1] }
  }

  set(row: number, column: number, { real, imaginary }: Complex): void {
    const at = this.#at(row - this.#firstRow, column)
    this.#numbers[at] = real
    this.#numbers[at + 1] = imaginary
  }

  /** Rows, transpose, rows once more, which were columns, and transpose back. */
  transform(direction: Direction): void {
    for (let pass = 0; pass < 2; pass++) {
      for (let row = 0; row < this.#rowsPerRank; row++) {
        transform(this.#numbers.subarray(this.#at(row, 0), this.#at(row, this.side)), direction)
      }
      this.#transpose()
    }
  }

  #transpose(): void {
    // A block for each rank: the columns that will be its rows, each as it will lie there.
    let next = 0
    for (let column = 0; column < this.#width; column++) {
      for (let row = 0; row < this.#rowsPerRank; row++) {
        const at = this.#at(row, column)
        this.#outgoing[next++] = this.#numbers[at]
        this.#outgoing[next++] = this.#numbers[at + 1]
      }
    }
    this.#world.alltoallInto(this.#outgoing, this.#incoming)
    // A block from each rank: a piece of each row.
    const pieceLength = 2 * this.#rowsPerRank
    next = 0
    for (let column = 0; column < this.#width; column += this.#rowsPerRank) {
      for (let row = 0; row < this.#rowsPerRank; row++) {
        const piece = this.#incoming.subarray(next, (next += pieceLength))
        this.#numbers.set(piece, this.#at(row, column))
      }
    }
  }

  /** The real parts or whatever else `look` sees, row by row; on rank 0 only. */
  gather(look: (number: Complex) => number): Float64Array | undefined {
    this.#world.gatherInto(this.#numbers, this.#whole)
    const whole = this.#whole
    if (whole === undefined) return undefined
    return Float64Array.from({ length: this.side ** 2 }, (_, place) => {
      const at = this.#at(Math.floor(place / this.side), place % this.side)
      return look({ real: whole[at], imaginary: whole[at + 1] })
    })
  }

  /** Where in an array of rows the two parts of a number lie. */
  #at(row: number, column: number): number {
    return 2 * (row * this.#width + column)
  }
}
