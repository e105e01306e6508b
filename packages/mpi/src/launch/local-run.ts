import {
  MemoryPool,
  type ChoiceSource,
  type RecordedDeviation,
  type StruckFault,
} from '@commworld/transport'
import { createMpi, type Program } from '../api/index.js'
import {
  deadlockReport,
  formatReport,
  lifecycleReports,
  locateFacts,
  locateSnapshot,
  locateWait,
} from '../diagnose/index.js'
import { CoroutineWorld, type CoroutineOutcome } from '../engine/world/coroutine-world.js'
import { copyOut } from '../engine/world/copy-out.js'
import { holdingsOf, leaksOf } from '../engine/world/holdings.js'
import type { RankRuntime } from '../engine/world/rank-runtime.js'
import { defaultMemoryBytes, type WorldOptions } from '../engine/world/world-options.js'
import { DeadlockError, InternalError } from '../errors/index.js'
import type { RankSnapshot, RankWait } from '../record/rank-snapshot.js'
import type { RankTrace } from '../record/trace.js'
import type { VirtualWorld } from '../simulate/virtual/virtual-world.js'
import { LeftoverError, TimeoutError } from './job/launch-errors.js'
import { whenNothingIsLeft } from './nothing-left.js'
import { locate } from './output/report-style.js'

/** Memories of worlds that have ended, for those to come: a test makes thousands. */
const memories = new MemoryPool()

/** Longer timers than this would strike at once. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1

/** How a run is watched. */
export interface Observation {
  /** Where choices come from, instead of `seed` and `choices`. */
  readonly source?: ChoiceSource | undefined
  /** How long nothing may come from outside before ranks that await are taken for stuck. */
  readonly quietMs?: number | undefined
  /** After this long a run that waits for something outside of the world is given up. */
  readonly timeoutMs?: number | undefined
  /** Virtual seconds after the last fault in which a world with faults must end. Default 2. */
  readonly livenessSeconds?: number | undefined
  /** What the program finds in `args`; default nothing. */
  readonly args?: readonly string[] | undefined
  /** Whether to look at the end for what was not given back. */
  readonly leaks?: boolean | undefined
  /** Given the run while it goes on: for one that is stopped from outside. */
  readonly watch?: ((run: OpenRun) => void) | undefined
  /** Makes the ranks of a world whose time is virtual. */
  readonly virtual?: VirtualWorld | undefined
}

/** What is known of a run that goes on. */
export type OpenRun = Pick<
  LocalRun,
  'deviations' | 'replay' | 'choicesMade' | 'traces' | 'faults' | 'ways'
>

/** How the messages of all ranks went. */
export interface MessageWays {
  /** Payloads that came before their receive was posted. */
  readonly unexpected: number
  /** Payloads that the receiver read out of the sender's memory. */
  readonly rendezvous: number
}

/** A world of coroutines that has ended, with all that can be known of it. */
export interface LocalRun {
  /** What `main` returned, by rank; copied out of the world's memory, and empty unless it finished. */
  readonly values: readonly unknown[]
  /** What `local` is rejected with: absent when the run ended well. */
  readonly failure: { readonly thrown: unknown; readonly rank: number | undefined } | undefined
  /** Choices that were not first come, and the replay string of them. */
  readonly deviations: readonly RecordedDeviation[]
  readonly replay: string
  readonly choicesMade: number
  /** What went wrong below the library. */
  readonly faults: readonly StruckFault[]
  /** How messages went. */
  readonly ways: MessageWays
  /** What each rank did. */
  traces(): RankTrace[]
  /** What was not given back, a sentence each; empty unless it finished and was looked for. */
  readonly leaks: readonly string[]
}

type Ended =
  | CoroutineOutcome
  | {
      readonly kind: 'abandoned'
      /** Absent when nothing is left to come. */
      readonly timeoutMs: number | undefined
      readonly waits: readonly RankWait[]
      readonly snapshots: readonly RankSnapshot[]
    }

/** Runs a program on coroutines of this thread and tells how it went; never rejects. */
export async function runLocal<R>(
  ranks: number,
  main: Program<R>,
  options: Omit<WorldOptions, 'ranks' | 'mode'>,
  observation: Observation = {},
): Promise<LocalRun> {
  const memory = memories.acquire(options.memoryBytes ?? defaultMemoryBytes('coroutine', ranks))
  const runtimes: RankRuntime[] = []
  const world = new CoroutineWorld(
    memory,
    { ...options, ranks, mode: 'coroutine' },
    (runtime) => {
      runtimes[runtime.rank.rank] = runtime
      return main(createMpi(runtime, { args: observation.args ?? [], appNumber: 0 }))
    },
    observation,
  )
  const traces = () => Array.from({ length: ranks }, (_, rank) => traceOf(runtimes[rank], rank))
  const ways = () => waysOf(runtimes)
  observation.watch?.(openRunOf(world, traces, ways))
  const outcome = await endOf(world, observation.timeoutMs)
  const finished = outcome.kind === 'finished'
  const values = finished ? outcome.values.map((value) => copyOut(value, memory.buffer)) : []
  const looks = finished && observation.leaks === true
  const leaks = looks ? leaksOf(runtimes.map((runtime) => holdingsOf(runtime.rank))) : []
  const { deviations, replay, choicesMade, faults } = world
  // Ranks of a world that did not finish may still hold on to its memory.
  if (finished) memories.release(memory)
  const failure = failureOf(outcome)
  return { values, failure, deviations, replay, choicesMade, faults, ways: ways(), traces, leaks }
}

