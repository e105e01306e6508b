import { ranksOf } from './describe.js'
import { shortSite } from './call-site.js'
import { padCells, wrap, type Cell, type Role } from './columns.js'
import type { Evidence, Report } from './report.js'

export interface ReportStyle {
  /** Columns; default 100. */
  width?: number
  /** Paints a piece of text that is aligned already; default none. */
  paint?: (role: Role, text: string) => string
  /** Sites below this folder are shown relative to it. */
  base?: string
  /** Rows of evidence before the rest is only counted; default 12. */
  rows?: number
}

type Style = Required<Omit<ReportStyle, 'base'>> & Pick<ReportStyle, 'base'>

/**
 * A report as text, some lines without a final line break: plain ASCII, aligned in columns.
 *
 * @example
 * formatReport(report, { base: process.cwd() })
 * // error DL01 deadlock: ranks 0 and 1 can never continue
 * //   rank 0  recv(src 1, tag 7, world)  swap.ts:18  waits for a message from rank 1
 * //   rank 1  recv(src 0, tag 8, world)  swap.ts:24  waits for a message from rank 0
 */
export function formatReport(report: Report, options: ReportStyle = {}): string {
  const style: Style = { width: 100, paint: (_role, text) => text, rows: 12, ...options }
  return [
    ...headline(report, style),
    ...comparisonLines(report.comparison, style),
    ...evidenceLines(report.evidence, style),
    ...alsoLines(report, style),
    ...report.remarks.flatMap((remark) => paragraph(remark.label, remark.text, style)),
    ...unrecorded(report, style),
    ...(report.proof ? paragraph('prove it', report.proof, style) : []),
    ...closing(report, style),
  ].join('\n')
}

function headline(report: Report, style: Style): string[] {
  const title = `${report.severity} ${report.code}`
  const [first, ...rest] = wrap(sitesIn(report.verdict, style), style.width - title.length - 1)
  return [
    `${style.paint(report.severity, title)} ${first}`,
    ...rest.map((line) => ' '.repeat(title.length + 1) + line),
  ]
}

function comparisonLines(comparison: Report['comparison'], style: Style): string[] {
  if (comparison === undefined) return []
  const { columns, rows } = comparison
  const cell = (role: Role, text: string): Cell => ({ role, text })
  const head = ['', ...columns, 'where', ''].map((text) => cell('label', text))
  const shown = rows
    .slice(0, style.rows)
    .map(({ ranks, cells, site, says = '', differs }) => [
      cell('rank', ranks.length > 0 ? ranksOf(ranks) : 'another'),
      ...cells.map((text) => cell('call', text)),
      site === undefined ? cell('plain', says) : cell('site', shortSite(site, style.base)),
      cell('error', differs ? '<-- differs' : ''),
    ])
  const lines = padCells([head, ...shown], { indent: 2, gap: 2, ...style })
  const left = rows.length - shown.length
  return left > 0 ? [...lines, `  ... and ${left} more`] : lines
}

function evidenceLines(evidence: readonly Evidence[], style: Style): string[] {
  const shown = evidence.slice(0, style.rows).map((row) => cellsOf(row, style))
  const lines = padCells(shown, { indent: 2, gap: 2, width: style.width, paint: style.paint })
  const left = evidence.length - shown.length
  return left > 0 ? [...lines, `  ... and ${left} more`] : lines
}

function cellsOf(row: Evidence, style: Style): Cell[] {
  const site = row.site === undefined ? (row.call ? '-' : '') : shortSite(row.site, style.base)
  return [
    { role: 'rank', text: row.ranks.length > 0 ? ranksOf(row.ranks) : '' },
    { role: 'call', text: row.call ?? '' },
    { role: 'site', text: site },
    { role: 'plain', text: sitesIn(row.says ?? '', style) },
  ]
}

function alsoLines(report: Report, style: Style): string[] {
  if (!report.also || report.also.evidence.length === 0) return []
  return [`  ${report.also.title}`, ...evidenceLines(report.also.evidence, style)]
}

function paragraph(label: string, text: string, style: Style): string[] {
  const head = `  ${label}: `
  const lines = text
    .split('\n')
    .flatMap((part) => wrap(sitesIn(part, style), style.width - head.length))
  return lines.map((line, index) =>
    index === 0
      ? style.paint('label', head.trimEnd()) + ' ' + line
      : ' '.repeat(head.length) + line,
  )
}

/** Sites inside of sentences, shortened like those in their own column. */
function sitesIn(text: string, { base }: Style): string {
  const folder = base === undefined || base.endsWith('/') ? base : `${base}/`
  const near = folder ? text.replaceAll(`file://${folder}`, '').replaceAll(folder, '') : text
  return near.replace(/[^\s(),;]+:\d+:\d+/g, (site) => shortSite(site))
}

function unrecorded(report: Report, style: Style): string[] {
  const rows = [...report.evidence, ...(report.also?.evidence ?? [])]
  if (!rows.some((row) => row.call !== undefined && row.site === undefined)) return []
  return paragraph(
    'note',
    'where it says - the call site was not recorded: run with --sites',
    style,
  )
}

function closing(report: Report, style: Style): string[] {
  const more = `more: mpiexec explain ${report.code}`
  if (!report.suggestion) return [`  ${style.paint('label', 'more:')}${more.slice(5)}`]
  const lines = paragraph('try', report.suggestion, style)
  const last = `  try: ${report.suggestion}`
  const column = Math.max(51, last.length + 4)
  if (lines.length === 1 && column + more.length <= style.width) {
    return [lines[0] + ' '.repeat(column - last.length) + more]
  }
  return [...lines, `  ${style.paint('label', 'more:')}${more.slice(5)}`]
}
