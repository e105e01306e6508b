import { describe } from './describe.js'
import { MpiError, nameClass } from './mpi-error.js'

/** What is known about an argument that cannot be used. */
export interface ArgumentFacts {
  /** Name of the argument or option as the caller writes it, such as `offset`. */
  argument: string
  /** What was given. */
  seen: unknown
  /** What can be given, as the end of a sentence: `an integer from 0 to 9`. */
  expected: string
  /** What to do about it, where that is certain; a whole sentence without its full stop. */
  advice?: string
  /** What was given as the message writes it, where `describe` would say too little: `[2, 0]`. */
  shown?: string
}

abstract class WrongArgument extends MpiError {
  readonly argument: string
  readonly seen: unknown
  readonly expected: string

  constructor({ argument, seen, expected, advice, shown = describe(seen) }: ArgumentFacts) {
    const next = advice === undefined ? '' : `. ${advice}`
    super(`\`${argument}\` must be ${expected}, but is ${shown}${next}`)
    this.argument = argument
    this.seen = seen
    this.expected = expected
  }
}

/** An argument is wrong in a way that has no class of its own. MPI 4.1, 9.4. */
export class ArgumentError extends WrongArgument {
  static {
    nameClass(this, 'ArgumentError')
  }
  readonly code = 'MPI_ERR_ARG'
}

/** A count is negative, no integer, or more than there is. MPI 4.1, 9.4. */
export class CountError extends WrongArgument {
  static {
    nameClass(this, 'CountError')
  }
  readonly code = 'MPI_ERR_COUNT'
}

/** What was given as memory is no typed array, or not the part of one it claims to be. MPI 4.1, 9.4. */
export class BufferError extends WrongArgument {
  static {
    nameClass(this, 'BufferError')
  }
  readonly code = 'MPI_ERR_BUFFER'
}

/** What was given as a group is none, or has members that it must not have. MPI 4.1, 7.3. */
export class GroupError extends WrongArgument {
  static {
    nameClass(this, 'GroupError')
  }
  readonly code = 'MPI_ERR_GROUP'

  constructor(facts: Omit<ArgumentFacts, 'expected'> & { expected?: string }) {
    super({ ...facts, expected: facts.expected ?? 'a Group' })
  }
}

/** The sizes of a grid make no grid, or do not fit the number of ranks; or it has no such dimension. MPI 4.1, 8.5. */
export class DimsError extends WrongArgument {
  static {
    nameClass(this, 'DimsError')
  }
  readonly code = 'MPI_ERR_DIMS'

  constructor(facts: ArgumentFacts) {
    const list: unknown[] | undefined = Array.isArray(facts.seen)
      ? Array.from(facts.seen)
      : undefined
    super(list === undefined ? facts : { ...facts, seen: list, shown: listed(list) })
  }
}

const LONGEST_LIST = 8

/** A list with what is in it, as `describe` has it only with its length. */
function listed(list: readonly unknown[]): string {
  const more = list.length > LONGEST_LIST ? [`… (${list.length} in all)`] : []
  return `[${[...list.slice(0, LONGEST_LIST).map(describe), ...more].join(', ')}]`
}
