import { PATH_PARTS, type PathPart } from '../rank-times.js'
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
const SPANS_MAX = 20_000
/** Ranks whose computing and shares are drawn. */
const RANKS_MAX = 256

/** All that the page of a run draws. Times in microseconds. */
export interface ReportData {
  readonly title: string
  readonly text: string
  /** Parts of the critical path and their shares. */
  readonly path: readonly (readonly [PathPart, number])[]
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
  /** Rank; computing, overhead, waiting, contention. */
  readonly shares: readonly (readonly [number, number, number, number, number])[]
}

export function reportData(result: RunResult, title: string): ReportData {
  const { ranks, timePs, criticalPath } = result
  const notes: string[] = [...result.notes]
  // Of a large world every so many ranks, all through the run.
  const stride = Math.ceil(ranks / RANKS_MAX)
  const few = stride > 1 ? `of every ${ordinal(stride)} rank` : 'of all ranks'
  if (stride > 1) notes.push(`computing and shares ${few} are drawn`)
  const messages = messagesOf(result, notes)
  const spans = spansOf(result, stride, notes)
  const shares = Array.from({ length: Math.ceil(ranks / stride) }, (_, place) => {
    const rank = place * stride
    const { computingPs, overheadPs, waitingPs, contentionPs } = result.sharesOf(rank)
    const parts = [computingPs, overheadPs, waitingPs, contentionPs].map(micro)
    return [rank, ...(parts as [number, number, number, number])] as const
  })
  const drawn = topologyOf(result, notes)
  const whole = PATH_PARTS.reduce((sum, part) => sum + criticalPath[part], 0)
  const path = PATH_PARTS.map((part) => [part, whole > 0 ? criticalPath[part] / whole : 0] as const)
  const facts = { title, text: runText(result), end: micro(timePs), ranks, path, notes }
  return { ...facts, ...drawn, steps: STEPS, messages, spans, shares }
}

function micro(ps: number): number {
  return Math.round(ps / 100) / 1e4
}

function ordinal(number: number): string {
  const end =
    number % 100 > 10 && number % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${end}`
}

/** The critical path, and as many others as make a picture, one in so many all through the run. */
function messagesOf(result: RunResult, notes: string[]): ReportData['messages'] {
  const { record = new RunRecord(), criticalMessages = [] } = result
  const key = (from: number, to: number, at: number): string => `${from} ${to} ${at}`
  const critical = new Set(
    criticalMessages.map(({ from, to, arrivedAtPs }) => key(from, to, arrivedAtPs)),
  )
  const stride = Math.ceil(record.messages / MESSAGES_MAX)
  if (stride > 1) notes.push(`one message in ${stride} is drawn, and the whole critical path`)
  const messages: ReportData['messages'][number][] = []
  for (let i = 0; i < record.messages; i++) {
    const [from, to] = [record.from[i]!, record.to[i]!]
    const isCritical = critical.has(key(from, to, record.arrivedAt[i]!))
    if (!isCritical && i % stride !== 0) continue
    const times = [micro(record.sentAt[i]!), micro(record.arrivedAt[i]!)] as const
    messages.push([from, to, ...times, record.bytes[i]!, isCritical ? 1 : 0])
  }
  return messages
}

function spansOf({ record }: RunResult, stride: number, notes: string[]): ReportData['spans'] {
  const spans: ReportData['spans'][number][] = []
  if (record === undefined) return spans
  let left = 0
  for (let i = 0; i < record.spans; i++) {
    const rank = record.spanRank[i]!
    if (rank % stride !== 0) continue
    if (spans.length < SPANS_MAX) {
      spans.push([rank, micro(record.spanFrom[i]!), micro(record.spanTo[i]!)])
    } else {
      left++
    }
  }
  const from = spans.at(-1)?.[1] ?? 0
  if (left > 0) notes.push(`computing after ${from} us is not drawn: ${left} stretches of it`)
  return spans
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
