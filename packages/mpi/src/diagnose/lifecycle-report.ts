import type { FailedRequest, FinalizeFacts, OpenRequest } from '../record/finalize-facts.js'
import type { OperationRecord } from '../record/operation.js'
import { describeCall, describePayload, plural, ranksOf, worldPeerOf } from './describe.js'
import type { Evidence, Report } from './report.js'

/** What was left over when the program ended: data of every rank in, one report for each mistake out. */

/** Things of one sort that were left over at one place of the program, on any number of ranks. */
export interface Leftover {
  operation: OperationRecord
  site?: string
  count: number
  ranks: readonly number[]
}

/** TS01, RQ01 or MS01. */
export interface LifecycleReport extends Report {
  code: 'TS01' | 'RQ01' | 'MS01'
  leftovers: readonly Leftover[]
}

interface Item {
  rank: number
  operation: OperationRecord
  /** What must agree, besides the call and its site, to be counted as one. */
  more?: string
}

/**
 * The reports on a run in which every rank returned from main(); empty when nothing was left over.
 * Sites in the facts are located ('locateFacts').
 */
export function lifecycleReports(facts: readonly FinalizeFacts[]): LifecycleReport[] {
  const reports: LifecycleReport[] = []
  const failed = facts.flatMap(({ rank, failedRequests }) =>
    failedRequests.map((request) => ({ rank, ...request, more: request.code })),
  )
  if (failed.length > 0) reports.push(failedReport(failed))
  const open = facts.flatMap(({ rank, openRequests }) =>
    openRequests.map((request) => ({ rank, ...request })),
  )
  if (open.length > 0) reports.push(openReport(open))
  const lost = facts.flatMap(({ rank, unreceived }) =>
    unreceived.map((operation) => ({ rank, operation, more: `${worldPeerOf(operation)}` })),
  )
  if (lost.length > 0) reports.push(unreceivedReport(lost))
  return reports.map((report) => withCounts(report, facts))
}

/**
 * TS01. Whether the operation happened to be complete does not matter: without a wait nobody may
 * rely on it, and the verdict must not depend on how fast the message was.
 */
function openReport(open: readonly (Item & OpenRequest)[]): LifecycleReport {
  const leftovers = grouped(open)
  const what = open.length === 1 ? 'a request was' : `${plural(open.length, 'request')} were`
  return {
    code: 'TS01',
    severity: 'error',
    verdict: `${what} never waited on, and ${ranksOf(open.map((one) => one.rank))} finished`,
    evidence: leftovers.map((one) => evidenceOf(one, 'never waited on')),
    remarks: [],
    suggestion: 'keep the request and call wait() on it, or await it',
    leftovers,
  }
}

/** RQ01: an error that nobody saw. */
function failedReport(failed: readonly (Item & FailedRequest)[]): LifecycleReport {
  const leftovers = grouped(failed)
  const what = failed.length === 1 ? 'a request' : plural(failed.length, 'request')
  const messages = new Map(failed.map((one) => [keyOf(one), `${one.code}: ${one.message}`]))
  return {
    code: 'RQ01',
    severity: 'error',
    verdict: `${what} failed, and nobody looked at the result`,
    evidence: leftovers.map((group) => evidenceOf(group, messages.get(group.key) ?? '')),
    remarks: [],
    suggestion: 'wait on every request, or await it: its error is thrown there',
    leftovers,
  }
}

/** MS01: the program sent what nobody received. */
function unreceivedReport(unreceived: readonly Item[]): LifecycleReport {
  const leftovers = grouped(unreceived)
  const total = unreceived.length
  const what = total === 1 ? 'a message was' : `${plural(total, 'message')} were`
  return {
    code: 'MS01',
    severity: 'error',
    verdict: `${what} sent to ${ranksOf(unreceived.map((one) => one.rank))} and never received`,
    evidence: leftovers.map((group) => {
      const { operation, ranks, count } = group
      const source = worldPeerOf(operation)
      const facts = [
        `tag ${operation.tag ?? 0}`,
        describePayload(operation),
        operation.communicator,
      ]
      const row: Evidence = {
        ranks,
        call: `from rank ${source ?? '?'} (${facts.filter(Boolean).join(', ')})`,
        says: count > 1 ? `${count} messages never received` : 'never received',
      }
      return group.site === undefined ? row : { ...row, site: group.site }
    }),
    remarks: [],
    suggestion: 'receive every message that is sent, or do not send it',
    leftovers,
  }
}

type Group = Leftover & { key: string; ranks: number[] }

function grouped(items: readonly Item[]): Group[] {
  const groups = new Map<string, Group>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) {
      group.count++
      if (!group.ranks.includes(item.rank)) group.ranks.push(item.rank)
    } else {
      const { operation, rank } = item
      const fresh: Group = { key, operation, count: 1, ranks: [rank] }
      groups.set(key, operation.site === undefined ? fresh : { ...fresh, site: operation.site })
    }
  }
  return [...groups.values()]
}

/** One place in the program is one mistake, whoever the peer was; without a place the call decides. */
function keyOf({ operation, more = '' }: Item): string {
  const { name, site } = operation
  return [more, name, site ?? describeCall(operation)].join('|')
}

function evidenceOf({ operation, ranks, count, site }: Leftover, says: string): Evidence {
  const each = count > 1 ? `${plural(count, 'request')}: ${says}` : says
  const row: Evidence = { ranks, call: describeCall(operation), says: each }
  return site === undefined ? row : { ...row, site }
}

/** Lists that were cut short say how long they were. */
function withCounts(report: LifecycleReport, facts: readonly FinalizeFacts[]): LifecycleReport {
  const list = { TS01: 'openRequests', RQ01: 'failedRequests', MS01: 'unreceived' } as const
  const name = list[report.code]
  const cut = facts.filter((one) => (one.counts?.[name] ?? 0) > one[name].length)
  if (cut.length === 0) return report
  const total = facts.reduce((sum, one) => sum + (one.counts?.[name] ?? one[name].length), 0)
  const text = `${total} in all; only the first of each rank are listed.`
  return { ...report, remarks: [...report.remarks, { label: 'count', text }] }
}
