import { rmSync } from 'node:fs'
import type { Bundle } from '../program/bundle.js'
import { EXIT } from './exit-status.js'
import type { FromJob, ToJob } from './job-message.js'
import { JobOutput } from './job-output.js'
import type { JobRequest } from './job-request.js'
import { JobRun } from './job-run.js'
import { OutputQueue } from '../output/output-queue.js'
import type { RawThread } from '../rank/raw-thread.js'
import { isStartFailure } from './start-failure.js'

type Request = Extract<ToJob, { type: 'request' }>

/** What mpiexec asks for, on the threads that are starting. Never blocks: it owns all output and watches the ranks. */
export function serveJob(threads: readonly RawThread[]): void {
  const job = new ServedJob(threads)
  process.on('message', (message: ToJob) => {
    if (message.type === 'request') void job.perform(message)
    else job.bundled(message.index, message.bundle)
  })
}

class ServedJob {
  readonly #threads: readonly RawThread[]
  readonly #queue: OutputQueue
  readonly #output: JobOutput
  readonly #bundled: ((bundle: Bundle) => void)[] = []
  #run: JobRun | undefined

  constructor(threads: readonly RawThread[]) {
    this.#threads = threads
    // Descriptor 2 of this process is a pipe to mpiexec, for V8; standard error is handed on as 3.
    this.#queue = new OutputQueue({ 1: 1, 2: 3 }, (stream) => {
      // Without a reader of its output a job has nothing to live for; without one of its errors it goes on.
      if (stream === 1) this.#run?.end({ kind: 'closed' })
    })
    this.#output = new JobOutput(this.#queue)
  }

  bundled(index: number, bundle: Bundle): void {
    this.#bundled[index]!(bundle)
  }

  async perform(request: Request): Promise<void> {
    process.on('disconnect', () => {
      // mpiexec was killed.
      rmSync(request.folder, { recursive: true, force: true })
      process.exit(EXIT.internal)
    })
    let status: number
    try {
      status = await this.#runToItsEnd(request)
    } catch (error) {
      const { name, message, stack } = error as Error
      this.#output.report(`mpiexec: ${isStartFailure({ name }) ? message : stack}`)
      status = isStartFailure({ name }) ? EXIT.error : EXIT.internal
    }
    await this.#queue.flushed()
    process.send!({ type: 'over', status } satisfies FromJob)
  }

  /** Returns the exit status. Throws when the world cannot be made, or by a mistake in this library. */
  async #runToItsEnd({ request, traits }: Request): Promise<number> {
    const output = this.#output
    const run = new JobRun(request, {
      bundles: request.programs.map(() => new Promise((resolve) => this.#bundled.push(resolve))),
      threads: this.#threads,
      output,
      traits,
      returns: false,
      input: true,
      note: (report) =>
        void verdict.then(({ formatted }) => output.report(formatted(report, traits))),
    })
    this.#run = run
    // Loaded while the ranks start.
    const verdict = import('./job-verdict.js')
    endFromOutside(run, request)
    const outcome = await run.outcome
    const { texts, status } = (await verdict).verdictOn(outcome, request, traits)
    for (const text of texts) output.report(text)
    return status
  }
}

function endFromOutside(job: JobRun, { timeoutMs }: JobRequest): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => job.end({ kind: 'signal', signal }))
  }
  if (timeoutMs === undefined) return
  setTimeout(() => job.end({ kind: 'timeout', seconds: timeoutMs / 1000 }), timeoutMs)
}
