import type { Mpi, NamedAlgorithms, Program } from '@commworld/mpi'
import {
  checkLocal,
  runGuarded,
  type LocalRun,
  type MessageWays,
  type RankTrace,
} from '@commworld/mpi/inspect'
import {
  misfitOf,
  type NetworkFault,
  type RecordedDeviation,
  type StruckFault,
} from '@commworld/transport'
import { FIRST_COME, sourceOf, type Schedule } from '../choices/schedule.js'

/** How a world for tests is run. */
export interface WorldSettings {
  /** Default first come. */
  readonly schedule?: Schedule
  /**
   * After so long a run fails that waits for something outside of its world, and a rank is stopped that
   * has not awaited anything. Default 10 s.
   */
  readonly timeoutMs?: number
  /** Memory of the world; default 64 MiB. */
  readonly memoryBytes?: number
  /** Largest message that is buffered; 0 makes every send wait for its receiver. */
  readonly eagerLimitBytes?: number
  /** Algorithms of collectives by name. */
  readonly algorithms?: NamedAlgorithms
  /**
   * What may go wrong below the library; the schedule decides whether and when it does. Messages go
   * in packets then. Default nothing, and messages arrive at once.
   */
  readonly faults?: readonly NetworkFault[]
  /**
   * Virtual seconds after the last fault in which the run must end; a step of a rank takes 10 us.
   * Default 2.
   */
  readonly livenessSeconds?: number
  /** Whether what was not given back at the end fails the run; default true. */
  readonly monitors?: boolean
}

/** A run that has ended, whether well or not. */
export interface WorldRun<R> {
  readonly ranks: number
  /** What `main` returned, by rank; empty unless the run ended well. */
  readonly values: readonly R[]
  /** What went wrong, if anything did: what `local` would be rejected with. */
  readonly failure: { readonly error: unknown; readonly rank: number | undefined } | undefined
  /** Choices that were not first come, and their replay string. */
  readonly deviations: readonly RecordedDeviation[]
  readonly replay: string
  /** Choices among several. */
  readonly choicesMade: number
  /** What went wrong below the library, in order. */
  readonly faults: readonly StruckFault[]
  /** How messages went. */
  readonly ways: MessageWays
  /** What the ranks did; made when asked for. */
  readonly traces: () => RankTrace[]
}

const TIMEOUT_MS = 10_000
const MEMORY_BYTES = 64 * 2 ** 20
/** A test's world waits for nothing but itself, so that silence tells soon. */
const QUIET_MS = 20

/** A rank ended well, and still something was not given back: a fault of the library. */
export class MonitorError extends Error {
  override readonly name = 'MonitorError'
  readonly findings: readonly string[]

  constructor(findings: readonly string[]) {
    super(`the world ended, but not as it began: ${findings.join('; ')}`)
    this.findings = findings
  }
}

/**
 * Runs a program once on coroutines, as `local` does, and tells all about it instead of throwing.
 *
 * @example
 * const run = await runWorld(3, ({ world }) => world.iallreduce(world.rank, SUM))
 * run.failure // undefined
 * run.values // [ 3, 3, 3 ]
 */
export async function runWorld<R>(
  ranks: number,
  main: Program<R>,
  settings: WorldSettings = {},
): Promise<WorldRun<Awaited<R>>> {
  const { schedule = FIRST_COME, timeoutMs = TIMEOUT_MS, monitors = true } = settings
  const { memoryBytes = MEMORY_BYTES, eagerLimitBytes, algorithms, faults } = settings
  const shared = {
    memoryBytes,
    ...(algorithms && { algorithms }),
    ...(faults?.length && { faults }),
  }
  checkLocal(ranks, main, shared)
  const run = await runGuarded(
    ranks,
    main as (mpi: Mpi) => unknown,
    { ...shared, ...(eagerLimitBytes !== undefined && { eagerLimitBytes }) },
    {
      source: sourceOf(schedule),
      quietMs: QUIET_MS,
      timeoutMs,
      endlessMs: timeoutMs,
      leaks: monitors,
      livenessSeconds: settings.livenessSeconds,
    },
  )
  const { values, deviations, replay, choicesMade, traces } = run
  const failure = failureOf(run)
  return {
    ranks,
    values: failure === undefined ? (values as Awaited<R>[]) : [],
    failure,
    deviations,
    replay,
    choicesMade,
    faults: run.faults,
    ways: run.ways,
    traces,
  }
}

function failureOf(run: LocalRun): WorldRun<unknown>['failure'] {
  if (run.failure !== undefined) return { error: run.failure.thrown, rank: run.failure.rank }
  if (run.leaks.length > 0) return { error: new MonitorError(run.leaks), rank: undefined }
  return undefined
}

/**
 * Replays a run from its replay string.
 *
 * @throws {ScriptError} the string does not fit the program
 * @throws {ChoicesSyntaxError} it is none
 * @example
 * const { values } = await replayWorld(3, main, '0=1')
 */
export async function replayWorld<R>(
  ranks: number,
  main: Program<R>,
  choices: string,
  settings: Omit<WorldSettings, 'schedule'> = {},
): Promise<WorldRun<Awaited<R>>> {
  const schedule: Schedule = choices === '' ? FIRST_COME : { kind: 'script', choices }
  const run = await runWorld(ranks, main, { ...settings, schedule })
  const misfit = misfitOf(choices, run)
  if (misfit !== undefined) throw misfit
  return run
}
