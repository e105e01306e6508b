import { rmSync } from 'node:fs'
import type { Bundle } from './bundle.js'
import { EXIT } from './exit-status.js'
import type { FromJob, ToJob } from './job-message.js'
import { JobOutput } from './job-output.js'
import type { JobRequest } from './job-request.js'
import { JobRun } from './job-run.js'
import { OutputQueue } from './output-queue.js'
import { isStartFailure } from './start-failure.js'

// The main thread of a job's process. It never blocks: it owns all output and watches the ranks.

// Descriptor 2 of this process is a pipe to mpiexec, for V8; standard error is handed on as 3.
const queue = new OutputQueue({ 1: 1, 2: 3 }, (stream) => {
  // Without a reader of its output a job has nothing to live for; without one of its errors it goes on.
  if (stream === 1) run?.end({ kind: 'closed' })
})
const output = new JobOutput(queue)
const bundles: { promise: Promise<Bundle>; resolve: (bundle: Bundle) => void }[] = []
let run: JobRun | undefined

process.on('message', (message: ToJob) => {
  if (message.type === 'request') void perform(message)
  else bundles[message.index]!.resolve(message.bundle)
})

async function perform(message: Extract<ToJob, { type: 'request' }>): Promise<void> {
  process.on('disconnect', () => {
    // mpiexec was killed.
    rmSync(message.folder, { recursive: true, force: true })
    process.exit(EXIT.internal)
  })
  let status: number
  try {
    status = await runToItsEnd(message)
  } catch (error) {
    const { name, message: text, stack } = error as Error
    output.report(`mpiexec: ${isStartFailure({ name }) ? text : stack}`)
    status = isStartFailure({ name }) ? EXIT.error : EXIT.internal
  }
  await queue.flushed()
  process.send!({ type: 'over', status } satisfies FromJob)
}

/** Returns the exit status. Throws when the world cannot be made, or by a mistake in this library. */
async function runToItsEnd({
  request,
  traits,
}: Extract<ToJob, { type: 'request' }>): Promise<number> {
  request.programs.forEach(() => bundles.push(withResolvers()))
  run = new JobRun(request, {
    bundles: bundles.map(({ promise }) => promise),
    output,
    traits,
    returns: false,
    input: true,
    note: (report) =>
      void verdict.then(({ formatted }) => output.report(formatted(report, traits))),
  })
  // Loaded while the ranks start.
  const verdict = import('./job-verdict.js')
  endFromOutside(run, request)
  const outcome = await run.outcome
  const { texts, status } = (await verdict).verdictOn(outcome, request, traits)
  for (const text of texts) output.report(text)
  return status
}

function endFromOutside(job: JobRun, { timeoutMs }: JobRequest): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => job.end({ kind: 'signal', signal }))
  }
  if (timeoutMs === undefined) return
  setTimeout(() => job.end({ kind: 'timeout', seconds: timeoutMs / 1000 }), timeoutMs)
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => (resolve = settle))
  return { promise, resolve }
}
