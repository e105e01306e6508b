import { MpiError, nameClass } from '../../errors/mpi-error.js'

/** A program that cannot be started. MPI 4.1, 9.4. */
export class SpawnError extends MpiError {
  static {
    nameClass(this, 'SpawnError')
  }
  readonly code = 'MPI_ERR_SPAWN'
  /** As the user wrote it. */
  readonly program: string

  constructor(program: string, reason: string) {
    super(`${program}: ${reason}`)
    this.program = program
  }
}
