import type { DistributedMatrix } from './distributed-matrix.js'

export const steps = 25

/**
 * Makes `z` about the solution of A z = x: 25 steps of conjugate gradients from zero. Returns how
 * far A z is from x. It reads as if there were one rank: the matrix and `dot` do the communication.
 */
export function solve(matrix: DistributedMatrix, x: Float64Array, z: Float64Array): number {
  const direction = matrix.operand
  const residual = x.slice()
  const product = matrix.newVector()
  z.fill(0)
  direction.set(x)
  let rho = matrix.dot(residual, residual)
  for (let step = 0; step < steps; step++) {
    matrix.multiplyOperand(product)
    const alpha = rho / matrix.dot(direction, product)
    addScaled(z, alpha, direction)
    addScaled(residual, -alpha, product)
    const before = rho
    rho = matrix.dot(residual, residual)
    scale(direction, rho / before)
    addScaled(direction, 1, residual)
  }

  matrix.operand.set(z)
  matrix.multiplyOperand(product)
  addScaled(product, -1, x)
  return Math.sqrt(matrix.dot(product, product))
}

export function scale(vector: Float64Array, factor: number): void {
  for (let index = 0; index < vector.length; index++) vector[index] *= factor
}

function addScaled(target: Float64Array, factor: number, vector: Float64Array): void {
  for (let index = 0; index < target.length; index++) target[index] += factor * vector[index]
}
