import type { CommunicatorState } from '../comm/communicator-state.js'
import { AgreementError } from '../errors/index.js'
import { listOf, type Row, type Table } from './table.js'

/**
 * The error of a rank whose list is not that of another.
 *
 * @param inWords a list as the error shows it; `undefined` stands for a long one with so many entries
 */
export function listsDiffer(
  on: CommunicatorState,
  operation: string,
  facts: { number: number; own: Row; peer: number; told: Table },
  inWords: (list: readonly number[] | undefined, count: number) => string,
): AgreementError {
  const { number, own, peer, told } = facts
  const words = (row: Row): string => inWords(listOf(row), row[0]!)
  return new AgreementError({
    communicator: on.name,
    number,
    called: { operation, others: words(own) },
    first: { operation, others: words(told.row(peer)) },
    peer,
  })
}
