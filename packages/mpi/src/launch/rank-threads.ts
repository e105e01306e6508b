import type { Bundle } from './bundle.js'
import type { JobRequest, ProgramRequest } from './job-request.js'
import type { JobSurroundings } from './job-run.js'
import type { RankStart } from './rank-message.js'
import { RankThread, type ThreadListener, type ThreadOptions } from './rank-thread.js'

/** The world that threads are to join. */
export type WorldPlace = Pick<RankStart, 'options' | 'shared'>

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
  const start = (appNumber: number, rank: number, env: Readonly<Record<string, string>>) =>
    new RankThread(threadOptions(request, surroundings, world, { appNumber, rank, env }), listener)
  if (request.carrier === 'coroutine') {
    const env = Object.assign(
      {},
      ...programs.map((program) => program.env),
    ) as ProgramRequest['env']
    const thread = start(0, 0, env)
    runWhenBundled(thread, surroundings.bundles)
    return [thread]
  }
  const threads: RankThread[] = []
  programs.forEach(({ ranks, env }, appNumber) => {
    for (let count = 0; count < ranks; count++) {
      const thread = start(appNumber, threads.length, env)
      threads.push(thread)
      runWhenBundled(thread, [surroundings.bundles[appNumber]!])
    }
  })
  return threads
}

function threadOptions(
  { programs, heapBytes, prefix }: JobRequest,
  { output, traits, returns, input }: JobSurroundings,
  { options, shared }: WorldPlace,
  one: { rank: number; appNumber: number; env: Readonly<Record<string, string>> },
): ThreadOptions {
  const { rank, appNumber, env } = one
  const digits = String(options.ranks - 1).length
  const labelOf = (writer: number) => (prefix ? `[${String(writer).padStart(digits)}] ` : '')
  const parts = programs.map(({ ranks, args }) => ({ ranks, args }))
  const start = { rank, options, shared, programs: parts, appNumber, labels: prefix, returns }
  return { start, traits, output, env, input, heapBytes, labelOf }
}

function runWhenBundled(thread: RankThread, bundles: readonly Promise<Bundle>[]): void {
  Promise.all(bundles).then(
    (all) => thread.run(all),
    // A program that does not build ends the job elsewhere.
    () => {},
  )
}
