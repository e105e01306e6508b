import type { CartesianGrid } from '../comm/cartesian.js'
import type { CommunicatorState } from '../comm/communicator-state.js'

/** Who is in a new communicator, as one of its members knows it before it is there. */
export interface Membership {
  readonly name: string
  /** World ranks by rank. */
  readonly members: readonly number[]
  /** This rank's place among them. */
  readonly rank: number
  readonly grid: CartesianGrid | undefined
}

/** The members that have these ranks on a communicator, in this order. */
export function membershipOf(
  on: CommunicatorState,
  name: string,
  ranks: readonly number[],
  grid?: CartesianGrid,
): Membership {
  const members = ranks.map((rank) => on.worldRank(rank))
  return { name, members, rank: ranks.indexOf(on.rank), grid }
}

/** Names longer than that are not derived from: who dups a dup again and again has one. */
const NAME_LENGTH_MAX = 60

/**
 * The name that a communicator bears until the program gives it another: `world/split 1`.
 *
 * @param suffix what it is to the one it was made of
 */
export function nameOfPart({ name }: CommunicatorState, suffix: string): string {
  return shortened(`${name}/${suffix}`)
}

export function nameOfDup({ name }: CommunicatorState): string {
  return shortened(`dup of ${name}`)
}

function shortened(name: string): string {
  return name.length <= NAME_LENGTH_MAX ? name : `…${name.slice(1 - NAME_LENGTH_MAX)}`
}
