import type { ResultFacts } from '../simulate-collective.js'
import type { RunRecord } from './run-record.js'
import type { VirtualWorld } from './virtual-world.js'

/** What a run in virtual time took, and where the time went. Times in picoseconds. */
export interface RunResult extends ResultFacts {
  readonly hostOf: Int32Array
  /** Whose list of messages that came before their receives was the longest. */
  readonly unexpectedRank: number
  /** Most messages that had come to a rank while it was busy. */
  readonly waitingMax: number
  readonly record: RunRecord | undefined
  /** What else is to be known of the run. */
  readonly notes: readonly string[]
}

/** Effects that the layer of the network does not know of. */
const PROGRAM_IGNORES = 'computing that the program does not announce with compute(seconds)'
/** Said of a run that moves no data. */
const TIMING_ONLY = 'the content of typed arrays, which this run for times alone has not moved'
const LINKS_TOLD = 16

/** What a result is made of. */
export interface EndedRun extends Pick<VirtualWorld, 'kernel' | 'ends'> {
  readonly timingOnly?: boolean
  readonly computeScale?: number | undefined
  readonly endpoints: readonly { readonly unexpectedMax: number }[]
}

export function resultOf(run: EndedRun): RunResult {
  const { kernel, ends, endpoints, timingOnly, computeScale } = run
  const { network, counts, queue, model, hostOf, record, log, waitingMax } = kernel
  const { finishPs, computingPs, overheadPs, contentionPs, slowest } = ends
  const ignored = [
    ...(computeScale === undefined ? [PROGRAM_IGNORES] : []),
    ...(timingOnly ? [TIMING_ONLY] : []),
  ]
  const notes =
    computeScale === undefined
      ? []
      : [`computing: measured time x ${computeScale}, not reproducible`]
  const timePs = finishPs[slowest]!
  const classes = counts.classes()
  const queues = endpoints.map(({ unexpectedMax }) => unexpectedMax)
  const unexpectedMax = queues.reduce((most, length) => Math.max(most, length), 0)
  return {
    model,
    card: { ...network.card, ignores: [...ignored, ...network.card.ignores] },
    ranks: finishPs.length,
    hostOf,
    timePs,
    finishPs,
    slowestRank: slowest,
    messages: counts.total,
    bytes: classes.reduce((sum, { bytes }) => sum + bytes, 0),
    events: queue.pushes,
    classes,
    criticalPath: ends.chain!,
    criticalMessages: ends.path,
    busiest: network.busiest(LINKS_TOLD, timePs),
    unexpectedMax,
    unexpectedRank: queues.indexOf(unexpectedMax),
    waitingMax,
    digest: log?.digest,
    record,
    notes,
    sharesOf(rank) {
      const [finish, computing, overhead, contention] = [
        finishPs[rank]!,
        computingPs[rank]!,
        overheadPs[rank]!,
        contentionPs[rank]!,
      ]
      return {
        finishPs: finish,
        computingPs: computing,
        overheadPs: overhead,
        waitingPs: Math.max(0, finish - computing - overhead - contention),
        contentionPs: contention,
      }
    },
  }
}
