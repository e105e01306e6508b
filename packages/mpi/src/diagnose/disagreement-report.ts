import type { CollectiveFacts } from '../errors/index.js'
import type { OperationRecord } from '../record/operation.js'
import type { RankSnapshot } from '../record/rank-snapshot.js'
import { plural } from './describe.js'
import { doingsOf, type Witnesses } from './failure-report.js'
import type { Comparison, ComparisonRow, Report } from './report.js'

/** CL02: ranks of a communicator called different collectives, or one with different arguments. */
export interface DisagreementReport extends Report {
  code: 'CL02'
  comparison: Comparison
}

/** What the error of a rank says that does not agree with the first one to come. */
export interface Disagreement {
  communicator: string
  /** Context id of its collectives, where it is known. */
  context?: number | undefined
  /** Collectives of the communicator before this one. */
  number?: number | undefined
  /** What the first rank called, or `peer`. */
  first: CollectiveFacts
  /** In the numbering of the communicator. */
  peer?: number | undefined
}

/** A rank of the world whose call was refused. */
export interface RefusedCall {
  rank: number
  called: CollectiveFacts
  site?: string
}

/** What is known of the call of one rank. */
interface KnownCall {
  rank: number
  facts: CollectiveFacts
  site?: string | undefined
  /** It differs from what the first one called, whatever it looks like. */
  refused?: boolean
  /** It was through with this collective already. */
  passed?: boolean
}

/** In place of the rank that came first. */
const NOBODY_KNOWN = -1

/** Ranks up to which everybody has a line; beyond that those that called alike share one. */
const SINGLE_LINES = 8

/**
 * The table of what each rank called. Ranks that were refused tell it by their errors, those that wait in
 * the collective by their snapshots. Who has passed it without an error called what the first one did.
 *
 * @param refused located; at least one
 */
export function disagreementReport(
  disagreement: Disagreement,
  refused: readonly RefusedCall[],
  witnesses: Witnesses,
): DisagreementReport {
  const { communicator, number, first, peer } = disagreement
  const calls = nobodyFirst(knownCalls(disagreement, refused, witnesses.snapshots), first)
  // Whoever was not refused called what the first one did: where nobody is known who was not, it has a line.
  if (peer === undefined && calls.every((call) => call.refused)) {
    calls.unshift({ rank: NOBODY_KNOWN, facts: first })
  }
  const rows = calls.length > SINGLE_LINES ? together(calls) : calls.map((call) => [call])
  const usual = usualKey(calls)
  const table = rows.map((row): Row => ({ calls: row, differs: keyOf(row[0]!) !== usual }))
  const name = number === undefined ? first.operation : `collective #${number}`
  const report: DisagreementReport = {
    code: 'CL02',
    severity: 'error',
    verdict: `${name} on \`${communicator}\` does not agree`,
    comparison: comparisonOf(table),
    evidence: [],
    remarks: [],
    suggestion: suggestionOn(table.map(({ calls: [call] }) => call!.facts)),
  }
  const known = new Set(calls.map(({ rank }) => rank))
  const evidence = doingsOf(witnesses, (rank) => !known.has(rank))
  if (evidence.length > 0) report.also = { title: 'the others at that moment:', evidence }
  if (new Set(table.map(({ calls: [call] }) => textOf(call!.facts))).size === 1) {
    const text = 'the reductions bear one name, but they are different functions.'
    report.remarks = [{ label: 'why', text }]
  }
  return report
}

function knownCalls(
  { context, number, first, peer, communicator }: Disagreement,
  refused: readonly RefusedCall[],
  snapshots: readonly RankSnapshot[],
): KnownCall[] {
  const calls = new Map<number, KnownCall>()
  for (const { rank, called, site } of refused)
    calls.set(rank, { rank, facts: called, site, refused: true })
  const group = snapshots
    .flatMap((snapshot) => snapshot.communicators ?? [])
    .find((one) => one.collectiveContext === context)?.group
  const named =
    peer === undefined
      ? undefined
      : (group?.[peer] ?? (communicator === 'world' ? peer : undefined))
  if (named !== undefined && !calls.has(named)) calls.set(named, { rank: named, facts: first })
  if (context === undefined || number === undefined) return inOrder(calls)
  for (const snapshot of snapshots) {
    const { rank, stack } = snapshot
    if (calls.has(rank)) continue
    const record = recordsOf(snapshot).find(
      (one) => one.context === context && one.number === number,
    )
    const counted = snapshot.communicators?.find((one) => one.collectiveContext === context)
    if (record !== undefined) {
      // Records name no algorithm; who was not refused named that of the first.
      const facts = { ...factsOf(record), algorithm: first.algorithm }
      calls.set(rank, { rank, facts, site: record.site ?? stack })
    } else if (counted !== undefined && counted.collectives > number) {
      calls.set(rank, { rank, facts: first, passed: true })
    }
  }
  return inOrder(calls)
}

/** Where each rank has heard all others, all were refused, and what one of them heard another has called. */
function nobodyFirst(calls: KnownCall[], first: CollectiveFacts): KnownCall[] {
  const texts = new Set(calls.map(({ facts }) => textOf(facts)))
  const heardEach = calls.every((call) => call.refused) && texts.size > 1
  if (!heardEach || !texts.has(textOf(first))) return calls
  return calls.map((call) => ({ ...call, refused: false }))
}

