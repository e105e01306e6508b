import type { Membership } from './membership.js'

/**
 * What one call says to the other ranks, and what follows from what all have said. The arguments
 * were checked as far as one rank can.
 */
export interface Plan {
  /** What all ranks tell each other, one list of numbers each. */
  readonly tells: Float64Array
  /**
   * The new communicator of this rank, `undefined` where it is in none.
   *
   * @param told by rank
   * @param number of the collective, for errors
   * @throws AgreementError when ranks have said what does not fit together
   */
  membership(told: readonly Float64Array[], number: number): Membership | undefined
}

export function equal(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}
