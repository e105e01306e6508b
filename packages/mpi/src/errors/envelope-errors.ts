import { describe, quantity } from './describe.js'
import { MpiError, nameClass } from './mpi-error.js'

export interface RankFacts {
  /** The option that named the rank: `dest`, `source`, `root`, `rank`. */
  argument: string
  rank: unknown
  /** Name of the communicator; `group` for ranks of a group. */
  communicator: string
  /** Its number of ranks. */
  size: number
  /** Names of the sentinels that are allowed beside ranks: `ANY_SOURCE`, `PROC_NULL`. */
  sentinels?: readonly string[]
}

/** A rank is outside its communicator. Ranks are 0..size-1; the wildcards are symbols. MPI 4.1, 9.4. */
export class RankError extends MpiError {
  static {
    nameClass(this, 'RankError')
  }
  readonly code = 'MPI_ERR_RANK'
  readonly argument: string
  readonly rank: unknown
  readonly communicator: string
  readonly size: number

  constructor(facts: RankFacts) {
    super(rankMessage(facts))
    this.argument = facts.argument
    this.rank = facts.rank
    this.communicator = facts.communicator
    this.size = facts.size
  }
}

/** The root of a collective is outside its communicator. MPI 4.1, 9.4. */
export class RootError extends MpiError {
  static {
    nameClass(this, 'RootError')
  }
  readonly code = 'MPI_ERR_ROOT'
  readonly root: unknown
  readonly communicator: string
  readonly size: number

  constructor(facts: { root: unknown; communicator: string; size: number }) {
    super(rankMessage({ ...facts, argument: 'root', rank: facts.root }))
    this.root = facts.root
    this.communicator = facts.communicator
    this.size = facts.size
  }
}

/** A tag is negative, too large, or no integer. MPI 4.1, 9.4. */
export class TagError extends MpiError {
  static {
    nameClass(this, 'TagError')
  }
  readonly code = 'MPI_ERR_TAG'
  readonly argument: string
  readonly tag: unknown
  readonly largest: number

  constructor(facts: { argument: string; tag: unknown; largest: number }) {
    const { argument, tag, largest } = facts
    const wildcard = tag === -1 ? '. The wildcard is the symbol ANY_TAG, not a number' : ''
    super(
      `\`${argument}\` must be an integer from 0 to ${largest}, but is ${describe(tag)}${wildcard}`,
    )
    this.argument = argument
    this.tag = tag
    this.largest = largest
  }
}

function rankMessage({ argument, rank, communicator, size, sentinels = [] }: RankFacts): string {
  const ranks = size > 1 ? `ranks 0..${size - 1}` : size === 1 ? 'only rank 0' : 'no ranks'
  if (!Number.isInteger(rank)) {
    const others = sentinels.length === 0 ? '' : `, or ${sentinels.join(' or ')}`
    const missing = rank === undefined ? ' is missing' : `: ${describe(rank)} is not a rank`
    return `\`${argument}\`${missing}. \`${communicator}\` has ${ranks}${others}`
  }
  const wildcard =
    (rank as number) < 0 && sentinels.length > 0
      ? `. For anything but a rank there are the symbols ${sentinels.join(' and ')}`
      : ''
  const outside = size <= 1 ? 'is not in' : `is outside 0..${size - 1} of`
  return (
    `\`${argument}\`: rank ${rank} ${outside} \`${communicator}\`, ` +
    `which has ${quantity(size, 'rank')}${wildcard}`
  )
}
