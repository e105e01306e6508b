import { quantity } from './describe.js'
import { MpiError, nameClass } from './mpi-error.js'

/** One rank's call of a collective, as far as it must agree with those of the others. */
export interface CollectiveFacts {
  /** As the program calls it: `bcastInto`, `iallreduce`. */
  operation: string
  root?: number | undefined
  reduction?: string | undefined
  /** Of memory: `float64`; of values absent. */
  kind?: string | undefined
  /** In elements; absent where it is not known, or need not agree. */
  count?: number | undefined
  /** The algorithm that the call names: `ring`, `binomial-tree:3`. */
  algorithm?: string | undefined
  /** Other arguments that must agree: `dims [2, 3]`. */
  others?: string | undefined
}

/** The ranks of a communicator did not call the same collective, or not with the same arguments. MPI 4.1, 6.13. */
export class AgreementError extends MpiError {
  static {
    nameClass(this, 'AgreementError')
  }
  readonly code = 'MPI_ERR_NOT_SAME'
  readonly communicator: string
  /** Context id of the communicator's collectives: names may be alike. */
  readonly context: number | undefined
  /** Collectives of the communicator before this one; of those that not all ranks take part in not counted. */
  readonly number: number | undefined
  readonly called: CollectiveFacts
  /** What `peer` called, or, where that is not known, the rank that came first. */
  readonly first: CollectiveFacts
  /** The rank that called something else, where it is known. */
  readonly peer: number | undefined

  constructor(facts: {
    communicator: string
    context?: number
    number: number | undefined
    called: CollectiveFacts
    first: CollectiveFacts
    peer?: number
  }) {
    const { communicator, context, number, called, first, peer } = facts
    const other = peer === undefined ? 'a rank that was here before' : `rank ${peer}`
    const call = number === undefined ? called.operation : `collective #${number}`
    super(
      `${call} on \`${communicator}\` does not agree: this rank calls ` +
        `${words(called)}, but ${other} called ${words(first)}`,
    )
    this.communicator = communicator
    this.context = context
    this.number = number
    this.called = called
    this.first = first
    this.peer = peer
  }
}

function words(facts: CollectiveFacts): string {
  const { operation, root, reduction, kind, count, algorithm, others } = facts
  const parts: string[] = []
  if (root !== undefined) parts.push(`root ${root}`)
  if (reduction !== undefined) parts.push(reduction)
  if (kind !== undefined) parts.push(count === undefined ? kind : `${count} ${kind}`)
  if (algorithm !== undefined) parts.push(`by ${algorithm}`)
  if (others !== undefined) parts.push(others)
  return parts.length === 0 ? operation : `${operation} (${parts.join(', ')})`
}

/** A block that one rank sends is not as long as the one that its receiver expects. MPI 4.1, 6.6 and 6.8. */
export class BlockError extends MpiError {
  static {
    nameClass(this, 'BlockError')
  }
  readonly code = 'MPI_ERR_TRUNCATE'
  readonly operation: string
  readonly communicator: string
  /** The other rank. */
  readonly peer: number
  readonly sentBytes: number
  readonly expectedBytes: number

  constructor(facts: {
    operation: string
    communicator: string
    peer: number
    sentBytes: number
    expectedBytes: number
    element: { name: string; bytes: number }
  }) {
    const { operation, communicator, peer, sentBytes, expectedBytes, element } = facts
    const size = (bytes: number): string =>
      `${bytes / element.bytes} ${element.name} (${quantity(bytes, 'byte')})`
    super(
      `${operation} on \`${communicator}\`: the block between this rank and rank ${peer} is sent as ` +
        `${size(sentBytes)}, but expected as ${size(expectedBytes)}`,
    )
    this.operation = operation
    this.communicator = communicator
    this.peer = peer
    this.sentBytes = sentBytes
    this.expectedBytes = expectedBytes
  }
}

/** An algorithm was named that is not there, or cannot do what was asked. */
export class AlgorithmError extends MpiError {
  static {
    nameClass(this, 'AlgorithmError')
  }
  readonly code = 'MPI_ERR_ARG'
  readonly collective: string
  readonly algorithm: string

  /** `problem` ends the sentence: `is not one of ring, linear`. */
  constructor(facts: { collective: string; algorithm: string; problem: string }) {
    const { collective, algorithm, problem } = facts
    super(`algorithm \`${algorithm}\` of ${collective} ${problem}`)
    this.collective = collective
    this.algorithm = algorithm
  }
}
