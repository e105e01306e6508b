import { asStatus, EXIT } from './exit-status.js'
import type { JobRequest } from './job-request.js'
import type { JobOutcome } from './job-run.js'

/** What to print at the end of a job, if anything. */
export function reportOf({ end }: JobOutcome, _request: JobRequest): string | undefined {
  switch (end.kind) {
    case 'finished':
    case 'closed':
      return undefined
    case 'failed':
      return `rank ${end.rank} failed: ${end.error.stack ?? end.error.message}`
    default:
      return JSON.stringify(end)
  }
}

/** The exit status of mpiexec for a job. */
export function statusOf({ end, exitCode }: JobOutcome, _request: JobRequest): number {
  switch (end.kind) {
    case 'finished':
      return asStatus(exitCode)
    case 'closed':
      return EXIT.clean
    case 'exit':
    case 'abort':
      return asStatus(end.code)
    case 'failed':
    case 'heap':
      return EXIT.error
    case 'deadlock':
    case 'silent':
      return EXIT.diagnosed
    case 'internal':
      return EXIT.internal
    case 'timeout':
      return EXIT.timeout
    case 'signal':
      return end.signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated
  }
}
