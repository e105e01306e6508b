import { MpiError, nameClass } from './mpi-error.js'

/** A verb that blocks was called on a thread that several ranks share. Nothing was posted. */
export class SharedThreadError extends MpiError {
  static {
    nameClass(this, 'SharedThreadError')
  }
  readonly code = 'MPI_ERR_UNSUPPORTED_OPERATION'
  readonly operation: string
  /** The form that works here: `await world.isend(...)`. */
  readonly instead: string

  constructor({ operation, instead }: { operation: string; instead: string }) {
    super(
      `\`${operation}\` would block the thread that the ranks of this world share. Use \`${instead}\``,
    )
    this.operation = operation
    this.instead = instead
  }
}

/** A rank asked over and over whether something has come and never gave the others a turn. */
export class FruitlessPollError extends MpiError {
  static {
    nameClass(this, 'FruitlessPollError')
  }
  readonly code = 'MPI_ERR_OTHER'
  readonly operation: string
  readonly polls: number

  constructor({ operation, polls }: { operation: string; polls: number }) {
    super(
      `\`${operation}\` said no ${polls} times in a row, and meanwhile no other rank could run: the ranks of ` +
        'this world share one thread. Await the request, or await something else between two polls',
    )
    this.operation = operation
    this.polls = polls
  }
}

/** Another rank has failed or called `abort`, and so ended the job. MPI 4.1, 9.4. */
export class AbortedError extends MpiError {
  static {
    nameClass(this, 'AbortedError')
  }
  readonly code = 'MPI_ERR_PROC_ABORTED'
  /** World rank that ended the job; undefined when it was ended from outside. */
  readonly origin: number | undefined
  readonly exitCode: number

  constructor({ origin, exitCode }: { origin: number | undefined; exitCode: number }) {
    super(
      origin === undefined
        ? `the job was ended from outside (exit code ${exitCode})`
        : `the job was ended by rank ${origin} (exit code ${exitCode})`,
    )
    this.origin = origin
    this.exitCode = exitCode
  }
}

/** A rank cannot be reached any more: the queue pair to it has failed. */
export class UnreachableError extends MpiError {
  static {
    nameClass(this, 'UnreachableError')
  }
  readonly code = 'MPI_ERR_OTHER'
  /** World rank that cannot be reached. */
  readonly rank: number
  /** Completion status of the queue pair's first error. */
  readonly status: string

  constructor({ rank, status, cause }: { rank: number; status: string; cause: string }) {
    super(`rank ${rank} cannot be reached: its queue pair failed with ${status} (${cause})`)
    this.rank = rank
    this.status = status
  }
}

/** A rank crashed, as a fault of a test's world. */
export class CrashedError extends MpiError {
  static {
    nameClass(this, 'CrashedError')
  }
  readonly code = 'MPI_ERR_PROC_ABORTED'
  /** World rank that crashed. */
  readonly rank: number

  constructor({ rank }: { rank: number }) {
    super(`rank ${rank} crashed: a fault of this world, which ends the job`)
    this.rank = rank
  }
}

/** A world in which faults had stopped did not come to its end. */
export class LivenessError extends MpiError {
  static {
    nameClass(this, 'LivenessError')
  }
  readonly code = 'MPI_ERR_OTHER'
  /** Virtual seconds since the last fault. */
  readonly seconds: number

  constructor({ seconds, faults }: { seconds: number; faults: number }) {
    const since = faults === 0 ? 'its start, without a fault' : `the last of its ${faults} faults`
    super(
      `the world has not ended ${seconds} s of virtual time after ${since}: something is sent again and ` +
        `again and never arrives, or ranks go on exchanging messages for ever`,
    )
    this.seconds = seconds
  }
}

/** Some ranks can never continue. The message is the report, the fields are what it was made of. */
export class DeadlockError extends MpiError {
  static {
    nameClass(this, 'DeadlockError')
  }
  readonly code = 'MPI_ERR_OTHER'
  /** World ranks that wait for each other. */
  readonly ranks: readonly number[]
  /** The report as data, as the diagnosis made it. */
  readonly report: unknown

  constructor({
    ranks,
    text,
    report,
  }: {
    ranks: readonly number[]
    text: string
    report?: unknown
  }) {
    super(text)
    this.ranks = ranks
    this.report = report
  }
}

/** Something inside this library is not as it must be. Please report it. */
export class InternalError extends MpiError {
  static {
    nameClass(this, 'InternalError')
  }
  readonly code = 'MPI_ERR_INTERN'
  constructor(problem: string) {
    super(`${problem}. This is a mistake in Commworld, not in your program`)
  }
}
