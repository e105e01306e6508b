import { World, type Monitor, type WorldDescriptor } from '../engine/index.js'
import { packError } from '../errors/index.js'
import type { FinalizeFacts } from '../record/finalize-facts.js'
import type { RankSnapshot, RankWait } from '../record/rank-snapshot.js'
import type { Bundle } from './bundle.js'
import type { JobEnd } from './job-end.js'
import type { JobOutput } from './job-output.js'
import type { JobRequest } from './job-request.js'
import type { RankMessage } from './rank-message.js'
import type { OutputMessage, StreamTraits } from './rank-output.js'
import { RankThread, type ThreadListener } from './rank-thread.js'
import { Snapshots } from './snapshots.js'
import { Watch } from './watch.js'

/** What surrounds a job: where its programs and its output go. */
export interface JobSurroundings {
  /** By program of the request, as soon as it is bundled; a job starts its threads meanwhile. */
  readonly bundles: readonly Promise<Bundle>[]
  readonly output: JobOutput
  readonly traits: { readonly out: StreamTraits; readonly err: StreamTraits }
  /** Whether what each `main` returns is wanted; threads then end with `main`. */
  readonly returns: boolean
  /** Whether rank 0 gets the standard input of this process. */
  readonly input: boolean
  /** Something worth a line while the job goes on. */
  note(text: string): void
}

/** How a job ended, and all that a report could want. */
export interface JobOutcome {
  readonly end: JobEnd
  /** By rank, serialized; undefined where main() did not return. */
  readonly values: readonly (Uint8Array | undefined)[]
  /** What each rank's finalize found, by rank. */
  readonly facts: readonly FinalizeFacts[]
  /** The first exit code of a thread that is not 0: a program's `process.exitCode`. */
  readonly exitCode: number
  readonly waits: readonly RankWait[]
  readonly snapshots: readonly RankSnapshot[]
}

/** The rank that called `abort` has this long to say so itself. */
const ORIGIN_MS = 50
/** After an abort woke the ranks, their `finally` blocks have this long. */
const WAKE_MS = 150
/** A terminated thread that does not end by then sits in a call of the operating system. */
const TERMINATE_MS = 300

/** One run of a job: its threads from their start until the last has gone. */
export class JobRun implements ThreadListener {
  readonly #surroundings: JobSurroundings
  readonly #monitor: Monitor
  readonly #threads: readonly RankThread[]
  readonly #watch: Watch
  readonly #snapshots = new Snapshots()
  readonly #alive: Set<RankThread>
  readonly #values: (Uint8Array | undefined)[] = []
  readonly #facts: FinalizeFacts[] = []
  readonly #settled = new Set<RankThread>()
  #exitCode = 0
  #end: JobEnd | undefined
  #allGone = () => {}
  #over: (outcome: JobOutcome) => void = () => {}
  readonly outcome: Promise<JobOutcome>

  constructor(request: JobRequest, surroundings: JobSurroundings) {
    this.#surroundings = surroundings
    this.outcome = new Promise((resolve) => (this.#over = resolve))
    const ranks = request.programs.reduce((sum, program) => sum + program.ranks, 0)
    const world = World.create(worldOptions(request, ranks))
    this.#monitor = world.monitor
    this.#threads = startThreads(request, surroundings, world.descriptor, this)
    this.#alive = new Set(this.#threads)
    this.#watch = new Watch(this.#monitor, {
      deadlock: (stuck) => this.end({ kind: 'deadlock', ranks: stuck }),
      busy: ([rank]) =>
        surroundings.note(
          `rank ${rank} has been computing for 10 s while all others wait for messages`,
        ),
    })
  }