function inOrder(calls: ReadonlyMap<number, KnownCall>): KnownCall[] {
  return [...calls.values()].sort((a, b) => a.rank - b.rank)
}

/** Collectives that a rank is in: blocked, waited for, or begun. */
function recordsOf({ operation, waits, openRequests }: RankSnapshot): OperationRecord[] {
  const waited = waits.arcs.map((arc) => arc.operation)
  return [...(operation === undefined ? [] : [operation]), ...waited, ...openRequests]
}

function factsOf({ name, called, root, reduction, kind, count }: OperationRecord): CollectiveFacts {
  return { operation: called ?? name, root, reduction, kind, count }
}

/** Two calls agree when their keys are alike. */
function keyOf({ facts, refused = false }: KnownCall): string {
  return `${textOf(facts)} ${refused}`
}

function textOf(facts: CollectiveFacts): string {
  const { operation, root, reduction, kind, count, algorithm, others } = facts
  return JSON.stringify([operation, root, reduction, kind, count, algorithm, others])
}

/** What most ranks called; of calls that are equally frequent that of the lowest rank. */
function usualKey(calls: readonly KnownCall[]): string {
  const counts = new Map<string, number>()
  for (const call of calls) counts.set(keyOf(call), (counts.get(keyOf(call)) ?? 0) + 1)
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most))[0]
}

/** Calls that are alike, made at one place, become one line. */
function together(calls: readonly KnownCall[]): KnownCall[][] {
  const rows = new Map<string, KnownCall[]>()
  for (const call of calls) {
    const key = `${keyOf(call)} ${call.site} ${call.passed}`
    const alike = rows.get(key)
    if (alike === undefined) rows.set(key, [call])
    else alike.push(call)
  }
  return [...rows.values()]
}

interface Row {
  readonly calls: readonly KnownCall[]
  readonly differs: boolean
}

/** Columns in which nobody says anything are left out. */
function comparisonOf(table: readonly Row[]): Comparison {
  const all: readonly { title: string; of: (facts: CollectiveFacts) => string | undefined }[] = [
    { title: 'call', of: callOf },
    { title: 'root', of: ({ root }) => root?.toString() },
    { title: 'type', of: ({ kind }) => kind },
    { title: 'count', of: ({ count }) => count?.toString() },
    { title: 'algorithm', of: ({ algorithm }) => algorithm },
  ]
  const shown = all.filter(({ of }) => table.some(({ calls: [call] }) => of(call!.facts)))
  const rows = table.map(({ calls, differs }): ComparisonRow => {
    const [call] = calls as [KnownCall]
    const ranks = calls.map(({ rank }) => rank).filter((rank) => rank !== NOBODY_KNOWN)
    const cells = shown.map(({ of }) => of(call.facts) ?? '-')
    const row: ComparisonRow = { ranks, cells, differs }
    if (call.site !== undefined) row.site = call.site
    else row.says = call.passed ? 'has gone on' : ranks.length === 0 ? 'came first' : '-'
    return row
  })
  return { columns: shown.map(({ title }) => title), rows }
}

/** `reduce(SUM)`, `createCart(dims [2, 3])`. */
function callOf({ operation, reduction, others }: CollectiveFacts): string {
  const inside = [reduction, others].filter((part) => part !== undefined).join(', ')
  return inside === '' ? operation : `${operation}(${inside})`
}

/** What to change: the call, or the only argument of it that differs. */
function suggestionOn(calls: readonly CollectiveFacts[]): string {
  const differs = (name: keyof CollectiveFacts): boolean =>
    new Set(calls.map((facts) => facts[name])).size > 1
  if (differs('operation')) return suggestionOnForms(calls.map(({ operation }) => operation))
  const [only, ...more] = (['root', 'reduction', 'kind', 'count', 'algorithm'] as const).filter(
    differs,
  )
  if (only === undefined || more.length > 0) return SAME_ARGUMENTS
  if (only === 'count') {
    const counts = [...new Set(calls.map(({ count }) => count))].filter((one) => one !== undefined)
    const most = Math.max(...counts)
    return `give as many elements on every rank: some give ${plural(most, 'element')}, others fewer`
  }
  return SUGGESTIONS[only]
}

const SAME_CALL = 'let every rank of the communicator make the same calls in the same order'
const SAME_ARGUMENTS = 'let every rank of the communicator give the same arguments'

const SUGGESTIONS = {
  root: 'name the same root on every rank; where it is left out it is rank 0',
  reduction: 'reduce by the same operation on every rank',
  kind: 'use arrays of the same kind on every rank',
  algorithm: 'name the same algorithm on every rank, or none',
} as const

/** `bcast` and `ibcast` do not match, nor does `bcastInto` match `bcast`. */
function suggestionOnForms(operations: readonly string[]): string {
  const plain = (name: string): string => name.replace(/^i(?!nit)/, '').replace(/Init$/, '')
  if (new Set(operations.map(plain)).size === 1) {
    return 'use one form on every rank: blocking, non-blocking and persistent calls do not match'
  }
  const bare = (name: string): string => plain(name).replace(/(Block)?v?Into$/, '')
  if (new Set(operations.map(bare)).size === 1) {
    return 'use one form on every rank: calls on values, on memory and v-forms do not match'
  }
  return SAME_CALL
}
