import {
  EventLog,
  type FabricModel,
  formatDuration,
  type LayerCard,
  type LinkUse,
} from '@commworld/transport/simulated'
import type { Algorithm } from '../coll/plan/algorithm.js'
import { collectives, type CollectiveName } from '../coll/plan/collective.js'
import { blocksFor, select, type Question } from '../coll/select/select.js'
import { DataShape } from './data-shape.js'
import { inNetwork, inNetworkTime } from './in-network.js'
import type { MessageClass } from './message-classes.js'
import type { PathStep } from './path-log.js'
import { placeRanks } from './rank-places.js'
import { type PathPart } from './rank-times.js'
import { RoundExecution } from './round-execution.js'
import { SimulationError } from './simulation-error.js'

/** What to simulate. */
export interface CollectiveRequest {
  readonly collective: CollectiveName
  readonly ranks: number
  /** Of the vector; of a block for gather, scatter, allgather and alltoall; default 8. */
  readonly bytes?: number
  /** `name` or `name:radix`, or an algorithm of one's own; what the rules choose when left out. */
  readonly algorithm?: string | Algorithm
  /** Blocks that a vector is cut into; what the algorithm says when left out. */
  readonly segments?: number
  readonly root?: number
  readonly commutative?: boolean
  readonly model: FabricModel
  /** Hash the event log. */
  readonly digest?: boolean
  /** Keep the messages of the critical path; default true. */
  readonly path?: boolean
  /** Called now and then with the share of rounds that were begun, and the virtual time. */
  readonly onProgress?: (share: number, timePs: number) => void
}

/** Where the time of a rank went. Adds up to its finish. */
export interface RankShares {
  readonly finishPs: number
  readonly computingPs: number
  readonly overheadPs: number
  /** Waiting for what others had not done yet, and for the wire. */
  readonly waitingPs: number
  /** Waiting because interfaces or links were shared. */
  readonly contentionPs: number
}

/** What is told of any run in virtual time. */
export type ResultFacts = Omit<CollectiveResult, 'algorithm' | 'radix' | 'segments'>

export interface CollectiveResult {
  readonly algorithm: Algorithm
  readonly radix: number
  readonly ranks: number
  readonly segments: number
  readonly model: FabricModel
  readonly card: LayerCard
  /** When the last rank was done. */
  readonly timePs: number
  readonly finishPs: Float64Array
  readonly slowestRank: number
  readonly messages: number
  readonly bytes: number
  readonly events: number
  readonly classes: readonly MessageClass[]
  /** Of the longest chain of causes: parts add up to `timePs`. */
  readonly criticalPath: Readonly<Record<PathPart, number>>
  /** Its messages, where they were kept. */
  readonly criticalMessages: readonly PathStep[] | undefined
  readonly busiest: readonly LinkUse[]
  readonly unexpectedMax: number
  /** Of the event log, where it was asked for. */
  readonly digest: string | undefined
  sharesOf(rank: number): RankShares
}

/**
 * Runs a collective of the library on a simulated fabric, straight from its round functions: no data,
 * no program, a few hundred bytes a rank.
 *
 * @throws AlgorithmError when the algorithm is not there, or cannot be used
 * @throws SimulationError when ranks do not fit on the hosts
 * @example
 * const model = fabricModel({ routing: routingNamed(kAryNTree({ k: 8, n: 3 }), 'd-mod-k'), network: hdr })
 * const { timePs } = simulateCollective({ collective: 'allreduce', ranks: 512, model })
 */
export function simulateCollective(request: CollectiveRequest): CollectiveResult {
  const { collective, ranks, model, bytes = 8, root = 0 } = request
  if (!Number.isInteger(ranks) || ranks < 1) {
    throw new SimulationError(`a world has at least 1 rank, not ${ranks}`)
  }
  const hostOf = placeRanks(model, ranks)
  if (collective === 'allreduce' && request.algorithm === inNetwork.name) {
    return inNetworkResult(model, hostOf, bytes)
  }
  const sharedMemory = hostOf[0] === hostOf[ranks - 1] && model.ranksPerHost >= ranks
  const question: Question = {
    collective,
    size: ranks,
    values: false,
    bytes,
    commutative: request.commutative ?? true,
    sharedMemory,
    knownBlocks: true,
    equalBlocks: true,
  }
  const choice = select(question, request.algorithm, {})
  const { algorithm, radix } = choice
  const itemBytes = bytes % 8 === 0 ? 8 : 1
  const size = dataSize(collective, bytes, ranks, itemBytes)
  const slots = algorithm.needs.sharedMemory === true && size.bytes <= SLOT_BYTES
  const vector = { bytes: size.bytes, items: Math.ceil(size.bytes / itemBytes) }
  const blocks = request.segments ?? blocksFor(choice, question, slots, vector)
  checkSegments(request, algorithm)
  const env = { size: ranks, root, blocks, radix, slots }
  const log = request.digest ? new EventLog() : undefined
  const shape = new DataShape(algorithm, { ...env, rank: 0 }, size)
  const path = request.path ?? true
  const { onProgress } = request
  const run = { algorithm, env, shape, model, hostOf, log, path, onProgress }
  const execution = new RoundExecution(run)
  execution.run()
  return resultOf(execution, { algorithm, radix, ranks, segments: blocks, model, log })
}

