import { MpiError, nameClass } from '../../errors/mpi-error.js'

/** `launch` ended a job because its `timeoutMs` was over; the message says where each rank was. */
export class TimeoutError extends MpiError {
  static {
    nameClass(this, 'TimeoutError')
  }
  readonly code = 'MPI_ERR_OTHER'
  readonly timeoutMs: number

  constructor({ timeoutMs, text }: { timeoutMs: number; text: string }) {
    super(text)
    this.timeoutMs = timeoutMs
  }
}

/** A rank's JavaScript heap was full. */
export class HeapError extends MpiError {
  static {
    nameClass(this, 'HeapError')
  }
  readonly code = 'MPI_ERR_NO_MEM'
  readonly rank: number

  constructor({ rank, text }: { rank: number; text: string }) {
    super(text)
    this.rank = rank
  }
}

/** All ranks returned, but left something undone: a request nobody waited on, a message nobody received. */
export class LeftoverError extends MpiError {
  static {
    nameClass(this, 'LeftoverError')
  }
  readonly code = 'MPI_ERR_PENDING'
  /** The reports as data. */
  readonly reports: readonly unknown[]

  constructor({ reports, text }: { reports: readonly unknown[]; text: string }) {
    super(text)
    this.reports = reports
  }
}
