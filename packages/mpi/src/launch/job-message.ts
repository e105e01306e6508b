import type { Bundle } from './bundle.js'
import type { JobRequest } from './job-request.js'

/** From mpiexec to the job's process. */
export type ToJob =
  | { readonly type: 'request'; readonly request: JobRequest }
  | { readonly type: 'bundle'; readonly index: number; readonly bundle: Bundle }

/** From the job's process to mpiexec: all output is out, and this is how it ended. */
export interface FromJob {
  readonly type: 'over'
  readonly status: number
}
