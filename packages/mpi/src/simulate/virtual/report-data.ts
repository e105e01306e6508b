import { linkLoads } from './link-loads.js'
import { nodePlaces } from './node-places.js'
import { RunRecord } from './run-record.js'
import type { RunResult } from './run-result.js'
import { runText } from './run-text.js'

/** Steps of the run in which loads are shown. */
const STEPS = 60
/** More nodes than this are not drawn, and more messages and spans make no picture. */
const NODES_MAX = 1200
const MESSAGES_MAX = 5000
const SPANS_MAX = 5000
const RANKS_MAX = 256

/** All that the page of a run draws. Times in microseconds. */
export interface ReportData {
  readonly title: string
  readonly text: string
  readonly end: number
  readonly ranks: number
  readonly notes: readonly string[]
  /** Name, x, y, whether it is a host. */
  readonly nodes: readonly (readonly [string, number, number, boolean])[]
  /** Ends, and the busier direction's share of the link's rate in each step. */
  readonly cables: readonly {
    readonly ends: readonly [number, number]
    readonly shares: readonly number[]
  }[]
  readonly steps: number
  /** From, to, sent, arrived, bytes, whether on the critical path. */
  readonly messages: readonly (readonly [number, number, number, number, number, number])[]
  /** Rank, from, to. */
  readonly spans: readonly (readonly [number, number, number])[]
  /** Of each rank: computing, overhead, waiting, contention. */
  readonly shares: readonly (readonly [number, number, number, number])[]
}

export function reportData(result: RunResult, title: string): ReportData {
  const { record = new RunRecord(), ranks, timePs, criticalMessages = [] } = result
  const notes: string[] = []
  const micro = (ps: number): number => Math.round(ps / 100) / 1e4
  const shown = Math.min(ranks, RANKS_MAX)
  if (shown < ranks) notes.push(`the first ${shown} of ${ranks} ranks are drawn`)
  const key = (from: number, to: number, at: number): string => `${from} ${to} ${at}`
  const critical = new Set(
    criticalMessages.map(({ from, to, arrivedAtPs }) => key(from, to, arrivedAtPs)),
  )
  const messages: ReportData['messages'][number][] = []
  const spans: ReportData['spans'][number][] = []
  let left = 0
  for (let i = 0; i < record.messages; i++) {
    const [from, to] = [record.from[i]!, record.to[i]!]
    const isCritical = critical.has(key(from, to, record.arrivedAt[i]!))
    if (from >= shown || to >= shown) continue
    if (messages.length >= MESSAGES_MAX && !isCritical) {
      left++
      continue
    }
    const times = [micro(record.sentAt[i]!), micro(record.arrivedAt[i]!)] as const
    messages.push([from, to, ...times, record.bytes[i]!, isCritical ? 1 : 0])
  }
  if (left > 0) notes.push(`${left} later messages are not drawn`)
  for (let i = 0; i < Math.min(record.spans, SPANS_MAX); i++) {
    if (record.spanRank[i]! >= shown) continue
    spans.push([record.spanRank[i]!, micro(record.spanFrom[i]!), micro(record.spanTo[i]!)])
  }
  const shares = Array.from({ length: shown }, (_, rank) => {
    const { computingPs, overheadPs, waitingPs, contentionPs } = result.sharesOf(rank)
    const parts = [computingPs, overheadPs, waitingPs, contentionPs].map(micro)
    return parts as [number, number, number, number]
  })
  const drawn = topologyOf(result, notes)
  const facts = { title, text: runText(result), end: micro(timePs), ranks: shown, notes }
  return { ...facts, ...drawn, steps: STEPS, messages, spans, shares }
}

function topologyOf(result: RunResult, notes: string[]): Pick<ReportData, 'nodes' | 'cables'> {
  const { model, timePs } = result
  const { topology, adaptive } = model.routing
  if (topology.nodes > NODES_MAX) {
    notes.push(`${topology.nodes} hosts and switches are too many to be drawn`)
    return { nodes: [], cables: [] }
  }
  if (adaptive) notes.push('loads are of the ways that an idle network would choose')
  const places = nodePlaces(topology)
  const nodes = places.map(
    ({ x, y }, node) => [topology.nameOf(node), x, y, topology.isHost(node)] as const,
  )
  const { loads } = linkLoads(result, STEPS)
  const secondsOfStep = timePs / 1e12 / STEPS
  const cables: ReportData['cables'][number][] = []
  for (let link = 0; link < topology.links; link += 2) {
    const gigabits = topology.gigabits[link] || model.network.gigabits.value
    const full = ((gigabits * 1e9) / 8) * secondsOfStep
    const shares = Array.from({ length: STEPS }, (_, step) => {
      const most = Math.max(loads[link * STEPS + step]!, loads[(link + 1) * STEPS + step]!)
      return full > 0 ? Math.round((most / full) * 100) / 100 : 0
    })
    cables.push({ ends: [topology.from[link]!, topology.to[link]!], shares })
  }
  return { nodes, cables }
}
