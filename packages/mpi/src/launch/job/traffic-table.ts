import type { RankTraffic } from '../rank/rank-message.js'

const COLUMNS: readonly (readonly [title: string, field: keyof RankTraffic])[] = [
  ['sent', 'messagesSent'],
  ['received', 'messagesReceived'],
  ['bytes sent', 'bytesSent'],
  ['zero copy', 'zeroCopies'],
  ['eager copy', 'registeredCopies'],
  ['staged', 'stagedCopies'],
  ['unexpected', 'unexpectedCopies'],
  ['direct', 'directTransfers'],
  ['direct bytes', 'bytesDirect'],
]

const EXPLANATION = `\
zero copy: straight from the sender's array into the receiver's; eager copy: one copy out of registered
memory; staged: one more because memory was not registered; unexpected: kept until a receive came; direct: blocks that
collectives took from, or put into, another rank's memory.`

/** The table of `--stats`: one line a rank and one for all. */
export function trafficTable(ranks: readonly RankTraffic[]): string {
  const numbers = ranks.map((traffic) => COLUMNS.map(([, field]) => traffic[field]))
  const sums = COLUMNS.map((_, column) => numbers.reduce((sum, row) => sum + row[column]!, 0))
  const rows = [
    ['rank', ...COLUMNS.map(([title]) => title)],
    ...numbers.map((row, rank) => [String(rank), ...row.map(String)]),
    ['all', ...sums.map(String)],
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) =>
    row.map((cell, column) => cell.padStart(widths[column]!)).join('  '),
  )
  return [...lines, EXPLANATION].join('\n')
}
