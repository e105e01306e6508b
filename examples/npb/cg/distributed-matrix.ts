import { IN_PLACE, SUM, type Communicator, type Mpi } from '@commworld/mpi'
import { shareOf } from '../problem.js'
import { multiply, rowsOfMatrix, type MatrixShape, type SparseRows } from './matrix.js'

/** A block of rows for each rank. Vectors are cut in the same way: what ranks hold are parts. */
export class DistributedMatrix {
  /** This rank's part of the vector that the matrix is multiplied by: write here, then multiply. */
  readonly operand: Float64Array
  readonly #world: Communicator
  readonly #rows: SparseRows
  readonly #whole: Float64Array
  readonly #counts: number[]

  constructor({ world, alloc }: Mpi, shape: MatrixShape) {
    const shares = Array.from({ length: world.size }, (_, rank) =>
      shareOf(shape.order, { rank, size: world.size }),
    )
    const { first, end } = shares[world.rank]
    this.#world = world
    this.#rows = rowsOfMatrix(shape, shares[world.rank])
    this.#whole = alloc(Float64Array, shape.order)
    this.#counts = shares.map((share) => share.count)
    this.operand = this.#whole.subarray(first, end)
  }

  /** A vector of zeros. */
  newVector(): Float64Array {
    return new Float64Array(this.operand.length)
  }

  /**
   * `product` becomes the matrix times the operand. A row may meet any element of it, so all ranks
   * need all parts. The own part is in its place already and is sent from there.
   */
  multiplyOperand(product: Float64Array): void {
    this.#world.allgathervInto(IN_PLACE, { data: this.#whole, counts: this.#counts })
    multiply(this.#rows, this.#whole, product)
  }

  /** The same on all ranks. */
  dot(a: Float64Array, b: Float64Array): number {
    let sum = 0
    for (let index = 0; index < a.length; index++) sum += a[index] * b[index]
    return this.#world.allreduce(sum, SUM)
  }
}