/** What a rank publishes at once in worlds of few ranks (device/settings.ts). */
const SLOT_BYTES = 4096

function dataSize(
  collective: CollectiveName,
  bytes: number,
  ranks: number,
  itemBytes: number,
): { bytes: number; itemBytes: number } {
  // The vector of a reduce-scatter is a block for each rank.
  const each = collective === 'reduceScatter'
  return { bytes: each ? Math.ceil(bytes / ranks / itemBytes) * itemBytes : bytes, itemBytes }
}

function checkSegments({ segments, collective }: CollectiveRequest, algorithm: Algorithm): void {
  if (segments === undefined) return
  const { input, output } = collectives[collective]
  if (input !== 'vector' && output !== 'vector') {
    throw new SimulationError(`${collective} has a block for each rank, and no segments`)
  }
  if (algorithm.cut === undefined) {
    throw new SimulationError(`${algorithm.name} of ${collective} does not cut its vector`)
  }
  if (!Number.isInteger(segments) || segments < 1) {
    throw new SimulationError(`segments are a whole number from 1, not ${segments}`)
  }
}

/** No messages of ranks: a closed form, the same on all of them. */
function inNetworkResult(model: FabricModel, hostOf: Int32Array, bytes: number): CollectiveResult {
  const ranks = hostOf.length
  const hosts = hostOf.reduce((most, host) => Math.max(most, host), 0) + 1
  const { timePs, parts } = inNetworkTime(model, hosts, bytes)
  return {
    algorithm: inNetwork,
    radix: 0,
    ranks,
    segments: 1,
    model,
    card: IN_NETWORK_CARD,
    timePs,
    finishPs: new Float64Array(ranks).fill(timePs),
    slowestRank: 0,
    messages: 0,
    bytes: 0,
    events: 0,
    classes: [],
    criticalPath: parts,
    criticalMessages: undefined,
    busiest: [],
    unexpectedMax: 0,
    digest: undefined,
    sharesOf: () => ({
      finishPs: timePs,
      computingPs: parts.computing,
      overheadPs: parts.overhead,
      waitingPs: parts.latency + parts.transfer,
      contentionPs: 0,
    }),
  }
}

const IN_NETWORK_CARD: LayerCard = {
  layer: 1,
  title: 'a closed form of reduction in switches',
  ignores: [
    'everything dynamic: other traffic, and ranks that come late',
    'limits on operations and groups that a switch can hold',
  ],
}

function resultOf(
  execution: RoundExecution,
  facts: Pick<CollectiveResult, 'algorithm' | 'radix' | 'ranks' | 'segments' | 'model'> & {
    readonly log: EventLog | undefined
  },
): CollectiveResult {
  const { times, network, counts } = execution
  const { log, ...rest } = facts
  const finishPs = times.clock
  const slowestRank = finishPs.reduce(
    (most, time, rank) => (time > finishPs[most]! ? rank : most),
    0,
  )
  const timePs = finishPs[slowestRank]!
  const classes = counts.classes()
  return {
    ...rest,
    card: network.card,
    timePs,
    finishPs,
    slowestRank,
    messages: counts.total,
    bytes: classes.reduce((sum, { bytes }) => sum + bytes, 0),
    events: execution.events,
    classes,
    criticalPath: times.chainOf(slowestRank),
    criticalMessages: execution.path?.pathTo(slowestRank),
    busiest: network.busiest(8, timePs),
    unexpectedMax: execution.unexpectedMax,
    digest: log?.digest,
    sharesOf(rank) {
      const computingPs = times.computingOf(rank)
      const overheadPs = times.overheadOf(rank)
      const contentionPs = times.contentionOf(rank)
      const finish = finishPs[rank]!
      const waitingPs = finish - computingPs - overheadPs - contentionPs
      return { finishPs: finish, computingPs, overheadPs, waitingPs, contentionPs }
    },
  }
}

/** `512 ranks: allreduce recursive-doubling of 8 B in 12.3 us`. */
export function headline({ algorithm, ranks, timePs }: CollectiveResult, bytes: number): string {
  const { collective, name } = algorithm
  return `${collective} ${name}, ${ranks} ranks, ${bytes} B: ${formatDuration(timePs)}`
}
