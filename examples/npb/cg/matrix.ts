// The matrix of CG, with nothing about ranks in it: the sum of w wᵀ over as many random sparse
// vectors w as it has rows, each weighted less than the one before, and a shift of the diagonal.

import { RandomNumbers } from '../random.js'
import type { Share } from '../problem.js'

export type MatrixShape = { order: number; nonzeros: number; shift: number }

/** Compressed rows: those of row r lie from `starts[r]` to `starts[r + 1]`. */
export type SparseRows = { starts: Int32Array; columns: Int32Array; values: Float64Array }

/** Vector v has its elements from `v * stride` to `v * stride + counts[v]`. */
type SparseVectors = {
  stride: number
  counts: Int32Array
  places: Int32Array
  values: Float64Array
}

const seed = 314159265
/** The smallest weight, and what is added to the diagonal: about the reciprocal condition number. */
const smallestWeight = 0.1

/** Some rows of the matrix. All vectors are made for it, since each follows from the one before. */
export function rowsOfMatrix(shape: MatrixShape, { first, end, count }: Share): SparseRows {
  const { order, shift } = shape
  const vectors = randomVectors(shape)
  const { stride, places, values } = vectors
  const touching = elementsByRow(vectors, first, end)

  const starts = new Int32Array(count + 1)
  const columnsOfRows: number[] = []
  const valuesOfRows: number[] = []
  const sum = new Float64Array(order)
  for (let row = first; row < end; row++) {
    // Row r of the matrix is the sum of w[r] w over the vectors w that are not zero at r.
    const columns = new Set<number>()
    for (const element of touching[row - first]) {
      const vector = Math.floor(element / stride)
      const factor = smallestWeight ** (vector / order) * values[element]
      const start = vector * stride
      for (let other = start; other < start + vectors.counts[vector]; other++) {
        sum[places[other]] += factor * values[other]
        columns.add(places[other])
      }
    }
    sum[row] += smallestWeight - shift
    for (const column of Int32Array.from(columns).sort()) {
      columnsOfRows.push(column)
      valuesOfRows.push(sum[column])
      sum[column] = 0
    }
    starts[row - first + 1] = columnsOfRows.length
  }
  return {
    starts,
    columns: Int32Array.from(columnsOfRows),
    values: Float64Array.from(valuesOfRows),
  }
}

/** `result` becomes rows times `vector`. */
export function multiply(rows: SparseRows, vector: Float64Array, result: Float64Array): void {
  const { starts, columns, values } = rows
  for (let row = 0; row < result.length; row++) {
    let sum = 0
    for (let index = starts[row]; index < starts[row + 1]; index++) {
      sum += values[index] * vector[columns[index]]
    }
    result[row] = sum
  }
}

/** Vector v has `nonzeros` elements at random places, and 0.5 at place v. */
function randomVectors({ order, nonzeros }: MatrixShape): SparseVectors {
  const random = new RandomNumbers(seed, 1)
  const stride = nonzeros + 1
  const counts = new Int32Array(order).fill(nonzeros)
  const places = new Int32Array(order * stride)
  const values = new Float64Array(order * stride)
  const placeRange = 2 ** Math.ceil(Math.log2(order))
  for (let vector = 0; vector < order; vector++) {
    const start = vector * stride
    const end = start + nonzeros
    for (let element = start; element < end;) {
      const value = random.next()
      const place = Math.floor(placeRange * random.next())
      if (place >= order || places.subarray(start, element).includes(place)) continue
      places[element] = place
      values[element++] = value
    }
    let own = places.subarray(start, end).indexOf(vector) + start
    if (own < start) {
      own = end
      counts[vector]++
    }
    places[own] = vector
    values[own] = 0.5
  }
  return { stride, counts, places, values }
}

/** For each row from `first` to `end`: which elements of vectors lie there, in order. */
function elementsByRow(vectors: SparseVectors, first: number, end: number): number[][] {
  const touching = Array.from({ length: end - first }, (): number[] => [])
  vectors.counts.forEach((count, vector) => {
    const start = vector * vectors.stride
    for (let element = start; element < start + count; element++) {
      touching[vectors.places[element] - first]?.push(element)
    }
  })
  return touching
}
