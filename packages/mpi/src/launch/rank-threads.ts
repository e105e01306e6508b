import type { WorldDescriptor } from '../engine/index.js'
import type { JobRequest } from './job-request.js'
import type { JobSurroundings } from './job-run.js'
import { RankThread, type ThreadListener } from './rank-thread.js'

/** All threads of a job, from their start until the last has gone. */
export class RankThreads {
  /** By rank. */
  readonly all: readonly RankThread[]
  readonly #alive: Set<RankThread>
  #noneLeft = () => {}

  constructor(
    request: JobRequest,
    surroundings: JobSurroundings,
    descriptor: WorldDescriptor,
    listener: ThreadListener,
  ) {
    this.all = startThreads(request, surroundings, descriptor, listener)
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
  { bundles, output, traits, returns, input }: JobSurroundings,
  descriptor: WorldDescriptor,
  listener: ThreadListener,
): RankThread[] {
  const { programs, carrier, heapBytes, prefix } = request
  const digits = String(descriptor.options.ranks - 1).length
  const threads: RankThread[] = []
  programs.forEach(({ ranks, args, env }, appNumber) => {
    for (let count = 0; count < ranks; count++) {
      const rank = threads.length
      const label = prefix ? `[${String(rank).padStart(digits)}] ` : ''
      const start = { rank, carrier, descriptor, appNumber, args, returns }
      const thread = new RankThread(
        { start, traits, output, env, input, heapBytes, label },
        listener,
      )
      threads.push(thread)
      // A program that does not build ends the job elsewhere.
      bundles[appNumber]!.then(
        (bundle) => thread.run(bundle),
        () => {},
      )
    }
  })
  return threads
}
