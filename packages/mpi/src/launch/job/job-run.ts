import { World } from '../../engine/world/world.js'
import { endCapture } from '../../device/traffic-capture.js'
import type { WorldOptions } from '../../engine/world/world-options.js'
import type { Report } from '../../diagnose/index.js'
import { findDeadlock } from '../../diagnose/wait-graph.js'
import { packError } from '../../errors/index.js'
import type { Bundle } from '../program/bundle.js'
import { ClockThread } from './clock-thread.js'
import type { JobEnd } from './job-end.js'
import type { JobOutput } from './job-output.js'
import { rankCount, type FabricRequest, type JobRequest } from './job-request.js'
import { JobResults, type Value } from './job-results.js'
import type {
  AbortMessage,
  FailedMessage,
  LegacyMessage,
  RankFailure,
  RankMessage,
} from '../rank/rank-message.js'
import type { OutputMessage, StreamTraits } from '../output/rank-output.js'
import type { RankThread, ThreadListener } from '../rank/rank-thread.js'
import type { RawThread } from '../rank/raw-thread.js'
import { RankThreads } from '../rank/rank-threads.js'
import { Watch } from './watch.js'
import { NOBODY, type WorldMonitor } from './world-monitor.js'
import { Witness, type Testimony } from './witness.js'

/** What surrounds a job: where its programs and its output go. */
export interface JobSurroundings {
  /** By program of the request, as soon as it is bundled; a job starts its threads meanwhile. */
  readonly bundles: readonly Promise<Bundle>[]
  /** Threads that are starting already, by rank; else the job starts its own. */
  readonly threads?: readonly RawThread[]
  readonly output: JobOutput
  readonly traits: { readonly out: StreamTraits; readonly err: StreamTraits }
  /** Whether what each `main` returns is wanted; threads then end with `main`. */
  readonly returns: boolean
  /** Whether rank 0 gets the standard input of this process. */
  readonly input: boolean
  /** Something worth a line while the job goes on. */
  note(report: Report): void
}

/** How a job ended, and all that a report could want. */
export interface JobOutcome extends Testimony {
  readonly end: JobEnd
  /** What main() returned, serialized, by rank; complete when the end is `finished`. */
  readonly values: readonly Value[]
  /** What ranks left behind that finished; those that called `process.exit` after main() tell nothing. */
  readonly legacies: readonly LegacyMessage[]
  /** Ranks that threw, in this order. */
  readonly failures: readonly RankFailure[]
  /** What the run took in virtual time. */
  readonly summary?: string | undefined
  /** The first exit code of a thread that is not 0: a program's `process.exitCode`. */
  readonly exitCode: number
}

/** The rank that called `abort` has this long to say so itself. */
const ORIGIN_MS = 50
/** After an abort woke the ranks, their `finally` blocks have this long. */
const WAKE_MS = 100
/** A terminated thread that does not end by then sits in a call of the operating system. */
const TERMINATE_MS = 250

/** All ranks have returned, and still the job goes on: after this long a note says why. */
const LINGER_NOTE_MS = 5000

/** One run of a job: from the start of its threads until the last has gone. */
export class JobRun implements ThreadListener {
  readonly outcome: Promise<JobOutcome>
  readonly #surroundings: JobSurroundings
  readonly #monitor: WorldMonitor
  readonly #threads: RankThreads
  readonly #watch: Watch
  readonly #witness: Witness
  readonly #results: JobResults
  /** Threads whose end has been explained. */
  readonly #settled = new Set<RankThread>()
  /** What a thread that carries all ranks has told itself. */
  #heard: Testimony | undefined
  readonly #failures: RankFailure[] = []
  /** Of a capture by several threads. */
  readonly #parts: { readonly pcap: string; readonly ranks: number } | undefined
  #exitCode = 0
  /** In virtual time, where ranks have threads of their own; until the run has been summed up. */
  #clock: ClockThread | undefined
  #summary: string | undefined
  #lingering: NodeJS.Timeout | undefined
  #end: JobEnd | undefined
  #resolve: (outcome: JobOutcome) => void = () => {}

