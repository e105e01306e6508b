import { EventLog, type FabricModel } from '@commworld/transport/simulated'
import { SimulationError } from '../simulation-error.js'
import { RankEnds } from '../virtual/rank-ends.js'
import { RunRecord } from '../virtual/run-record.js'
import { type RunResult, resultOf } from '../virtual/run-result.js'
import { VirtualKernel } from '../virtual/virtual-kernel.js'
import { ReplayRank } from './replay-rank.js'
import { type GoalOperation, type GoalSchedule, RECEIVE, SEND } from './schedule.js'

const STUCK_TOLD = 4
const STEPS_PER_TELL = 20_000

/**
 * Replays a schedule on a fabric. What a trace does not know stays as it was recorded: which algorithm a
 * collective took, and what a wildcard received.
 *
 * @throws SimulationError when ranks do not fit, or an operation never ends: with its line
 * @example
 * const { timePs } = replayGoal(parseGoal(text, 'run.goal'), { model })
 */
export function replayGoal(
  schedule: GoalSchedule,
  options: {
    model: FabricModel
    digest?: boolean
    record?: boolean
    /** Called now and then with the share of the operations that are done, and the virtual time. */
    onProgress?: (share: number, nowPs: number) => void
  },
): RunResult {
  const { model, digest, record, onProgress } = options
  const { length: ranks } = schedule.ranks
  const log = digest === true ? new EventLog() : undefined
  const kept = record === true ? new RunRecord() : undefined
  const kernel = new VirtualKernel({ model, ranks, log, record: kept })
  const replays = schedule.ranks.map((list, rank) => new ReplayRank(kernel, rank, list))
  for (const replay of replays) replay.start()
  for (let steps = 1; kernel.queue.size > 0; steps++) {
    kernel.step()
    if (steps % STEPS_PER_TELL === 0) onProgress?.(shareOf(replays), kernel.queue.now)
  }
  checkEnd(schedule, replays)
  const ends = new RankEnds(kernel, ranks)
  for (let rank = 0; rank < ranks; rank++) ends.ended(rank)
  return resultOf({ kernel, ends, endpoints: replays })
}

function shareOf(replays: readonly ReplayRank[]): number {
  const sum = (of: (replay: ReplayRank) => number) => replays.reduce((all, one) => all + of(one), 0)
  return (
    sum(({ ended }) => ended) /
    Math.max(
      1,
      sum(({ operations }) => operations),
    )
  )
}

function checkEnd({ name }: GoalSchedule, replays: readonly ReplayRank[]): void {
  const stuck = replays.flatMap((replay, rank) =>
    replay.stuck().map((operation) => ({ rank, operation })),
  )
  if (stuck.length === 0) return
  const told = stuck.slice(0, STUCK_TOLD).map(({ rank, operation }) => {
    return `${name}:${operation.line}: rank ${rank}: ${wordsOf(operation)}`
  })
  const more = stuck.length > STUCK_TOLD ? [`and ${stuck.length - STUCK_TOLD} more`] : []
  throw new SimulationError(
    ['the schedule does not end: these find no match', ...told, ...more].join('\n'),
  )
}

function wordsOf({ kind, peer, tag, bytes, label }: GoalOperation): string {
  if (kind === SEND) return `${label}: send ${bytes}b to ${peer} tag ${tag}`
  if (kind === RECEIVE) return `${label}: recv ${bytes}b from ${peer} tag ${tag}`
  return `${label} was never begun`
}
