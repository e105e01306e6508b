// The arithmetic of EP, with nothing about ranks in it.

import { RandomNumbers } from '../random.js'

/** Pairs in a batch: so many uniform numbers are made at once. */
export const batchPairs = 2 ** 16
export const annulusCount = 10
const seed = 271828183

/** Sums over all Gaussian pairs: x, y, |x| and |y|. */
export const sumNames = ['x', 'y', '|x|', '|y|'] as const

const uniform = new Float64Array(2 * batchPairs)

/**
 * Makes Gaussian pairs of the uniform ones of a batch and adds them to `sums`; `counts` says how many
 * fell into each square annulus. A batch can be any: the generator jumps to where it begins.
 */
export function addBatch(batch: number, sums: Float64Array, counts: Int32Array): void {
  new RandomNumbers(seed, batch * uniform.length).nextInto(uniform)
  let sumX = 0
  let sumY = 0
  let sumAbsoluteX = 0
  let sumAbsoluteY = 0
  for (let index = 0; index < uniform.length; index += 2) {
    const across = 2 * uniform[index] - 1
    const up = 2 * uniform[index + 1] - 1
    const radius2 = across * across + up * up
    // Points of the square outside the circle are rejected: Marsaglia's polar method.
    if (radius2 > 1) continue
    const stretch = Math.sqrt((-2 * Math.log(radius2)) / radius2)
    const x = across * stretch
    const y = up * stretch
    const absoluteX = Math.abs(x)
    const absoluteY = Math.abs(y)
    counts[Math.max(absoluteX, absoluteY) | 0]++
    sumX += x
    sumY += y
    sumAbsoluteX += absoluteX
    sumAbsoluteY += absoluteY
  }
  sums[0] += sumX
  sums[1] += sumY
  sums[2] += sumAbsoluteX
  sums[3] += sumAbsoluteY
}
