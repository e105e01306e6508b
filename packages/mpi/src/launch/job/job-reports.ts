import {
  abortReport,
  busyReport,
  deadlockReport,
  disagreementReport,
  errorReport,
  exitReport,
  hazardReport,
  interruptReport,
  lifecycleReports,
  locateFacts,
  locateSnapshot,
  locateTrace,
  locateWait,
  silentExitReport,
  type RefusedCall,
  type Remark,
  type Report,
  type Witnesses,
} from '../../diagnose/index.js'
import { AgreementError, restoreError } from '../../errors/index.js'
import type { JobEnd } from './job-end.js'
import type { JobOutcome } from './job-run.js'
import { isLibrary, locate } from '../output/report-style.js'
import type { Testimony } from './witness.js'

/**
 * All there is to say about how a job ended; empty when all went well.
 *
 * @param command how the job was started, without `mpiexec`, where that is known
 */
export function reportsOn(outcome: JobOutcome, command?: string): Report[] {
  const { end, stack } = outcome
  const waits = outcome.waits.map((wait) => locateWait(wait, locate))
  const snapshots = outcome.snapshots.map((snapshot) => locateSnapshot(snapshot, locate))
  // Ranks that an abort has woken already tell nothing of what they waited for.
  const witnesses: Witnesses = { waits: waits.filter(({ state }) => state !== 'failed'), snapshots }
  switch (end.kind) {
    case 'finished':
      return leftReports(outcome, command)
    case 'closed':
      return []
    case 'failed':
      return [disagreementOn(outcome, witnesses) ?? failureReport(end, witnesses)]
    case 'exit': {
      const site = locate(end.stack)
      const where = site === undefined ? '' : ` at ${site}`
      return [exitReport(end.rank, `called process.exit(${end.code})${where}`, witnesses)]
    }
    case 'abort':
      return [abortReport(end.rank, end.code, locate(end.stack), witnesses)]
    case 'heap':
      return [
        {
          ...exitReport(end.rank, 'ran out of JavaScript heap', witnesses),
          suggestion: 'more heap: --heap 4GiB; large data belongs into memory from alloc()',
        },
      ]
    case 'deadlock': {
      const gone = 'ranks seemed to wait in a circle and then went on, a mistake of the library'
      return [deadlockReport(waits, snapshots) ?? interruptReport(gone, witnesses)]
    }
    case 'silent':
      return [silentExitReport(end.rank, witnesses)]
    case 'timeout':
      return [at(stack, interruptReport(`the time limit of ${end.seconds} s was over`, witnesses))]
    case 'signal':
      return [at(stack, interruptReport(`${end.signal} came`, witnesses))]
    case 'internal':
      return [exitReport(end.rank, `broke: ${end.error.stack ?? end.error.message}`, witnesses)]
  }
}

function failureReport(
  { rank, error }: Extract<JobEnd, { kind: 'failed' }>,
  witnesses: Witnesses,
): Report {
  const { name, message, stack, fields, cause } = error
  const code = (fields as { code?: unknown }).code
  const thrown = {
    name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack }),
  }
  const bare = errorReport(rank ?? 0, thrown, witnesses, isLibrary)
  const because = causesOf(cause)
  const report = because === '' ? bare : withRemark(bare, { label: 'cause', text: because })
  if (rank !== undefined) return report
  return { ...report, verdict: report.verdict.replace(/^rank 0/, 'a rank') }
}

/** Of a rank that called something else than another: what all ranks called. */
function disagreementOn({ end, failures }: JobOutcome, witnesses: Witnesses): Report | undefined {
  if (end.kind !== 'failed' || end.rank === undefined) return undefined
  const error = restoreError(end.error)
  if (!(error instanceof AgreementError)) return undefined
  const refused = new Map<number, RefusedCall>()
  for (const { rank, error: travelling } of [{ rank: end.rank, error: end.error }, ...failures]) {
    const other = restoreError(travelling)
    if (!(other instanceof AgreementError)) continue
    if (other.context !== error.context || other.number !== error.number) continue
    const site = locate(other.stack ?? '')
    const call = { rank, called: other.called }
    refused.set(rank, site === undefined ? call : { ...call, site })
  }
  return disagreementReport(error, [...refused.values()], witnesses)
}

/** `RangeError: the reason`, and below it the reason of that. */
function causesOf(cause: unknown): string {
  const reason = restoreError({ name: 'Error', message: '', stack: undefined, fields: {}, cause })
  const lines: string[] = []
  for (let one = (reason as Error).cause; one !== undefined && lines.length < 5;) {
    if (lines.includes(String(one))) break
    lines.push(String(one))
    one = one instanceof Error ? one.cause : undefined
  }
  return lines.join('\n')
}

function withRemark(report: Report, remark: Remark): Report {
  return { ...report, remarks: [...report.remarks, remark] }
}

/** Adds where the thread was that carries all ranks. */
function at(stack: string | undefined, report: Report): Report {
  const site = stack === undefined ? undefined : locate(stack)
  return site === undefined ? report : withRemark(report, { label: 'at', text: site })
}

/** What ranks that all returned left behind: things undone, and a trace that may show luck. */
function leftReports({ legacies, values }: JobOutcome, command: string | undefined): Report[] {
  const leftovers = lifecycleReports(legacies.map(({ facts }) => locateFacts(facts, locate)))
  if (legacies.length < values.length) return leftovers
  const traces = legacies.map(({ trace }) => locateTrace(trace, locate))
  const hazard = hazardReport(traces, command === undefined ? {} : { command })
  return hazard ? [...leftovers, hazard] : leftovers
}

/** The note when all ranks have returned and the job goes on. */
export function lingerNote(): Report {
  return {
    code: 'NT01',
    severity: 'note',
    verdict:
      'all ranks have returned from main(), but a timer, a server or the like keeps a rank alive',
    evidence: [],
    remarks: [],
    suggestion: 'clear the timer, close the server',
  }
}

/** The note on a rank that computes while all others wait. */
export function busyNote(rank: number, seconds: number, testimony: Testimony): Report {
  const snapshots = testimony.snapshots.map((snapshot) => locateSnapshot(snapshot, locate))
  const site = snapshots.find((snapshot) => snapshot.rank === rank)?.stack
  const busy = site === undefined ? { rank } : { rank, site }
  return busyReport([busy], seconds, { ...testimony, snapshots })
}
