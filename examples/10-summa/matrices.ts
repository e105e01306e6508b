// C = A B, with nothing about ranks in it. The entries are small integers, so that every sum is exact
// and must come out the same in whatever order it is added up.

export const shape = { rows: 300, inner: 200, columns: 360 }

export const entryOfA = (row: number, k: number) => ((7 * row + 3 * k * k) % 11) - 5
export const entryOfB = (k: number, column: number) => ((5 * k * column + 2 * column) % 13) - 6

/** A piece of a matrix: rows and columns from `first` to before `end`. */
export type Range = { first: number; end: number }

export const lengthOf = ({ first, end }: Range) => end - first

/** Cuts `length` indices into pieces that differ by one at most. */
export function cut(length: number, pieces: number): Range[] {
  const start = (piece: number) => Math.floor((piece * length) / pieces)
  return Array.from({ length: pieces }, (_, piece) => ({
    first: start(piece),
    end: start(piece + 1),
  }))
}

/** A piece of A, column by column, so that some of its columns lie in one piece of memory. */
export function fillA(block: Float64Array, rows: Range, inner: Range): void {
  let at = 0
  for (let k = inner.first; k < inner.end; k++) {
    for (let row = rows.first; row < rows.end; row++) block[at++] = entryOfA(row, k)
  }
}

/** A piece of B, row by row, for the same reason. */
export function fillB(block: Float64Array, inner: Range, columns: Range): void {
  let at = 0
  for (let k = inner.first; k < inner.end; k++) {
    for (let column = columns.first; column < columns.end; column++)
      block[at++] = entryOfB(k, column)
  }
}

/** c += a b, where `a` is stored by columns, `b` and `c` by rows. */
export function addProduct(
  c: Float64Array,
  a: Float64Array,
  b: Float64Array,
  { rows, columns }: { rows: number; columns: number },
): void {
  const depth = a.length / rows
  for (let k = 0; k < depth; k++) {
    for (let row = 0; row < rows; row++) {
      const factor = a[k * rows + row]
      for (let column = 0; column < columns; column++) {
        c[row * columns + column] += factor * b[k * columns + column]
      }
    }
  }
}

/** The whole product by rows, as the textbook says it: each entry is a row of A times a column of B. */
export function sequentialProduct(): Float64Array {
  const a = new Float64Array(shape.rows * shape.inner)
  const b = new Float64Array(shape.columns * shape.inner)
  for (let k = 0; k < shape.inner; k++) {
    for (let row = 0; row < shape.rows; row++) a[row * shape.inner + k] = entryOfA(row, k)
    for (let column = 0; column < shape.columns; column++) {
      b[column * shape.inner + k] = entryOfB(k, column)
    }
  }
  const c = new Float64Array(shape.rows * shape.columns)
  for (let row = 0; row < shape.rows; row++) {
    for (let column = 0; column < shape.columns; column++) {
      let sum = 0
      for (let k = 0; k < shape.inner; k++) {
        sum += a[row * shape.inner + k] * b[column * shape.inner + k]
      }
      c[row * shape.columns + column] = sum
    }
  }
  return c
}
