import { exitStatusOf, type Report } from '../../diagnose/index.js'
import { asStatus, EXIT } from './exit-status.js'
import type { JobOutcome } from './job-run.js'

/** The exit status of mpiexec for a job and what was reported on it. */
export function statusOf(
  { end, exitCode }: JobOutcome,
  reports: readonly Report[],
  strict: boolean,
): number {
  switch (end.kind) {
    case 'finished':
      return exitStatusOf(reports, strict) || asStatus(exitCode)
    case 'closed':
      return EXIT.clean
    case 'exit':
    case 'abort':
      return asStatus(end.code)
    case 'failed':
      return STATUS_OF_CLASS[end.error.name] ?? EXIT.error
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

/** Errors that a rank throws on the runtime's behalf. */
const STATUS_OF_CLASS: Readonly<Record<string, number>> = {
  AgreementError: EXIT.diagnosed,
  DeadlockError: EXIT.diagnosed,
  FruitlessPollError: EXIT.diagnosed,
  InternalError: EXIT.internal,
}
