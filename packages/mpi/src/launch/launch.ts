import { deserialize } from 'node:v8'
import { formatReport, type Report } from '../diagnose/index.js'
import { AbortedError, DeadlockError, InternalError, restoreError } from '../errors/index.js'
import { BundleFolder } from './program/bundle.js'
import { HostSink } from './output/host-sink.js'
import { JobOutput } from './job/job-output.js'
import { reportsOn } from './job/job-reports.js'
import { JobRun, type JobOutcome } from './job/job-run.js'
import { HeapError, LeftoverError, TimeoutError } from './job/launch-errors.js'
import { launchRequest, type LaunchOptions } from './launch-options.js'
import { findProgram } from './program/program-file.js'
import { SpawnError } from './program/spawn-error.js'

/**
 * Runs a program on worker threads of this process, one per rank, and resolves with what its `main`
 * returned on each rank, by rank. Results are copied out of the world's memory.
 *
 * Rejects with the error of the rank that failed first, an object of the same class. Several launches
 * may be under way at a time.
 *
 * @param program a file URL, or a path relative to the current directory
 * @throws {SpawnError} the program is missing, does not build, or exports no function
 * @throws {DeadlockError} ranks can never continue; the message is the report
 * @throws {AbortedError} a rank called `abort` or `process.exit`
 * @throws {TimeoutError} `timeoutMs` was over
 * @throws {LeftoverError} all ranks returned, but a request or a message was left over
 * @throws {ArgumentError} an option is wrong
 * @throws {AlgorithmError} `algorithms` names one that is not there
 *
 * @example
 * const sums = await launch<number>(new URL('./sum.ts', import.meta.url), { ranks: 4 })
 */
export async function launch<R = unknown>(
  program: URL | string,
  options: LaunchOptions,
): Promise<R[]> {
  const request = launchRequest(String(program), options)
  const source = findProgram(program)
  const folder = new BundleFolder()
  const removeAtExit = () => folder.remove()
  process.once('exit', removeAtExit)
  try {
    const bundle = folder.add(source, String(program))
    const sink = new HostSink()
    const run = new JobRun(request, {
      bundles: [bundle],
      output: new JobOutput(sink),
      traits: sink.traits,
      returns: true,
      input: false,
      note: () => {},
    })
    bundle.catch(() => run.end({ kind: 'closed' }))
    const timer = timeLimit(run, options.timeoutMs)
    const outcome = await run.outcome
    clearTimeout(timer)
    await bundle
    await sink.flushed()
    return resultsOf(outcome) as R[]
  } finally {
    process.off('exit', removeAtExit)
    folder.remove()
  }
}

function timeLimit(run: JobRun, timeoutMs: number | undefined): NodeJS.Timeout | undefined {
  if (timeoutMs === undefined) return undefined
  return setTimeout(() => run.end({ kind: 'timeout', seconds: timeoutMs / 1000 }), timeoutMs)
}

function resultsOf(outcome: JobOutcome): unknown[] {
  const reports = reportsOn(outcome)
  const failure = failureOf(outcome, reports)
  if (failure !== undefined) throw failure.thrown
  return outcome.values.map((value) => value && deserialize(value))
}

/** What a rank threw may be anything, `undefined` included. */
function failureOf(
  { end }: JobOutcome,
  reports: readonly Report[],
): { readonly thrown: unknown } | undefined {
  const text = reports.map((report) => formatReport(report, { base: process.cwd() })).join('\n')
  switch (end.kind) {
    case 'finished': {
      const errors = reports.filter(({ severity }) => severity === 'error')
      return errors.length > 0 ? { thrown: new LeftoverError({ reports, text }) } : undefined
    }
    case 'failed':
      return { thrown: restored(end.error) }
    case 'exit':
    case 'abort':
      return { thrown: new AbortedError({ origin: end.rank, exitCode: end.code }) }
    case 'deadlock':
      return { thrown: new DeadlockError({ ranks: end.ranks, text, report: reports[0] }) }
    case 'silent':
      return { thrown: new DeadlockError({ ranks: [end.rank], text, report: reports[0] }) }
    case 'heap':
      return { thrown: new HeapError({ rank: end.rank, text }) }
    case 'timeout':
      return { thrown: new TimeoutError({ timeoutMs: end.seconds * 1000, text }) }
    case 'internal':
      return { thrown: new InternalError(text) }
    case 'signal':
    case 'closed':
      return { thrown: new AbortedError({ origin: undefined, exitCode: 1 }) }
  }
}

/** Classes of this folder, which the errors' own table does not know. */
function restored(error: Parameters<typeof restoreError>[0]): unknown {
  const thrown = restoreError(error)
  if (error.name === 'SpawnError') Object.setPrototypeOf(thrown, SpawnError.prototype)
  return thrown
}
