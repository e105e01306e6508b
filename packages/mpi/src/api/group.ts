/**
 * An ordered set of processes (MPI 4.1, section 7.3).
 *
 * @example
 * const { size, rank } = world.group
 */
export class Group {
  readonly size: number
  /** Number of this process in it, `undefined` when it is not a member. */
  readonly rank: number | undefined
  readonly #members: readonly number[]

  /** @internal */
  constructor(members: readonly number[], rank: number | undefined) {
    this.#members = members
    this.size = members.length
    this.rank = rank
  }

  /** Same processes in the same order, in another order, or others (MPI_Group_compare). */
  compare(other: Group): 'identical' | 'similar' | 'unequal' {
    if (this.size !== other.size) return 'unequal'
    if (this.#members.every((member, index) => member === other.#members[index])) return 'identical'
    const members = new Set(this.#members)
    return other.#members.every((member) => members.has(member)) ? 'similar' : 'unequal'
  }
}
