import type { Bundle } from '../program/bundle.js'
import { threadCount, type JobRequest } from '../job/job-request.js'
import type { JobSurroundings } from '../job/job-run.js'
import type { RankStart } from './rank-message.js'
import { startThread, type RawThread } from './raw-thread.js'
import { packageFile } from '../program/package-files.js'
import { RankThread, type ThreadListener, type ThreadOptions } from './rank-thread.js'

/** The world that threads are to join. */
export type WorldPlace = Pick<RankStart, 'options' | 'shared' | 'clock'>

/** All threads of a job, from their start until the last has gone. */
export class RankThreads {
  /** By rank; a single one for a coroutine job. */
  readonly all: readonly RankThread[]
  readonly #alive: Set<RankThread>
  #noneLeft = () => {}

  constructor(
    request: JobRequest,
    surroundings: JobSurroundings,
    world: WorldPlace,
    listener: ThreadListener,
  ) {
    this.all = startThreads(request, surroundings, world, listener)
    this.#alive = new Set(this.all)
  }

  get anyAlive(): boolean {
    return this.#alive.size > 0
  }

  /** This thread has gone. */
  lose(thread: RankThread): void {
    this.#alive.delete(thread)
    if (this.#alive.size === 0) this.#noneLeft()
  }

  terminate(): void {
    for (const thread of this.#alive) thread.terminate()
  }

  /** Resolves when all have gone, or after `limitMs`. */
  async goneWithin(limitMs: number): Promise<void> {
    if (!this.anyAlive) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#noneLeft = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function startThreads(
  request: JobRequest,
  surroundings: JobSurroundings,
  world: WorldPlace,
  listener: ThreadListener,
): RankThread[] {
  const { programs } = request
  const raw = surroundings.threads ?? startRawThreads(request, surroundings.input)
  const thread = (appNumber: number, rank: number, env: RankStart['env']) => {
    const start = startOf(request, surroundings, world, { appNumber, rank, env })
    const { traits, output } = surroundings
    const labelOf = labelling(request.prefix, world.options.ranks)
    return new RankThread(raw[rank]!, { start, traits, output, labelOf }, listener)
  }
  if (request.carrier === 'coroutine') {
    const env = Object.assign({}, ...programs.map((program) => program.env)) as RankStart['env']
    const only = thread(0, 0, env)
    runWhenBundled(only, surroundings.bundles)
    return [only]
  }
  const threads: RankThread[] = []
  programs.forEach(({ ranks, env }, appNumber) => {
    for (let count = 0; count < ranks; count++) {
      const next = thread(appNumber, threads.length, env)
      threads.push(next)
      runWhenBundled(next, [surroundings.bundles[appNumber]!])
    }
  })
  return threads
}

function startRawThreads(request: JobRequest, input: boolean): RawThread[] {
  const { heapBytes } = request
  const entry = packageFile('launch/worker.js')
  return Array.from({ length: threadCount(request) }, (_, rank) =>
    startThread(entry, { name: `rank ${rank}`, heapBytes, input: input && rank === 0 }),
  )
}

function startOf(
  { programs, prefix, fabric }: JobRequest,
  { returns }: JobSurroundings,
  { options, shared, clock }: WorldPlace,
  one: Pick<RankStart, 'rank' | 'appNumber' | 'env'>,
): ThreadOptions['start'] {
  const parts = programs.map(({ ranks, args }) => ({ ranks, args }))
  return { ...one, options, shared, clock, programs: parts, labels: prefix, returns, fabric }
}

function labelling(prefix: boolean, ranks: number): (rank: number) => string {
  const digits = String(ranks - 1).length
  return (rank) => (prefix ? `[${String(rank).padStart(digits)}] ` : '')
}

function runWhenBundled(thread: RankThread, bundles: readonly Promise<Bundle>[]): void {
  Promise.all(bundles).then(
    (all) => thread.run(all),
    // A program that does not build ends the job elsewhere.
    () => {},
  )
}
