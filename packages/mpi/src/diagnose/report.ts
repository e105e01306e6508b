/**
 * The shape of everything this library has to say about a program: data first, text second.
 *
 * Reports are plain data (JSON-able, so graders can read them); `formatReport` makes text of them.
 */

/** `error`: certain for this run. `hazard`: another legal run fails. `note`: worth a word. */
export type Severity = 'error' | 'hazard' | 'note'

/** Stable codes; each has a page that `mpiexec explain CODE` prints. */
export const REPORT_CODES = [
  'DL01',
  'DL02',
  'TS01',
  'TS02',
  'TS03',
  'MS01',
  'RQ01',
  'CL02',
  'ER01',
  'ER02',
  'AB01',
  'AB02',
  'BF01',
  'BF02',
  'NT01',
] as const

export type ReportCode = (typeof REPORT_CODES)[number]

/** What one rank, or several alike, did or wait for. */
export interface Evidence {
  /** Ranks of the world; empty on a line that continues the one above it. */
  ranks: readonly number[]
  /** The call in words, such as `recv(src 1, tag 7, world)`. */
  call?: string
  /** `file:line:column` in the user's source; absent when it was not recorded. */
  site?: string
  /** The rest of the sentence, such as `waits for a message from rank 1`. */
  says?: string
}

/** What several ranks did, side by side. */
export interface Comparison {
  columns: readonly string[]
  rows: readonly ComparisonRow[]
}

export interface ComparisonRow {
  /** Empty where it is not known which. */
  ranks: readonly number[]
  /** One for each column. */
  cells: readonly string[]
  /** `file:line:column`; or else `says` says what is known of the place. */
  site?: string
  says?: string
  /** Whether it is not as most are. */
  differs: boolean
}

/** A labelled paragraph below the evidence: a near miss, a likely cause. */
export interface Remark {
  label: string
  text: string
}

export interface Report {
  code: ReportCode
  severity: Severity
  /** One sentence, without code and severity. */
  verdict: string
  /** Before the evidence. */
  comparison?: Comparison
  evidence: readonly Evidence[]
  /** Further ranks that are concerned, below a title of their own. */
  also?: { title: string; evidence: readonly Evidence[] }
  remarks: readonly Remark[]
  /** One suggested change. */
  suggestion?: string
  /** A command that shows the error itself. */
  proof?: string
}

/** The exit status that reports ask for: 2 for an error, 3 for a hazard under `--strict`, else 0. */
export function exitStatusOf(
  reports: readonly { severity: Severity; code?: ReportCode }[],
  strict = false,
): 0 | 1 | 2 | 3 {
  const errors = reports.filter((report) => report.severity === 'error')
  if (errors.some((report) => report.code === 'ER01' || report.code === 'ER02')) return 1
  if (errors.length > 0) return 2
  return strict && reports.some((report) => report.severity === 'hazard') ? 3 : 0
}
