import type { FabricModel } from '@commworld/transport/simulated'
import { DeadlockError } from '../../errors/index.js'
import { SimulationError } from '../../simulate/simulation-error.js'
import type { Action, Trace } from '../../simulate/trace/action.js'
import { checkMatches } from '../../simulate/trace/unmatched.js'
import type { RunResult } from '../../simulate/virtual/run-result.js'
import { MEMORY_BYTES_MAX } from '../job/limits.js'
import { simulate } from '../simulate.js'
import { TracePlayer } from './trace-player.js'

export interface TraceOptions {
  readonly model: FabricModel
  /** What a host computes in a second. */
  readonly flopsPerSecond: number
  readonly digest?: boolean
  /** Called now and then with the actions that have begun, how many there are, and the virtual time. */
  readonly onProgress?: (begun: number, all: number, nowPs: number) => void
}

const STUCK_TOLD = 8

/**
 * Replays a time-independent trace on a fabric: messages by the library, collectives by its algorithms, without
 * moving any data.
 *
 * @throws ImportError where a message finds no match
 * @throws SimulationError when ranks do not fit, or wait in vain: with the lines
 */
export async function replayTrace(trace: Trace, options: TraceOptions): Promise<RunResult> {
  const { model, flopsPerSecond, digest = false, onProgress } = options
  checkMatches(trace)
  const { ranks } = trace
  const longest = longestMessages(trace)
  const players: TracePlayer[] = []
  const all = ranks.reduce((sum, actions) => sum + actions.length, 0)
  const begun = (): number => players.reduce((sum, player) => sum + player.begun, 0)
  try {
    return await simulate(
      ranks.length,
      (mpi) => {
        const { rank } = mpi.world
        const player = new TracePlayer(mpi, { flopsPerSecond, longest: longest[rank]! })
        players[rank] = player
        return player.play(ranks[rank]!)
      },
      {
        model,
        digest,
        timingOnly: true,
        memoryBytes: MEMORY_BYTES_MAX,
        ...(onProgress && { onProgress: (nowPs) => onProgress(begun(), all, nowPs) }),
      },
    )
  } catch (error) {
    if (error instanceof DeadlockError) throw stuck(trace, players)
    throw error
  }
}

/** Of what is sent to each rank: a receive may say less than comes. */
function longestMessages({ ranks }: Trace): number[] {
  const longest = new Array<number>(ranks.length).fill(0)
  for (const actions of ranks) {
    for (const action of actions) {
      if (action.does !== 'send') continue
      longest[action.peer] = Math.max(longest[action.peer]!, action.bytes)
    }
  }
  return longest
}

function stuck({ name }: Trace, players: readonly TracePlayer[]): SimulationError {
  const waiting = players.flatMap(({ current }) => current ?? [])
  const told = waiting.slice(0, STUCK_TOLD).map(placed)
  const more = waiting.length > STUCK_TOLD ? [`and ${waiting.length - STUCK_TOLD} more`] : []
  return new SimulationError(
    [`${name}: the trace does not end, these wait in vain`, ...told, ...more].join('\n'),
  )
}

function placed({ file, line, text }: Action): string {
  return `${file}:${line}: ${text}`
}
