import { divergenceOf, DivergenceError, ThreadPool, type PoolOptions } from '@commworld/mpi/inspect'
import { misfitOf, parseChoices, type RecordedDeviation } from '@commworld/transport'
import type { RankTrace } from '@commworld/mpi/inspect'
import { scriptOf, type Schedule } from '../choices/schedule.js'
import { MonitorError } from './run-world.js'

/** How one run on threads goes. */
export interface ThreadRunOptions {
  /**
   * One rank runs at a time and the schedule decides which, so that a run replays from its replay
   * string; programs with plain verbs, too. Without it ranks run in parallel.
   */
  readonly schedule?: Schedule
  /** A replay string, instead of a schedule: it must fit the program. */
  readonly replay?: string
  /** Serial runs: run it twice and compare; default false. */
  readonly twice?: boolean
}

/** A run on threads that has ended well. */
export interface ThreadRun<R> {
  readonly values: readonly R[]
  /** Of a serial run. */
  readonly deviations: readonly RecordedDeviation[]
  readonly replay: string
  /** Choices among several. */
  readonly choicesMade: number
  readonly traces: () => RankTrace[]
  /** What the program left in its threads, which were replaced then. */
  readonly residue: readonly string[]
}

/** A run on threads failed; the cause is what was thrown, and the message says how to replay. */
export class ThreadRunError extends Error {
  override readonly name = 'ThreadRunError'
  readonly rank: number | undefined
  /** Of a serial run; else empty. */
  readonly replay: string

  constructor(facts: { rank: number | undefined; replay: string; text: string; cause: unknown }) {
    super(facts.text, { cause: facts.cause })
    this.rank = facts.rank
    this.replay = facts.replay
  }
}

/**
 * A world on warm threads, for programs with plain verbs, which block: made once, run many times. Each
 * run has a world of its own, cleared memory, and threads in which nothing was left. A module is
 * loaded once a thread; its variables keep their values from run to run.
 *
 * @throws {ArgumentError} an option is wrong
 * @example
 * const world = createWorld({ ranks: 4 })
 * const { values } = await world.run(new URL('./program.ts', import.meta.url), [100])
 * await world.close()
 */
export function createWorld(options: PoolOptions): ThreadWorld {
  return new ThreadWorld(options)
}

/** Made by `createWorld`. One run at a time. */
export class ThreadWorld {
  readonly #pool: ThreadPool

  constructor(options: PoolOptions) {
    this.#pool = new ThreadPool(options)
  }

  get ranks(): number {
    return this.#pool.ranks
  }

  /**
   * Runs a module's default export on every rank: `main(mpi, ...args)`. Arguments are copied.
   *
   * @throws {ThreadRunError} a rank threw, ranks can never continue, or something was left over
   * @throws {ScriptError} `replay` names choices that the run did not make
   * @throws {ChoicesSyntaxError} it is no replay string
   * @throws {DivergenceError} `twice`, and the second run did something else
   * @throws {SpawnError} there is no such module, or it exports no function
   */
  async run<R = unknown>(
    module: URL | string,
    args: readonly unknown[] = [],
    {
      replay,
      schedule = replay === undefined ? undefined : scriptOf(replay),
      twice = false,
    }: ThreadRunOptions = {},
  ): Promise<ThreadRun<R>> {
    const first = await this.#once<R>(module, args, schedule)
    const misfit = misfitOf(replay, first)
    if (misfit !== undefined) throw misfit
    if (!twice || schedule === undefined) return first
    const second = await this.#once<R>(module, args, schedule)
    const divergence = divergenceOf(first.traces(), second.traces())
    if (divergence !== undefined) throw new DivergenceError(divergence)
    return first
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #once<R>(
    module: URL | string,
    args: readonly unknown[],
    schedule: Schedule | undefined,
  ): Promise<ThreadRun<R>> {
    const run = await this.#pool.run(module, args, poolOptions(schedule))
    const { deviations, replay, choicesMade, residue, leaks, failure } = run
    const leaked =
      leaks.length > 0 ? { thrown: new MonitorError(leaks), rank: undefined } : undefined
    const wrong = failure ?? leaked
    if (wrong === undefined) {
      const values = run.values as R[]
      return { values, deviations, replay, choicesMade, residue, traces: () => run.traces() }
    }
    const { thrown: cause, rank } = wrong
    const where = rank === undefined ? '' : ` at rank ${rank}`
    const again = schedule === undefined ? '' : `\nreplay: --serial --choices '${replay}'`
    const text = `with ${this.ranks} ranks${where}: ${String(cause)}${again}`
    throw new ThreadRunError({ rank, replay, text, cause })
  }
}

function poolOptions(schedule: Schedule | undefined): Parameters<ThreadPool['run']>[2] {
  if (schedule === undefined) return {}
  switch (schedule.kind) {
    case 'first come':
      return { serial: true }
    case 'script':
      return { serial: true, choices: checked(schedule.choices) }
    case 'random':
      return { serial: true, seed: schedule.seed }
    default: {
      const { kind, seed, depth, events } = schedule
      return { serial: true, priorities: { kind, seed, depth, events } }
    }
  }
}

/** @throws {ChoicesSyntaxError} */
function checked(choices: string): string {
  parseChoices(choices)
  return choices
}
