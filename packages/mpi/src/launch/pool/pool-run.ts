import { deserialize } from 'node:v8'
import { replayOf, type RecordedDeviation } from '@commworld/transport'
import {
  deadlockReport,
  formatReport,
  lifecycleReports,
  locateFacts,
  locateSnapshot,
  locateWait,
} from '../../diagnose/index.js'
import { leaksOf } from '../../engine/world/holdings.js'
import type { World } from '../../engine/world/world.js'
import { DeadlockError, InternalError, restoreError } from '../../errors/index.js'
import type { RankSnapshot, RankWait } from '../../record/rank-snapshot.js'
import type { RankTrace } from '../../record/trace.js'
import { LeftoverError, TimeoutError } from '../job/launch-errors.js'
import type { FromPooled, PooledLegacy } from './pool-message.js'
import { locate } from '../output/report-style.js'
import { Watch } from '../job/watch.js'

/** A run on the threads of a pool that has ended. */
export interface PooledRun {
  /** What `main` returned, by rank; empty unless the run ended well. */
  readonly values: readonly unknown[]
  readonly failure: { readonly thrown: unknown; readonly rank: number | undefined } | undefined
  /** Choices of a serial run that were not first come. */
  readonly deviations: readonly RecordedDeviation[]
  readonly replay: string
  readonly choicesMade: number
  traces(): RankTrace[]
  /** What was not given back, a sentence each. */
  readonly leaks: readonly string[]
  /** What the program left in its threads; they are replaced before the next run. */
  readonly residue: readonly string[]
}

/** A blocked rank answers in a few milliseconds. */
const ANSWER_MS = 300

type Failure = NonNullable<PooledRun['failure']>

/** One run: hears the threads until each is free again, or will never be. */
export class PoolRun {
  readonly #world: World
  readonly #tell: (allFinished: boolean) => void
  readonly #watch: Watch
  readonly #values: unknown[] = []
  readonly #legacies: PooledLegacy[] = []
  readonly #snapshots = new Map<number, RankSnapshot>()
  readonly #ranks: number
  #finished = 0
  #told = 0
  #failure: Failure | undefined
  #ended = false
  #answered = () => {}
  #free = () => {}
  /** Resolves when all threads are free, or one has failed and the others were woken. */
  readonly over: Promise<void>
  #end: () => void = () => {}

  /** @param tell asks all threads for what they leave behind */
  constructor(world: World, ranks: number, tell: (allFinished: boolean) => void) {
    this.#world = world
    this.#ranks = ranks
    this.#tell = tell
    this.over = new Promise((resolve) => (this.#end = resolve))
    this.#watch = new Watch(world.monitor, {
      deadlock: (stuck) => void this.#deadlock(stuck),
      busy() {},
    })
  }

  /** Whether a rank has told what it leaves behind, so that its thread is free. */
  isFree(rank: number): boolean {
    return this.#legacies[rank] !== undefined
  }

  /** Ranks that neither wait nor have finished. */
  get running(): number[] {
    const waits = this.#world.monitor.waits()
    return waits.filter(({ state }) => state === 'running').map(({ rank }) => rank)
  }

  get clean(): boolean {
    return this.#failure === undefined && this.#told === this.#ranks
  }

  hear(rank: number, message: FromPooled): void {
    switch (message.type) {
      case 'snapshot':
        this.#snapshots.set(rank, message.snapshot)
        return this.#answered()
      case 'finished':
        this.#values[rank] = deserialize(message.value)
        if (++this.#finished === this.#ranks) this.#tell(true)
        return
      case 'failed':
        return this.fail({ thrown: restoreError(message.error), rank })
      case 'legacy':
        this.#legacies[rank] = message.legacy
        if (++this.#told === this.#ranks) this.#stop()
        this.#free()
    }
  }

  /** Only the first counts; the others are woken by an abort and fail in its wake. */
  fail(failure: Failure): void {
    if (this.#failure !== undefined) return
    this.#failure = failure
    this.#world.monitor.abort(1, failure.rank ?? -1)
    // Ranks that have finished wait to be asked.
    this.#tell(false)
    this.#stop()
  }

  /** Resolves when all threads are free, at the latest after `limitMs`. */
  async freeWithin(limitMs: number): Promise<void> {
    if (this.#told === this.#ranks) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#free = () => {
        if (this.#told < this.#ranks) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** `stacks` says where ranks are that still run. */
  timeout(timeoutMs: number, stacks: readonly string[]): void {
    const waits = this.#world.monitor.waits()
    const words = waits.map(({ rank, state }) => `rank ${rank} is ${state}`).join(', ')
    const where = stacks.length === 0 ? '' : `\n${stacks.join('\n')}`
    const text = `the world did not end within ${timeoutMs} ms: ${words}${where}`
    this.fail({ thrown: new TimeoutError({ timeoutMs, text }), rank: undefined })
  }

  result(): PooledRun {
    const told = this.#legacies.filter((legacy) => legacy !== undefined)
    const deviations = told
      .flatMap((legacy) => legacy.deviations)
      .toSorted((a, b) => a.index - b.index)
    const failure = this.#failure ?? this.#leftover()
    return {
      values: failure === undefined ? this.#values : [],
      failure,
      deviations,
      replay: replayOf(deviations),
      choicesMade: Math.max(0, ...told.map((legacy) => legacy.choicesMade)),
      traces: () =>
        Array.from({ length: this.#ranks }, (_, rank) => {
          const nothing = { rank, length: 0, words: new Int32Array(0), complete: false }
          return this.#legacies[rank]?.trace ?? nothing
        }),
      leaks: this.clean ? leaksOf(told.map(({ holdings }) => holdings!)) : [],
      residue: told.flatMap((legacy) => legacy.residue),
    }
  }

  #leftover(): Failure | undefined {
    const facts = this.#legacies.map((legacy) => locateFacts(legacy.facts!, locate))
    const reports = lifecycleReports(facts)
    if (reports.length === 0) return undefined
    const text = reports.map((report) => formatReport(report)).join('\n')
    return { thrown: new LeftoverError({ reports, text }), rank: undefined }
  }

  async #deadlock(stuck: readonly number[]): Promise<void> {
    this.#watch.stop()
    const waits = this.#world.monitor.waits()
    await this.#ask(stuck)
    this.fail({ thrown: deadlockOf(waits, [...this.#snapshots.values()]), rank: undefined })
  }

  async #ask(ranks: readonly number[]): Promise<void> {
    for (const rank of ranks) this.#world.monitor.requestSnapshot(rank)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ANSWER_MS)
      this.#answered = () => {
        if (ranks.some((rank) => !this.#snapshots.has(rank))) return
        clearTimeout(timer)
        resolve()
      }
      this.#answered()
    })
  }

  #stop(): void {
    if (this.#ended) return
    this.#ended = true
    this.#watch.stop()
    this.#end()
  }
}

function deadlockOf(waits: readonly RankWait[], snapshots: readonly RankSnapshot[]): Error {
  const report = deadlockReport(
    waits.map((wait) => locateWait(wait, locate)),
    snapshots.map((snapshot) => locateSnapshot(snapshot, locate)),
  )
  if (report === undefined)
    return new InternalError('no rank can go on, and none waits for another')
  return new DeadlockError({ ranks: report.deadlocked, text: formatReport(report), report })
}
