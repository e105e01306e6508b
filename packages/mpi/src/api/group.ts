import {
  compare,
  difference,
  exclude,
  include,
  intersection,
  rangeExclude,
  rangeInclude,
  translateRanks,
  union,
  type RankRange,
} from '../comm/group-algebra.js'
import { GroupError } from '../errors/index.js'
import { PROC_NULL, type Peer } from '../p2p/sentinels.js'

/**
 * An ordered set of processes, without any communication between them (MPI 4.1, section 7.3).
 *
 * Groups say who is to be in a new communicator. They never change: each method makes a new group,
 * in this process alone. Start from `world.group`; a group may be empty, and this process need
 * not be in it.
 *
 * @example
 * const even = world.group.rangeIncl([[0, world.size - 1, 2]])
 * const odd = world.group.difference(even)
 * console.log(even.rank ?? odd.rank) // every process is in one of them
 */
export class Group {
  /** Number of processes in it (MPI_Group_size). */
  readonly size: number
  /** Number of this process in it, `undefined` when it is not a member (MPI_Group_rank). */
  readonly rank: number | undefined
  readonly #members: readonly number[]
  readonly #process: number

  /**
   * @internal
   * @param members world ranks by rank
   * @param process world rank of this process, whether a member or not
   */
  constructor(members: readonly number[], process: number) {
    const rank = members.indexOf(process)
    this.size = members.length
    this.rank = rank === -1 ? undefined : rank
    this.#members = members
    this.#process = process
  }

  /**
   * World ranks by rank of what was given as a group.
   *
   * @internal
   * @throws GroupError when it is none
   */
  static membersOf(group: Group, argument: string): readonly number[] {
    // Untyped programs give anything, of which `in` takes only objects.
    if (Object(group) === group && #members in group) return group.#members
    throw new GroupError({ argument, seen: group })
  }

  /**
   * The processes with these ranks, in this order: `ranks[i]` becomes rank `i` (MPI_Group_incl).
   *
   * @param ranks - ranks in this group, each at most once; none for an empty group
   * @throws RankError when one is not in 0 to `size - 1`
   * @throws ArgumentError when one is there twice, or when it is no array
   * @example const backwards = world.group.incl([3, 2, 1, 0])
   *
   * MPI 4.1, section 7.3.2.
   */
  incl(ranks: readonly number[]): Group {
    return this.#derive(include(this.#members, ranks))
  }

  /**
   * The processes with all other ranks, in the order they have here (MPI_Group_excl).
   *
   * @param ranks - ranks in this group, each at most once; their order does not matter
   * @throws RankError, ArgumentError as `incl`
   * @example const workers = world.group.excl([0])
   *
   * MPI 4.1, section 7.3.2.
   */
  excl(ranks: readonly number[]): Group {
    return this.#derive(exclude(this.#members, ranks))
  }

  /**
   * As `incl`, of all ranks in the ranges (MPI_Group_range_incl). A range `[first, last, stride]` is
   * `first`, `first + stride`, ... as far as `last`, which may be left out by the stride; a negative
   * stride leads downwards.
   *
   * @throws RankError when a rank in a range is not in 0 to `size - 1`
   * @throws ArgumentError when a rank is named twice, or when a stride is 0 or leads away from `last`
   * @example const evenThenOdd = world.group.rangeIncl([[0, 6, 2], [7, 1, -2]])
   *
   * MPI 4.1, section 7.3.2.
   */
  rangeIncl(ranges: readonly RankRange[]): Group {
    return this.#derive(rangeInclude(this.#members, ranges))
  }

  /**
   * As `excl`, of all ranks in the ranges (MPI_Group_range_excl).
   *
   * @throws RankError, ArgumentError as `rangeIncl`
   * @example const rest = world.group.rangeExcl([[0, world.size - 1, 4]])
   *
   * MPI 4.1, section 7.3.2.
   */
  rangeExcl(ranges: readonly RankRange[]): Group {
    return this.#derive(rangeExclude(this.#members, ranges))
  }

  /**
   * All processes of this group, then those that only the other has (MPI_Group_union).
   *
   * @throws GroupError when `other` is no group
   *
   * MPI 4.1, section 7.3.2.
   */
  union(other: Group): Group {
    return this.#derive(union(this.#members, Group.membersOf(other, 'other')))
  }

  /**
   * The processes that are in both, in the order of this group (MPI_Group_intersection).
   *
   * @throws GroupError when `other` is no group
   *
   * MPI 4.1, section 7.3.2.
   */
  intersection(other: Group): Group {
    return this.#derive(intersection(this.#members, Group.membersOf(other, 'other')))
  }

  /**
   * The processes that the other group has not, in the order of this group (MPI_Group_difference).
   *
   * @throws GroupError when `other` is no group
   *
   * MPI 4.1, section 7.3.2.
   */
  difference(other: Group): Group {
    return this.#derive(difference(this.#members, Group.membersOf(other, 'other')))
  }

  /**
   * The ranks that processes of this group have in another (MPI_Group_translate_ranks).
   *
   * @param ranks - ranks in this group, as often as you like, and `PROC_NULL`
   * @returns one for each: `undefined` for a process that is not in `other`, `PROC_NULL` as it is
   * @throws RankError when one is not in 0 to `size - 1`
   * @throws ArgumentError when `ranks` is no array, GroupError when `other` is no group
   * @example const [inWorld] = row.group.translateRanks([0], world.group)
   *
   * MPI 4.1, section 7.3.1.
   */
  translateRanks(ranks: readonly number[], other: Group): (number | undefined)[]
  translateRanks(ranks: readonly Peer[], other: Group): (Peer | undefined)[]
  translateRanks(ranks: readonly Peer[], other: Group): (Peer | undefined)[] {
    return translateRanks(this.#members, ranks, Group.membersOf(other, 'other'), PROC_NULL)
  }

  /**
   * Same processes in the same order, in another order, or others (MPI_Group_compare).
   *
   * @throws GroupError when `other` is no group
   *
   * MPI 4.1, section 7.3.1.
   */
  compare(other: Group): 'identical' | 'similar' | 'unequal' {
    return compare(this.#members, Group.membersOf(other, 'other'))
  }

  #derive(members: readonly number[]): Group {
    return new Group(members, this.#process)
  }
}
