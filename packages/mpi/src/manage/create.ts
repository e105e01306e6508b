import type { CommunicatorState } from '../comm/communicator-state.js'
import { AgreementError, GroupError, quantity } from '../errors/index.js'
import { nameOfPart, type Membership } from './membership.js'
import type { Plan } from './plan.js'
import { rowOf, type Row } from './table.js'

/** The world ranks of a group by rank; on this rank the members are the same as on those that they name. */
type Members = readonly number[]

/**
 * A communicator of the members of a group (MPI 4.1, section 7.4.2). Ranks may name different
 * groups; who is in the group of one must name the same.
 */
export function createPlan(on: CommunicatorState, members: Members, operation: string): Plan {
  checkPart(on, members)
  const own = rowOf(members)
  return {
    tells: own,
    membership(told, number) {
      for (const member of members) {
        const peer = on.rankOf(member)
        if (told.tells(peer, own)) continue
        throw groupsDiffer(on, operation, { number, members, peer, told: told.row(peer) })
      }
      return partOf(on, members, 'create')
    },
  }
}

/** This rank's place in a communicator of a group; in none where it is no member. */
export function partOf(
  on: CommunicatorState,
  members: Members,
  suffix: string,
): Membership | undefined {
  const rank = members.indexOf(on.worldRank(on.rank))
  return rank < 0 ? undefined : { name: nameOfPart(on, suffix), members, rank, grid: undefined }
}

/** @throws GroupError when not all members are on the communicator */
export function checkPart(on: CommunicatorState, members: Members): void {
  const strangers = members.filter((member) => !on.has(member))
  if (strangers.length === 0) return
  const expected = `a group of ranks of \`${on.name}\``
  const shown = `one of ${quantity(members.length, 'rank')}, ${strangers.length} of which are not`
  throw new GroupError({ argument: 'group', seen: members, expected, shown })
}

/** The error of a rank whose group is not that of one of its members. */
export function groupsDiffer(
  on: CommunicatorState,
  operation: string,
  facts: { number: number | undefined; members: Members; peer: number; told: Row },
): AgreementError {
  const { number, members, peer, told } = facts
  const [size = 0] = told
  const others = `${size === members.length ? 'another' : 'a'} group of ${size}`
  return new AgreementError({
    communicator: on.name,
    number,
    called: { operation, others: `a group of ${members.length}` },
    first: { operation, others },
    peer,
  })
}
