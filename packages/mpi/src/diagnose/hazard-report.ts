import type { OperationRecord } from '../record/operation.js'
import type { RankWait } from '../record/rank-snapshot.js'
import { TraceKind, type RankTrace } from '../record/trace.js'
import { agree, describeCall, ranksOf } from './describe.js'
import { replay, type Frontier, type Replay } from './replay.js'
import type { Evidence, Remark, Report } from './report.js'
import { smallestCore } from './smallest-core.js'
import { callSiteOfTrace, entryAt, type Entry } from './trace-entry.js'
import { findDeadlock } from './wait-graph.js'

/**
 * - BF01: the run ended only because sends are buffered.
 * - BF02: it ended only because a collective did not wait for all of its members.
 *
 * A `hazard` when the run chose nothing before that point; else a `note`, for the choices that were
 * made only.
 */
export interface HazardReport extends Report {
  code: 'BF01' | 'BF02'
  /** The ranks that would never continue. */
  deadlocked: readonly number[]
  cycle: readonly number[]
}

export interface HazardOptions {
  /** The name of the communicator of a context; default 'world'. */
  communicator?: (context: number) => string
  /** How the program was started, without `mpiexec`: `-n 4 halo.ts`. */
  command?: string
}

/**
 * What the traces of a successful run say about runs in which no send is buffered; undefined when
 * those end as well, or when the traces stop too early to tell.
 */
export function hazardReport(
  traces: readonly RankTrace[],
  options: HazardOptions = {},
): HazardReport | undefined {
  const buffering = replay(traces)
  const found = hazardOf('BF01', buffering, traces, options)
  if (found || !buffering.loose) return found
  return hazardOf('BF02', replay(traces, { synchronising: true }), traces, options)
}

function hazardOf(
  code: HazardReport['code'],
  { frontier, chose }: Replay,
  traces: readonly RankTrace[],
  options: HazardOptions,
): HazardReport | undefined {
  const reader = new FrontierReader(frontier, traces, options)
  const waits = frontier.map((one) => reader.wait(one))
  const deadlocked = findDeadlock(waits)
  const core = smallestCore(deadlocked, waits)
  if (core === undefined) return undefined
  const report: HazardReport = {
    code,
    severity: chose ? 'note' : 'hazard',
    verdict: VERDICT[code],
    evidence: core.ranks.map((rank) => reader.evidence(rank)),
    remarks: remarksOn(core.ranks, chose),
    suggestion: SUGGESTION[code],
    deadlocked,
    cycle: core.ranks,
  }
  if (code === 'BF01') {
    report.proof = `mpiexec --eager-limit 0 ${options.command ?? '-n RANKS PROGRAM'}`
  }
  return report
}

const VERDICT = {
  BF01: 'this run finished only because small sends are buffered',
  BF02: 'this run finished only because a collective did not wait for all of its members',
} as const

const SUGGESTION = {
  BF01: 'use sendrecv, or post the receives first (irecv)',
  BF02: 'call the collective and the messages around it in the same order on every rank',
} as const

function remarksOn(cycle: readonly number[], chose: boolean): Remark[] {
  const itself = agree(cycle, 'waits for itself', 'wait for each other')
  const remarks = [{ label: 'why', text: `without buffers ${ranksOf(cycle)} ${itself} here.` }]
  if (!chose) return remarks
  const text = 'the run took messages from any source; this holds for the order it saw.'
  return [...remarks, { label: 'note', text }]
}

/** The stuck frontier in the terms of the wait-for graph and of reports. */
class FrontierReader {
  readonly #frontier = new Map<number, Frontier>()
  readonly #traces = new Map<number, RankTrace>()
  readonly #options: HazardOptions

  constructor(frontier: readonly Frontier[], traces: readonly RankTrace[], options: HazardOptions) {
    for (const one of frontier) this.#frontier.set(one.rank, one)
    for (const trace of traces) this.#traces.set(trace.rank, trace)
    this.#options = options
  }

  wait({ rank, ending, peers, post }: Frontier): RankWait {
    if (ending !== 'stuck') {
      return { rank, state: ending === 'unknown' ? 'running' : 'finished', mode: 'and', arcs: [] }
    }
    const operation = this.#operation(rank, post)
    return { rank, state: 'blocked', mode: 'and', arcs: peers.map((peer) => ({ peer, operation })) }
  }

  evidence(rank: number): Evidence {
    const { cursor, post, peers } = this.#frontier.get(rank) as Frontier
    const here = this.#entry(rank, cursor)
    const operation = this.#operation(rank, post)
    const waited = here.kind === TraceKind.wait
    const call = describeCall(operation)
    const evidence: Evidence = {
      ranks: [rank],
      call: waited ? `${here.name} on ${call}` : call,
      says: this.#says(rank, operation, peers),
    }
    const site = callSiteOfTrace(this.#traces.get(rank), cursor)
    if (site !== undefined) evidence.site = site
    return evidence
  }

  #says(rank: number, operation: OperationRecord, peers: readonly number[]): string {
    const { post, counterpart } = this.#frontier.get(rank) as Frontier
    const [peer] = peers
    if (this.#entry(rank, post).kind === TraceKind.collective || peer === undefined) {
      return `waits for ${ranksOf(peers)} to call ${operation.name}`
    }
    const sends = this.#entry(rank, post).kind === TraceKind.send
    const theirs = this.#entry(peer, counterpart)
    const site = callSiteOfTrace(this.#traces.get(peer), counterpart)
    const place = site === undefined ? theirs.name : `${theirs.name} at ${site}`
    return `waits for rank ${peer} to ${sends ? 'receive' : 'send'}, later, in ${place}`
  }

  #operation(rank: number, index: number): OperationRecord {
    const entry = this.#entry(rank, index)
    const collective = entry.kind === TraceKind.collective
    const context = collective ? entry.b : entry.c
    const communicator = this.#options.communicator?.(context) ?? 'world'
    const record: OperationRecord = { name: entry.name, communicator, context, sequence: index }
    // The trace counts ranks of the world, which are the program's numbers in `world` only.
    if (entry.a >= 0 && communicator === 'world') {
      if (collective) record.root = entry.a
      else record.peer = entry.a
    }
    if (!collective && entry.d >= 0) record.tag = entry.d
    return record
  }

  #entry(rank: number, index: number): Entry {
    return entryAt(this.#traces.get(rank) as RankTrace, index)
  }
}
