import type { Bundle } from '../program/bundle.js'
import type { JobRequest } from './job-request.js'
import type { StreamTraits } from '../output/rank-output.js'

/** From mpiexec to the job's process. */
export type ToJob =
  | {
      readonly type: 'request'
      readonly request: JobRequest
      readonly traits: { readonly out: StreamTraits; readonly err: StreamTraits }
      /** Temporary files, for the job to remove when mpiexec was killed. */
      readonly folder: string
    }
  | { readonly type: 'bundle'; readonly index: number; readonly bundle: Bundle }

/** From the job's process to mpiexec: all output is out, and this is how it ended. */
export interface FromJob {
  readonly type: 'over'
  readonly status: number
}
