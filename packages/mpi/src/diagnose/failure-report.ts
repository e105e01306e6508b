import type { RankSnapshot, RankState, RankWait } from '../record/rank-snapshot.js'
import { frameOf, libraryIn, type IsLibrary } from './call-site.js'
import { agree, ranksOf } from './describe.js'
import type { Evidence, Remark, Report, ReportCode, Severity } from './report.js'
import { Scene } from './scene.js'
import { hasEnded, isStill } from './wait-graph.js'
import { merged, waitingEvidence } from './waiting-words.js'

/**
 * Reports on a run that something ended, or that seems to stand still: the origin first, then what
 * the others were doing.
 *
 * - ER01: a rank threw. ER02: a rank's thread ended without returning from main().
 * - TS02: its event loop ran empty in the middle of an await. TS03: it only polls, on a shared thread.
 * - AB01: the program called abort. AB02: a time limit or a signal ended the run.
 * - NT01: a note that one rank computes while all others wait.
 */

export type FailureCode = Extract<
  ReportCode,
  'ER01' | 'ER02' | 'TS02' | 'TS03' | 'AB01' | 'AB02' | 'NT01'
>

export interface FailureReport extends Report {
  code: FailureCode
  /** The ranks the report is about. */
  origin: readonly number[]
  /** Of a thrown error. */
  error?: ThrownError
}

export interface ThrownError {
  /** Its class, such as 'RangeError'. */
  name: string
  message: string
  /** The standard's class of an MpiError. */
  code?: string
  /** Mapped stack text; its first frames are shown. */
  stack?: string
}

/** Everybody's state at that moment; both lists may be empty when nobody could be asked. */
export interface Witnesses {
  waits: readonly RankWait[]
  /** Located ones. */
  snapshots: readonly RankSnapshot[]
}

const NOBODY: Witnesses = { waits: [], snapshots: [] }

/** ER01: the rank whose error ended the job. */
export function errorReport(
  rank: number,
  error: ThrownError,
  witnesses: Witnesses = NOBODY,
  isLibrary: IsLibrary = libraryIn(),
): FailureReport {
  const what =
    error.code && !error.name.includes(error.code) ? `${error.name} (${error.code})` : error.name
  const report = failure('ER01', [rank], `rank ${rank} threw ${what}: ${error.message}`, witnesses)
  return { ...report, error, remarks: stackRemarks(error.stack, isLibrary) }
}

/**
 * ER02: the thread of a rank ended without returning from main().
 *
 * @param how in words: `called process.exit(3)`, `ran out of heap (64 MB)`
 */
export function exitReport(
  rank: number,
  how: string,
  witnesses: Witnesses = NOBODY,
): FailureReport {
  return failure('ER02', [rank], `rank ${rank} ${how} before it returned from main()`, witnesses)
}

/** TS02: the event loop of a rank ran empty while its main() still awaited something. */
export function silentExitReport(rank: number, witnesses: Witnesses = NOBODY): FailureReport {
  const verdict = `rank ${rank} left its event loop in the middle of an await`
  const report = failure('TS02', [rank], verdict, witnesses)
  return { ...report, suggestion: 'await only requests, timers and I/O that something will settle' }
}

/** TS03: thousands of fruitless polls without a yield, on a thread that other ranks share. */
export function starvedReport(
  rank: number,
  polls: number,
  poll: { call: string; site?: string },
  witnesses: Witnesses = NOBODY,
): FailureReport {
  const verdict = `rank ${rank} polled ${polls} times without a yield; nobody else on its thread can run`
  const report = failure('TS03', [rank], verdict, witnesses)
  const evidence: Evidence = {
    ranks: [rank],
    ...poll,
    says: 'never says yes while this loop spins',
  }
  return {
    ...report,
    evidence: [evidence],
    suggestion: 'await the request, or await something in the loop',
  }
}

