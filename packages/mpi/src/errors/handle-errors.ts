import { quantity } from './describe.js'
import { MpiError, nameClass } from './mpi-error.js'

/** A datatype was freed, or is not a datatype. MPI 4.1, 5.1. */
export class DatatypeError extends MpiError {
  static {
    nameClass(this, 'DatatypeError')
  }
  readonly code = 'MPI_ERR_TYPE'
}

/** A reduction is not defined on what it was given. MPI 4.1, 6.9.2. */
export class OpError extends MpiError {
  static {
    nameClass(this, 'OpError')
  }
  readonly code = 'MPI_ERR_OP'
  readonly op: string
  /** What it was given: `float64`, `a string`. */
  readonly seen: string
  /** What it is defined on. */
  readonly expected: string

  constructor({ op, seen, expected }: { op: string; seen: string; expected: string }) {
    super(`${op} is not defined on ${seen}: it takes ${expected}`)
    this.op = op
    this.seen = seen
    this.expected = expected
  }
}

export type RequestProblem = 'freed' | 'foreign' | 'active' | 'not persistent'

/** A request is not one that can be used here. MPI 4.1, 3.7. */
export class RequestError extends MpiError {
  static {
    nameClass(this, 'RequestError')
  }
  readonly code = 'MPI_ERR_REQUEST'
  readonly operation: string
  readonly problem: RequestProblem
  /** Its place in the list it came in, if it came in one. */
  readonly index: number | undefined

  constructor(facts: { operation: string; problem: RequestProblem; index?: number }) {
    const { operation, problem, index } = facts
    const which = index === undefined ? 'the request' : `request ${index}`
    super(`${operation}: ${which} ${REQUEST_MESSAGES[problem]}`)
    this.operation = operation
    this.problem = problem
    this.index = index
  }
}

const REQUEST_MESSAGES: Readonly<Record<RequestProblem, string>> = {
  freed: 'was freed',
  foreign: 'is not a request of this rank',
  active: 'is still active. Wait for it first',
  'not persistent': 'is not persistent, so it cannot be started',
}

/** A communicator was freed, or cannot do what was asked. MPI 4.1, 7.4. */
export class CommunicatorError extends MpiError {
  static {
    nameClass(this, 'CommunicatorError')
  }
  readonly code = 'MPI_ERR_COMM'
  readonly communicator: string

  /** `problem` ends the sentence that begins with the communicator's name: `was freed`. */
  constructor({ communicator, problem }: { communicator: string; problem: string }) {
    super(`communicator \`${communicator}\` ${problem}`)
    this.communicator = communicator
  }
}

/** A communicator has no topology, or another one than is needed. MPI 4.1, 8.5. */
export class TopologyError extends MpiError {
  static {
    nameClass(this, 'TopologyError')
  }
  readonly code = 'MPI_ERR_TOPOLOGY'
  readonly communicator: string
  /** What it needs, as the end of a sentence: `a Cartesian topology`. */
  readonly expected: string
  /** What it has; `undefined` for no topology. */
  readonly seen: string | undefined

  constructor(facts: { communicator: string; expected: string; seen?: string }) {
    const { communicator, expected, seen } = facts
    super(`communicator \`${communicator}\` must have ${expected}, but has ${seen ?? 'none'}`)
    this.communicator = communicator
    this.expected = expected
    this.seen = seen
  }
}

/** Some of the operations that were waited for together have failed. MPI 4.1, 3.7.5. */
export class InStatusError extends MpiError {
  static {
    nameClass(this, 'InStatusError')
  }
  readonly code = 'MPI_ERR_IN_STATUS'
  readonly operation: string
  /** Each failed operation by its place in the list, with its error. */
  readonly failures: readonly { readonly index: number; readonly error: unknown }[]

  constructor(facts: {
    operation: string
    failures: readonly { index: number; error: unknown }[]
    count: number
  }) {
    const { operation, failures, count } = facts
    const first = failures[0]
    const why =
      first === undefined
        ? ''
        : `; request ${first.index}: ${first.error instanceof Error ? first.error.message : String(first.error)}`
    super(`${operation}: ${failures.length} of ${quantity(count, 'request')} failed${why}`, {
      cause: first?.error,
    })
    this.operation = operation
    this.failures = failures
  }
}

/** An operation was not complete when its result was asked for. MPI 4.1, 3.7.5. */
export class PendingError extends MpiError {
  static {
    nameClass(this, 'PendingError')
  }
  readonly code = 'MPI_ERR_PENDING'
  readonly operation: string

  constructor({ operation, advice }: { operation: string; advice?: string }) {
    super(`${operation} is not complete` + (advice === undefined ? '' : `. ${advice}`))
    this.operation = operation
  }
}
