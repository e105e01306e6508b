import {
  abortReport,
  busyReport,
  deadlockReport,
  errorReport,
  exitReport,
  interruptReport,
  lifecycleReports,
  locateFacts,
  locateSnapshot,
  silentExitReport,
  type Report,
  type Witnesses,
} from '../diagnose/index.js'
import type { FinalizeFacts } from '../record/finalize-facts.js'
import type { JobOutcome } from './job-run.js'
import { isLibrary, locate } from './report-style.js'
import type { Testimony } from './witness.js'

/** All there is to say about how a job ended; empty when all went well. */
export function reportsOn(outcome: JobOutcome): Report[] {
  const { end, waits } = outcome
  const snapshots = outcome.snapshots.map((snapshot) => locateSnapshot(snapshot, locate))
  // Ranks that an abort has woken already tell nothing of what they waited for.
  const witnesses: Witnesses = { waits: waits.filter(({ state }) => state !== 'failed'), snapshots }
  switch (end.kind) {
    case 'finished':
      return leftoverReports(outcome.facts)
    case 'closed':
      return []
    case 'failed': {
      const { name, message, stack, fields } = end.error
      const code = (fields as { code?: unknown }).code
      const error = {
        name,
        message,
        ...(typeof code === 'string' && { code }),
        ...(stack !== undefined && { stack }),
      }
      return [errorReport(end.rank, error, witnesses, isLibrary)]
    }
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
      const report = deadlockReport(waits, snapshots)
      return report ? [report] : []
    }
    case 'silent':
      return [silentExitReport(end.rank, witnesses)]
    case 'timeout':
      return [interruptReport(`the time limit of ${end.seconds} s was over`, witnesses)]
    case 'signal':
      return [interruptReport(`${end.signal} came`, witnesses)]
    case 'internal':
      return [exitReport(end.rank, `broke: ${end.error.stack ?? end.error.message}`, witnesses)]
  }
}

function leftoverReports(facts: readonly FinalizeFacts[]): Report[] {
  return lifecycleReports(facts.map((one) => locateFacts(one, locate)))
}

/** The note on a rank that computes while all others wait. */
export function busyNote(rank: number, seconds: number, testimony: Testimony): Report {
  const snapshots = testimony.snapshots.map((snapshot) => locateSnapshot(snapshot, locate))
  const site = snapshots.find((snapshot) => snapshot.rank === rank)?.stack
  const busy = site === undefined ? { rank } : { rank, site }
  return busyReport([busy], seconds, { ...testimony, snapshots })
}
