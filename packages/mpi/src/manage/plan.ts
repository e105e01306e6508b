import type { Membership } from './membership.js'
import type { Row, Table } from './table.js'

/**
 * What one call says to the other ranks, and what follows from what all have said. The arguments
 * were checked as far as one rank can.
 */
export interface Plan {
  /** As many numbers on all ranks. */
  readonly tells: Row
  /**
   * The new communicator of this rank, `undefined` where it is in none.
   *
   * @param number of the collective, for errors
   * @throws AgreementError when ranks have said what does not fit together
   */
  membership(told: Table, number: number): Membership | undefined
}
