import { ArgumentError, RankError } from '../errors/index.js'
import { checkList } from './check-list.js'

/**
 * Arithmetic on groups (MPI 4.1, section 7.3). A group is the list of the world ranks of its
 * members, each of them once; the rank of a member is its place in the list.
 */
export type Members = readonly number[]

/** Ranks `first`, `first + stride`, ... as far as `last`; downwards where the stride is negative. */
export type RankRange = readonly [first: number, last: number, stride: number]

export type GroupComparison = 'identical' | 'similar' | 'unequal'

/** The members with these ranks, in this order. */
export function include(members: Members, ranks: readonly number[]): number[] {
  checkRanks(members, ranks)
  return ranks.map((rank) => members[rank]!)
}

/** The members with other ranks than these, in the order of `members`. */
export function exclude(members: Members, ranks: readonly number[]): number[] {
  checkRanks(members, ranks)
  return without(members, ranks)
}

/** As `include`, of the ranks of all ranges, one range after the other. */
export function rangeInclude(members: Members, ranges: readonly RankRange[]): number[] {
  return ranksIn(members, ranges).map((rank) => members[rank]!)
}

/** As `exclude`, of the ranks of all ranges. */
export function rangeExclude(members: Members, ranges: readonly RankRange[]): number[] {
  return without(members, ranksIn(members, ranges))
}

/** All of the first, then who is only in the second; each in its order. */
export function union(first: Members, second: Members): number[] {
  return [...new Set([...first, ...second])]
}

/** Who is in both, in the order of the first. */
export function intersection(first: Members, second: Members): number[] {
  const others = new Set(second)
  return first.filter((member) => others.has(member))
}

/** Who is in the first only, in its order. */
export function difference(first: Members, second: Members): number[] {
  const others = new Set(second)
  return first.filter((member) => !others.has(member))
}

/**
 * Ranks in `other` of the members with these ranks, `undefined` for who is not in it. `nobody` may
 * stand among the ranks and remains what it is.
 */
export function translateRanks<Nobody extends symbol>(
  members: Members,
  ranks: readonly (number | Nobody)[],
  other: Members,
  nobody: Nobody,
): (number | Nobody | undefined)[] {
  checkList('ranks', ranks, 'a list of ranks')
  for (const [index, rank] of ranks.entries()) {
    if (rank !== nobody) checkRank(members, rank, `ranks[${index}]`)
  }
  const rankInOther = new Map(other.map((member, rank) => [member, rank]))
  return ranks.map((rank) => (rank === nobody ? nobody : rankInOther.get(members[rank as number]!)))
}

export function compare(first: Members, second: Members): GroupComparison {
  if (first.length !== second.length) return 'unequal'
  if (first.every((member, rank) => member === second[rank])) return 'identical'
  return difference(first, second).length === 0 ? 'similar' : 'unequal'
}

function without(members: Members, ranks: readonly number[]): number[] {
  const dropped = new Set(ranks)
  return members.filter((_, rank) => !dropped.has(rank))
}

function checkRanks(members: Members, ranks: readonly number[]): void {
  checkList('ranks', ranks, 'a list of ranks')
  const seen = new Set<number>()
  for (const [index, rank] of ranks.entries()) {
    checkRank(members, rank, `ranks[${index}]`)
    if (seen.has(rank)) {
      const expected = 'a rank that the list does not have already'
      throw new ArgumentError({ argument: `ranks[${index}]`, seen: rank, expected })
    }
    seen.add(rank)
  }
}

function checkRank({ length: size }: Members, rank: unknown, argument: string): void {
  if (typeof rank === 'number' && Number.isInteger(rank) && rank >= 0 && rank < size) return
  throw new RankError({ argument, rank, communicator: 'group', size })
}

/** All ranks that the ranges name, each of them once. */
function ranksIn(members: Members, ranges: readonly RankRange[]): number[] {
  checkList('ranges', ranges, 'a list of ranges [first, last, stride]')
  const ranks = new Set<number>()
  for (const [index, range] of ranges.entries()) {
    const argument = `ranges[${index}]`
    const { first, count, stride } = counted(members, range, argument)
    for (let i = 0; i < count; i++) {
      const rank = first + i * stride
      if (ranks.has(rank)) {
        const expected = 'a range without ranks of the ranges before it'
        const advice = `Rank ${rank} is in both`
        throw new ArgumentError({ argument, seen: range, expected, advice })
      }
      ranks.add(rank)
    }
  }
  return [...ranks]
}

/**
 * A range by its number of ranks, which are all in the group. Its `last` need not be one of them.
 * A stride that leads away from `last` is a mistake: the standard's formula gives no ranks there.
 */
function counted(
  members: Members,
  range: RankRange,
  argument: string,
): { first: number; count: number; stride: number } {
  if (!Array.isArray(range) || range.length !== 3) {
    throw new ArgumentError({ argument, seen: range, expected: '[first, last, stride]' })
  }
  const [first, last, stride] = range as RankRange
  checkRank(members, first, argument)
  if (!Number.isSafeInteger(last)) {
    throw new ArgumentError({ argument: `${argument}[1]`, seen: last, expected: 'an integer' })
  }
  const way = Math.sign(last - first)
  if (!Number.isSafeInteger(stride) || stride === 0 || (way !== 0 && Math.sign(stride) !== way)) {
    const expected = 'an integer other than 0 that leads from `first` to `last`'
    throw new ArgumentError({ argument: `${argument}[2]`, seen: stride, expected })
  }
  const count = Math.floor((last - first) / stride) + 1
  checkRank(members, first + (count - 1) * stride, argument)
  return { first, count, stride }
}