  /** @throws MemoryUnavailable, OutOfMemory when the world does not fit */
  constructor(request: JobRequest, surroundings: JobSurroundings) {
    this.#surroundings = surroundings
    this.outcome = new Promise((resolve) => (this.#resolve = resolve))
    const options = worldOptions(request)
    this.#results = new JobResults(options.ranks)
    const world = request.carrier === 'coroutine' ? undefined : World.create(options)
    const { pcap } = options
    this.#parts = world && pcap !== undefined ? { pcap, ranks: options.ranks } : undefined
    this.#monitor = world?.monitor ?? NOBODY
    this.#clock = world && request.fabric && this.#startClock(request.fabric, world)
    const place = { options, shared: world?.descriptor.shared, clock: this.#clock?.share }
    this.#threads = new RankThreads(request, surroundings, place, this)
    this.#witness = new Witness(this.#monitor, this.#threads.all)
    this.#watch = new Watch(this.#clock?.watched(this.#monitor) ?? this.#monitor, {
      deadlock: (ranks) => this.end({ kind: 'deadlock', ranks }),
      busy: (rank, seconds) => void this.#noteBusy(rank, seconds),
    })
  }

  /** Ends the job; only the first reason counts. */
  end(reason: JobEnd): void {
    if (this.#end) return
    this.#end = reason
    this.#watch.stop()
    clearTimeout(this.#lingering)
    void this.#close(reason)
  }

  message(thread: RankThread, message: Exclude<RankMessage, OutputMessage>): void {
    const { rank } = thread
    if (message.type === 'snapshot') {
      this.#witness.answer(message.snapshot)
      return
    }
    this.#settled.add(thread)
    switch (message.type) {
      case 'finished':
        this.#results.finished(rank, message.value)
        return this.#finished()
      case 'legacy':
        this.#results.told(rank, message)
        return this.#collected()
      case 'all finished':
        this.#summary = message.summary
        message.values.forEach((value, each) => this.#results.finished(each, value))
        message.legacies.forEach((legacy, each) => this.#results.told(each, legacy))
        return this.#collected()
      case 'failed':
        return this.#failed(message)
      case 'exit':
        // After main() that is a rank's own affair; `gone` follows with the code.
        if (this.#results.hasFinished(rank)) return
        return this.end({ kind: 'exit', rank, code: message.code, stack: message.stack })
      case 'abort':
        return this.#aborted(rank, message)
      case 'deadlock':
        this.#heard = message
        return this.end({ kind: 'deadlock', ranks: findDeadlock(message.waits) })
    }
  }

  broke(thread: RankThread, error: Error & { code?: string }): void {
    const { rank } = thread
    this.#settled.add(thread)
    this.#monitor.failed(rank)
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.end({ kind: 'heap', rank })
    else this.end({ kind: 'internal', rank, error: packError(error) })
  }

  gone(thread: RankThread, exitCode: number): void {
    const { rank } = thread
    this.#exitCode ||= exitCode
    if (!this.#settled.has(thread)) {
      this.#monitor.failed(rank)
      this.end({ kind: 'silent', rank })
    }
    this.#threads.lose(thread)
    this.#clock?.lose(rank)
    this.#results.gone(rank)
    this.#collected()
    this.#endIfAllGone()
  }

  #endIfAllGone(): void {
    if (!this.#threads.anyAlive && this.#clock === undefined) this.end({ kind: 'finished' })
  }

  #startClock(fabric: FabricRequest, { descriptor }: World): ClockThread {
    const { shared, options } = descriptor
    return new ClockThread(fabric, options.ranks, shared, {
      over: (summary) => {
        this.#summary = summary
        this.#clock?.terminate()
        this.#clock = undefined
        this.#finished()
        this.#endIfAllGone()
      },
      progress: (text) => this.#surroundings.output.report(text),
      failed: (error) => this.end({ kind: 'failed', rank: undefined, error }),
    })
  }

  #finished(): void {
    // Of a job that has ended otherwise nothing is left to be told, and ranks that finished are still asked.
    if (this.#end || this.#clock) return
    const { all } = this.#threads
    if (this.#settled.size === all.length) for (const thread of all) thread.askForLegacy()
  }

  /** A rank has told what it leaves behind; when all have, only what programs left running goes on. */
  #collected(): void {
    if (!this.#results.complete || this.#end || this.#lingering) return
    // With results in hand nobody waits for timers that a program left behind.
    if (this.#surroundings.returns) this.end({ kind: 'finished' })
    else this.#lingering = setTimeout(() => void this.#noteLingering(), LINGER_NOTE_MS)
  }

  #failed({ rank, error, others }: FailedMessage): void {
    if (rank !== undefined) this.#failures.push({ rank, error })
    if (others !== undefined) {
      this.#failures.push(...others.failures)
      this.#heard = others
    }
    this.end({ kind: 'failed', rank, error })
  }

  /** Whoever learns of an abort says so; the word of the rank that called it has the position. */
  #aborted(rank: number, { origin, code, stack }: AbortMessage): void {
    if (rank === origin || this.#monitor === NOBODY)
      this.end({ kind: 'abort', rank: origin, code, stack })
    else setTimeout(() => this.end({ kind: 'abort', rank: origin, code, stack: '' }), ORIGIN_MS)
  }

  async #noteLingering(): Promise<void> {
    const { lingerNote } = await import('./job-reports.js')
    this.#surroundings.note(lingerNote())
  }

  async #noteBusy(rank: number, seconds: number): Promise<void> {
    const waits = this.#monitor.waits()
    const snapshots = await this.#witness.runningSnapshots([rank])
    const { busyNote } = await import('./job-reports.js')
    this.#surroundings.note(busyNote(rank, seconds, { waits, snapshots }))
  }

  async #close(reason: JobEnd): Promise<void> {
    let testimony: Testimony = { waits: [], snapshots: [] }
    if (reason.kind !== 'finished' && reason.kind !== 'closed') {
      testimony = await this.#testimonyOn(reason)
      this.#monitor.abort(1, 'rank' in reason ? (reason.rank ?? -1) : -1)
      await this.#threads.goneWithin(WAKE_MS)
    }
    this.#threads.terminate()
    this.#clock?.terminate()
    await this.#threads.goneWithin(TERMINATE_MS)
    if (this.#parts !== undefined) endCapture(this.#parts.pcap, this.#parts.ranks)
    this.#surroundings.output.order.finish()
    for (const thread of this.#threads.all) thread.endLines()
    this.#resolve({
      ...testimony,
      end: reason,
      failures: this.#failures,
      values: this.#results.values,
      legacies: this.#results.legacies,
      exitCode: this.#exitCode,
      summary: this.#summary,
    })
  }

  async #testimonyOn(reason: JobEnd): Promise<Testimony> {
    if (this.#heard) return this.#heard
    const fromOutside = reason.kind === 'timeout' || reason.kind === 'signal'
    if (fromOutside && this.#monitor === NOBODY) return await this.#witness.hearThread()
    if (!fromOutside) await this.#witness.settle()
    // Who has gone on is known only by those who have: to what others did they agree?
    const finished = reason.kind === 'failed' && reason.error.name === 'AgreementError'
    return await this.#witness.hear({ lines: fromOutside, finished })
  }
}

function worldOptions(request: JobRequest): WorldOptions {
  const { carrier, memoryBytes, eagerLimitBytes, seed, choices, strictZeroCopy, sites } = request
  const { algorithms, faults, pcap } = request
  return {
    ranks: rankCount(request),
    mode: carrier,
    strictZeroCopy,
    sites,
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(eagerLimitBytes !== undefined && { eagerLimitBytes }),
    ...(seed !== undefined && { seed }),
    ...(choices !== undefined && { choices }),
    ...(algorithms !== undefined && { algorithms }),
    ...(faults !== undefined && { faults }),
    ...(pcap !== undefined && { pcap }),
  }
}