  /** Ends the job; only the first reason counts. */
  end(reason: JobEnd): void {
    if (this.#end) return
    this.#end = reason
    this.#watch.stop()
    void this.#close(reason)
  }

  message(thread: RankThread, message: Exclude<RankMessage, OutputMessage>): void {
    const { rank } = thread
    switch (message.type) {
      case 'snapshot':
        return this.#snapshots.answer(message.snapshot)
      case 'finished':
        this.#values[rank] = message.value
        this.#facts[rank] = message.facts
        this.#settled.add(thread)
        if (this.#settled.size === this.#threads.length && this.#surroundings.returns) {
          this.end({ kind: 'finished' })
        }
        return
      case 'failed':
        this.#settled.add(thread)
        return this.end({ kind: 'failed', rank, error: message.error })
      case 'exit':
        this.#settled.add(thread)
        return this.end({ kind: 'exit', rank, code: message.code, stack: message.stack })
      case 'abort':
        this.#settled.add(thread)
        return this.#aborted(rank, message)
    }
  }

  /** Whoever learns of an abort says so; the word of the rank that called it has the position. */
  #aborted(rank: number, { origin, code, stack }: Extract<RankMessage, { type: 'abort' }>): void {
    if (rank === origin) this.end({ kind: 'abort', rank, code, stack })
    else setTimeout(() => this.end({ kind: 'abort', rank: origin, code, stack: '' }), ORIGIN_MS)
  }

  broke(thread: RankThread, error: Error & { code?: string }): void {
    this.#settled.add(thread)
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.end({ kind: 'heap', rank: thread.rank })
    else this.end({ kind: 'internal', rank: thread.rank, error: packError(error) })
  }

  gone(thread: RankThread, exitCode: number): void {
    this.#alive.delete(thread)
    this.#exitCode ||= exitCode
    if (!this.#settled.has(thread)) {
      this.#monitor.failed(thread.rank)
      this.end({ kind: 'silent', rank: thread.rank })
    }
    if (this.#alive.size > 0) return
    this.end({ kind: 'finished' })
    this.#allGone()
  }

  async #close(reason: JobEnd): Promise<void> {
    let waits: RankWait[] = []
    let snapshots: RankSnapshot[] = []
    if (reason.kind !== 'finished' && reason.kind !== 'closed') {
      waits = this.#monitor.waits()
      const others = waits.filter(({ state }) => state === 'blocked' || state === 'awaiting')
      snapshots = await this.#snapshots.take(
        this.#monitor,
        others.map(({ rank }) => rank),
      )
      this.#monitor.abort(1, 'rank' in reason ? reason.rank : -1)
      await this.#gone(WAKE_MS)
    }
    for (const thread of this.#alive) thread.terminate()
    await this.#gone(TERMINATE_MS)
    for (const thread of this.#threads) thread.endLines()
    const facts = this.#facts
    this.#over({
      end: reason,
      values: this.#values,
      facts,
      exitCode: this.#exitCode,
      waits,
      snapshots,
    })
  }

  /** Resolves when all threads have gone, or after `limitMs`. */
  async #gone(limitMs: number): Promise<void> {
    if (this.#alive.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#allGone = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function worldOptions(request: JobRequest, ranks: number) {
  const { carrier, memoryBytes, eagerLimitBytes, seed, choices, strictZeroCopy, sites } = request
  return {
    ranks,
    mode: carrier,
    strictZeroCopy,
    sites,
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(eagerLimitBytes !== undefined && { eagerLimitBytes }),
    ...(seed !== undefined && { seed }),
    ...(choices !== undefined && { choices }),
  }
}

function startThreads(
  request: JobRequest,
  { bundles, output, traits, returns, input }: JobSurroundings,
  descriptor: WorldDescriptor,
  listener: ThreadListener,
): RankThread[] {
  const threads: RankThread[] = []
  const ranks = request.programs.reduce((sum, program) => sum + program.ranks, 0)
  const digits = String(ranks - 1).length
  request.programs.forEach((program, index) => {
    for (let count = 0; count < program.ranks; count++) {
      const rank = threads.length
      const thread = new RankThread(
        {
          start: {
            rank,
            ranks,
            carrier: request.carrier,
            descriptor,
            appNumber: index,
            args: program.args,
            returns,
          },
          traits,
          output,
          env: program.env,
          input,
          heapBytes: request.heapBytes,
          label: request.prefix ? `[${String(rank).padStart(digits)}] ` : '',
        },
        listener,
      )
      threads.push(thread)
      // A program that does not build ends the job elsewhere.
      bundles[index]!.then(
        (bundle) => thread.run(bundle),
        () => {},
      )
    }
  })
  return threads
}