/** AB01: the program called `abort(code)`. */
export function abortReport(
  rank: number,
  status: number,
  site: string | undefined,
  witnesses: Witnesses = NOBODY,
): FailureReport {
  const report = failure('AB01', [rank], `rank ${rank} called abort(${status})`, witnesses)
  const evidence: Evidence = { ranks: [rank], call: `abort(${status})`, says: 'ended the job' }
  return { ...report, evidence: [site === undefined ? evidence : { ...evidence, site }] }
}

/**
 * AB02: ended from outside.
 *
 * @param why in words: `the time limit of 5 s was over`, `SIGTERM came`
 */
export function interruptReport(why: string, witnesses: Witnesses = NOBODY): FailureReport {
  const { waits } = witnesses
  const running = waits.filter(({ state }) => !hasEnded(state)).map(({ rank }) => rank)
  const rest = running.length > 0 ? `; ${ranksOf(running)} had not finished` : ''
  return failure('AB02', [], `${why}${rest}`, witnesses)
}

/** NT01: `seconds` have passed since all ranks but these were blocked. */
export function busyReport(
  busy: readonly { rank: number; site?: string }[],
  seconds: number,
  witnesses: Witnesses,
): FailureReport {
  const ranks = busy.map(({ rank }) => rank)
  const outside = ranks.every((rank) =>
    witnesses.waits.some((wait) => wait.rank === rank && wait.state === 'outside'),
  )
  const doing = outside
    ? agree(ranks, 'waits for something outside of MPI', 'wait for something outside of MPI')
    : agree(ranks, 'computes', 'compute')
  const verdict = `${ranksOf(ranks)} ${doing}, and all others have waited for ${seconds} s`
  const report = failure('NT01', ranks, verdict, witnesses, 'note')
  const evidence = busy.map(({ rank, site }): Evidence => {
    const row: Evidence = {
      ranks: [rank],
      says: outside ? 'awaits a timer, a file or a fetch' : 'is here',
    }
    return site === undefined ? row : { ...row, site }
  })
  return { ...report, evidence }
}

function failure(
  code: FailureCode,
  origin: readonly number[],
  verdict: string,
  witnesses: Witnesses,
  severity: Severity = 'error',
): FailureReport {
  const report: FailureReport = { code, severity, verdict, evidence: [], remarks: [], origin }
  const evidence = doingsOf(witnesses, (rank) => !origin.includes(rank))
  if (evidence.length > 0) report.also = { title: 'the others at that moment:', evidence }
  return report
}

/** What ranks were doing; who has finished is left out. */
export function doingsOf(
  { waits, snapshots }: Witnesses,
  isWanted: (rank: number) => boolean,
): Evidence[] {
  const scene = new Scene(waits, snapshots)
  return merged(scene.ranks.filter(isWanted).map((rank) => doingOf(rank, scene)))
}

const DOING: Readonly<Partial<Record<RankState, string>>> = {
  starting: 'starting',
  running: 'running',
  outside: 'in a timer, a file or a fetch',
  failed: 'failed',
}

function doingOf(rank: number, scene: Scene): Evidence[] {
  const state = scene.state(rank)
  if (isStill(state)) return waitingEvidence(rank, scene)
  const says = DOING[state]
  if (says === undefined) return []
  const site = scene.snapshot(rank)?.stack
  return [site === undefined ? { ranks: [rank], says } : { ranks: [rank], site, says }]
}

/** Frames of a stack that a report shows. */
const MOST_FRAMES = 6

function stackRemarks(stack: string | undefined, isLibrary: IsLibrary): Remark[] {
  const frames = (stack ?? '').split('\n').filter((line) => frameOf(line) !== undefined)
  const own = frames.filter((line) => !isLibrary(frameOf(line)?.file ?? ''))
  const shown = (own.length > 0 ? own : frames).slice(0, MOST_FRAMES)
  return shown.length > 0
    ? [{ label: 'stack', text: shown.map((line) => line.trim()).join('\n') }]
    : []
}
