// A membrane stretched over a square frame and pressed down by weights. How far it gives way is u with
// -Δu = f, Poisson's equation; on a grid of points, 4 u minus the four neighbours is the load at each.
// Nothing about ranks in it: a share is some rows of the grid, and a field of it has a row of
// neighbours above and below and a column of zeros, the frame, on each side.

export const pointsPerSide = 80
/** From one row of a field to the next. */
export const stride = pointsPerSide + 2

export type Share = { firstRow: number; rows: number }

export const lengthOf = ({ rows }: Share) => (rows + 2) * stride

/** The weights: each presses on a disc of the membrane. Rows and columns as fractions of the side. */
const weights = [
  { row: 0.28, column: 0.3, radius: 0.1, load: 1 },
  { row: 0.64, column: 0.7, radius: 0.16, load: 0.6 },
  { row: 0.78, column: 0.22, radius: 0.05, load: 2 },
]

export function load(share: Share, field: Float64Array): void {
  for (let row = 0; row < share.rows; row++) {
    for (let column = 0; column < pointsPerSide; column++) {
      let sum = 0
      for (const weight of weights) {
        const down = (share.firstRow + row + 0.5) / pointsPerSide - weight.row
        const across = (column + 0.5) / pointsPerSide - weight.column
        if (Math.hypot(down, across) < weight.radius) sum += weight.load
      }
      field[(row + 1) * stride + column + 1] = sum / pointsPerSide ** 2
    }
  }
}

/** result = A u; needs the rows of neighbours above and below. */
export function applyStencil({ rows }: Share, u: Float64Array, result: Float64Array): void {
  for (let row = 1; row <= rows; row++) {
    for (let at = row * stride + 1; at <= row * stride + pointsPerSide; at++) {
      result[at] = 4 * u[at] - u[at - stride] - u[at - 1] - u[at + 1] - u[at + stride]
    }
  }
}

/** The sum of products over the rows of the share, without those of the neighbours. */
export function dot({ rows }: Share, a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let at = stride; at < (rows + 1) * stride; at++) sum += a[at] * b[at]
  return sum
}

/** a += factor b */
export function addTo(a: Float64Array, factor: number, b: Float64Array): void {
  for (let at = 0; at < a.length; at++) a[at] += factor * b[at]
}

/** a = b + factor a */
export function scaleAndAdd(a: Float64Array, factor: number, b: Float64Array): void {
  for (let at = 0; at < a.length; at++) a[at] = b[at] + factor * a[at]
}
