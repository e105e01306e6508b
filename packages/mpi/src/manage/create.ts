import type { CommunicatorState } from '../comm/communicator-state.js'
import { AgreementError, GroupError, quantity } from '../errors/index.js'
import { nameOfPart, type Membership } from './membership.js'
import { equal, type Plan } from './plan.js'

/** The world ranks of a group by rank; on this rank the members are the same as on those that they name. */
type Members = readonly number[]

/**
 * A communicator of the members of a group (MPI 4.1, section 7.4.2). Ranks may name different
 * groups; who is in the group of one must name the same.
 */
export function createPlan(on: CommunicatorState, members: Members, operation: string): Plan {
  checkPart(on, members)
  const own = fingerprint(members)
  return {
    tells: own,
    membership(told, number) {
      for (const member of members) {
        const peer = on.rankOf(member)
        if (!equal(told[peer]!, own)) {
          throw groupsDiffer(on, operation, { number, members, peer, told: told[peer]! })
        }
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

/** The number of members, and two hashes of their list: lists of all ranks would be long. */
export function fingerprint(members: Members): Float64Array {
  let first = 0x811c9dc5
  let second = members.length
  for (const member of members) {
    first = Math.imul(first ^ member, 0x01000193)
    second = (Math.imul(second, 31) + member) | 0
  }
  return Float64Array.of(members.length, first, second)
}

/** The error of a rank whose group is not that of one of its members. */
export function groupsDiffer(
  on: CommunicatorState,
  operation: string,
  facts: { number: number | undefined; members: Members; peer: number; told: Float64Array },
): AgreementError {
  const { number, members, peer, told } = facts
  const size = told[0]!
  const others = `${size === members.length ? 'another' : 'a'} group of ${size}`
  return new AgreementError({
    communicator: on.name,
    number,
    called: { operation, others: `a group of ${members.length}` },
    first: { operation, others },
    peer,
  })
}
