import type { Algorithm } from '../plan/algorithm.js'
import { casesOf, type CheckOptions } from './cases.js'
import { Simulation } from './simulation.js'
import type { Violation } from './violation.js'

export type { CheckOptions } from './cases.js'

/**
 * Runs an algorithm symbolically at each number of ranks, root, number of blocks, radix, in place
 * and not, and reports the first violation, that with the fewest ranks.
 *
 * @example
 * const violation = checkAlgorithm(ring, { ranks: [1, 2, 3, 4, 5, 6, 7, 8] })
 * if (violation !== undefined) console.log(violation.text)
 */
export function checkAlgorithm(
  algorithm: Algorithm,
  options: CheckOptions = {},
): Violation | undefined {
  for (const run of casesOf(algorithm, options)) {
    const violation = new Simulation(algorithm, run).run()
    if (violation !== undefined) return violation
  }
  return undefined
}
