import { formatReport, type Report } from '../../diagnose/index.js'
import { EXIT } from './exit-status.js'
import { reportsOn } from './job-reports.js'
import type { JobRequest } from './job-request.js'
import type { JobOutcome, JobSurroundings } from './job-run.js'
import { statusOf } from './job-status.js'
import { reportStyle } from '../output/report-style.js'
import { isStartFailure } from './start-failure.js'
import { trafficTable } from './traffic-table.js'

/** What mpiexec prints on standard error when a job is over, and its exit status. */
export interface Verdict {
  readonly texts: readonly string[]
  readonly status: number
}

export function verdictOn(
  outcome: JobOutcome,
  request: JobRequest,
  traits: JobSurroundings['traits'],
): Verdict {
  const { end, legacies } = outcome
  if (end.kind === 'failed' && isStartFailure(end.error)) {
    return { texts: [`mpiexec: ${end.error.message}`], status: EXIT.error }
  }
  const reports = reportsOn(outcome, commandOf(request))
  const texts = reports.map((report) => formatted(report, traits))
  if (request.stats && end.kind === 'finished') {
    texts.push(trafficTable(legacies.map(({ traffic }) => traffic)))
  }
  if (outcome.summary !== undefined) texts.push(outcome.summary)
  return { texts, status: statusOf(outcome, reports, request.strict) }
}

/** A report as it looks on standard error. */
export function formatted(report: Report, traits: JobSurroundings['traits']): string {
  return formatReport(report, reportStyle(traits.err))
}

function commandOf({ programs }: JobRequest): string {
  return programs.map(({ ranks, file, args }) => ['-n', ranks, file, ...args].join(' ')).join(' : ')
}
