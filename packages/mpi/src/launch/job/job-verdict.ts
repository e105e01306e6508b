import { misfitOf, replayOf, type ScriptError } from '@commworld/transport'
import { formatReport, type Report } from '../../diagnose/index.js'
import { EXIT } from './exit-status.js'
import { reportsOn } from './job-reports.js'
import { rankCount, type JobRequest } from './job-request.js'
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
  const status = statusOf(outcome, reports, request.strict)
  const misfit = end.kind === 'finished' ? misfitOn(request, legacies) : undefined
  if (misfit === undefined) return { texts, status }
  return { texts: [...texts, `mpiexec: ${misfit.message}`], status: status || EXIT.error }
}

/** A replay that was none: the string is of another program. */
function misfitOn(request: JobRequest, legacies: JobOutcome['legacies']): ScriptError | undefined {
  const { choices } = request
  // Who ended its thread before it was asked may have chosen as well.
  if (choices === undefined || legacies.length < rankCount(request)) return undefined
  const told = legacies.flatMap((legacy) => legacy.choices ?? [])
  if (told.length === 0) return undefined
  const replay = replayOf(told.flatMap(({ deviations }) => deviations))
  return misfitOf(choices, { replay, choicesMade: Math.max(...told.map(({ made }) => made)) })
}

/** A report as it looks on standard error. */
export function formatted(report: Report, traits: JobSurroundings['traits']): string {
  return formatReport(report, reportStyle(traits.err))
}

function commandOf({ programs }: JobRequest): string {
  return programs.map(({ ranks, file, args }) => ['-n', ranks, file, ...args].join(' ')).join(' : ')
}
