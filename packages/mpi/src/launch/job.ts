import type { Bundle } from './bundle.js'
import { EXIT } from './exit-status.js'
import type { FromJob, ToJob } from './job-message.js'
import { JobOutput } from './job-output.js'
import { reportOf, statusOf } from './job-report.js'
import type { JobRequest } from './job-request.js'
import { JobRun } from './job-run.js'
import { OutputQueue } from './output-queue.js'
import type { StreamTraits } from './rank-output.js'

// The main thread of a job's process. It never blocks: it owns all output and watches the ranks.

const queue = new OutputQueue((stream) => {
  // Without a reader of its output a job has nothing to live for; without one of its errors it goes on.
  if (stream === 1) run?.end({ kind: 'closed' })
})
const output = new JobOutput(queue)
const bundles: { promise: Promise<Bundle>; resolve: (bundle: Bundle) => void }[] = []
let run: JobRun | undefined

process.on('message', (message: ToJob) => {
  if (message.type === 'request') void perform(message.request)
  else bundles[message.index]!.resolve(message.bundle)
})
// mpiexec is gone: nobody would read what comes.
process.on('disconnect', () => process.exit(EXIT.internal))

async function perform(request: JobRequest): Promise<void> {
  request.programs.forEach(() => bundles.push(withResolvers()))
  run = new JobRun(request, {
    bundles: bundles.map(({ promise }) => promise),
    output,
    traits: { out: traitsOf(process.stdout), err: traitsOf(process.stderr) },
    returns: false,
    note: (text) => output.report(`note: ${text}`),
  })
  endFromOutside(run, request)
  const outcome = await run.outcome
  const report = reportOf(outcome, request)
  if (report) output.report(report)
  await queue.flushed()
  process.send!({ type: 'over', status: statusOf(outcome, request) } satisfies FromJob)
}

function endFromOutside(job: JobRun, { timeoutMs }: JobRequest): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => job.end({ kind: 'signal', signal }))
  }
  if (timeoutMs === undefined) return
  setTimeout(() => job.end({ kind: 'timeout', seconds: timeoutMs / 1000 }), timeoutMs)
}

function traitsOf(stream: NodeJS.WriteStream): StreamTraits {
  return { isTTY: stream.isTTY === true, columns: stream.columns ?? 80, rows: stream.rows ?? 24 }
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => (resolve = settle))
  return { promise, resolve }
}