function openRunOf(
  world: CoroutineWorld,
  traces: LocalRun['traces'],
  ways: () => MessageWays,
): OpenRun {
  return {
    get deviations() {
      return world.deviations
    },
    get replay() {
      return world.replay
    },
    get choicesMade() {
      return world.choicesMade
    },
    get faults() {
      return world.faults
    },
    get ways() {
      return ways()
    },
    traces,
  }
}

function waysOf(runtimes: readonly (RankRuntime | undefined)[]): MessageWays {
  let [unexpected, rendezvous] = [0, 0]
  for (const runtime of runtimes) {
    unexpected += runtime?.rank.endpoint.counters.unexpectedCopies ?? 0
    rendezvous += runtime?.rank.endpoint.counters.fetches ?? 0
  }
  return { unexpected, rendezvous }
}

/** Of a rank that never began, too. */
function traceOf(runtime: RankRuntime | undefined, rank: number): RankTrace {
  const nothing = { rank, length: 0, words: new Int32Array(0), complete: false }
  return runtime?.rank.trace.finish(rank) ?? nothing
}

function endOf(world: CoroutineWorld, timeoutMs: number | undefined): Promise<Ended> {
  return new Promise((resolve) => {
    const giveUp = (afterMs: number | undefined): void =>
      resolve({ kind: 'abandoned', timeoutMs: afterMs, ...world.abandon() })
    const stopWaiting = whenNothingIsLeft(() => giveUp(undefined))
    const limited = timeoutMs !== undefined && timeoutMs !== Infinity
    const timer = limited && setTimeout(giveUp, Math.min(timeoutMs, TIMEOUT_MAX_MS), timeoutMs)
    // Not the program's: it must not look as if something could still come from outside.
    if (timer) timer.unref()
    void world.run().then((outcome) => {
      if (timer) clearTimeout(timer)
      stopWaiting()
      resolve(outcome)
    })
  })
}

function failureOf(outcome: Ended): LocalRun['failure'] {
  switch (outcome.kind) {
    case 'finished': {
      const reports = lifecycleReports(outcome.facts.map((facts) => locateFacts(facts, locate)))
      if (reports.length === 0) return undefined
      const text = reports.map((report) => formatReport(report)).join('\n')
      return { thrown: new LeftoverError({ reports, text }), rank: undefined }
    }
    case 'failed':
      return { thrown: outcome.error, rank: outcome.rank }
    case 'stalled':
      return { thrown: outcome.error, rank: undefined }
    case 'deadlock':
      return { thrown: deadlockOf(outcome), rank: undefined }
    case 'abandoned':
      return { thrown: abandonedError(outcome), rank: undefined }
  }
}

function abandonedError(outcome: Extract<Ended, { kind: 'abandoned' }>): Error {
  const { timeoutMs, waits } = outcome
  const text = outsideText(outcome)
  if (timeoutMs !== undefined) return new TimeoutError({ timeoutMs, text })
  const ranks = waits.filter(({ state }) => state === 'running').map(({ rank }) => rank)
  return new DeadlockError({ ranks, text })
}

function deadlockOf(outcome: Extract<CoroutineOutcome, { kind: 'deadlock' }>): Error {
  const snapshots = outcome.snapshots.map((snapshot) => locateSnapshot(snapshot, locate))
  const waits = outcome.waits.map((wait) => locateWait(wait, locate))
  const report = deadlockReport(waits, snapshots)
  if (report === undefined) {
    return new InternalError('no rank can go on, and no rank waits for another')
  }
  return new DeadlockError({ ranks: report.deadlocked, text: formatReport(report), report })
}

function outsideText({ timeoutMs, waits }: Extract<Ended, { kind: 'abandoned' }>): string {
  const ranksIn = (state: RankWait['state']): string =>
    waits
      .filter((wait) => wait.state === state)
      .map(({ rank }) => rank)
      .join(' ')
  const outside = ranksIn('running')
  const awaiting = ranksIn('awaiting')
  const others = awaiting === '' ? '' : `, while ranks ${awaiting} await messages`
  if (timeoutMs === undefined) {
    return (
      `the world can never end: ranks ${outside || 'none'} wait for something outside of it${others}, and ` +
      `no timer, file or message is left to come. A promise that nobody settles?`
    )
  }
  return (
    `the world did not end within ${timeoutMs} ms: ranks ${outside || 'none'} wait for something ` +
    `outside of it${others}. A test's world should wait only for its own messages: no timers, no ` +
    `files, no requests to others; else raise timeoutMs.`
  )
}
