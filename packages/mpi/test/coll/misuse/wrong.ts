import type { Communicator, Mpi } from '@commworld/mpi'
import {
  AlgorithmError,
  ArgumentError,
  BufferError,
  CountError,
  DatatypeError,
  OpError,
  OverlapError,
  RootError,
  ValueError,
} from '@commworld/mpi'
import type { Refusal } from '../../badinput/refusal.js'

/** Ranks that make wrong calls. */
export const RANKS = 3

export const f64 = (length: number): Float64Array => new Float64Array(length)
export const i32 = (length: number): Int32Array => new Int32Array(length)

export const root = (says: RegExp): Refusal => ({ is: RootError, code: 'MPI_ERR_ROOT', says })
export const argument = (says: RegExp): Refusal => ({
  is: ArgumentError,
  code: 'MPI_ERR_ARG',
  says,
})
export const count = (says: RegExp): Refusal => ({ is: CountError, code: 'MPI_ERR_COUNT', says })
export const buffer = (says: RegExp): Refusal => ({ is: BufferError, code: 'MPI_ERR_BUFFER', says })
export const datatype = (says: RegExp): Refusal => ({
  is: DatatypeError,
  code: 'MPI_ERR_TYPE',
  says,
})
export const overlap = (says: RegExp): Refusal => ({
  is: OverlapError,
  code: 'MPI_ERR_BUFFER',
  says,
})
export const op = (says: RegExp): Refusal => ({ is: OpError, code: 'MPI_ERR_OP', says })
export const algorithm = (says: RegExp): Refusal => ({
  is: AlgorithmError,
  code: 'MPI_ERR_ARG',
  says,
})
export const value = (says: RegExp): Refusal => ({ is: ValueError, code: 'MPI_ERR_TYPE', says })

/** A wrong call that all ranks make, or those alone for which the argument counts. */
export type Wrong = readonly [
  what: string,
  call: (world: Communicator, mpi: Mpi) => unknown,
  refusal: Refusal,
  at?: 'root' | 'others',
]

export const never = undefined as never
