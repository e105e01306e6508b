#!/usr/bin/env node
import { ALGORITHM_VARIABLE } from './algorithm-variable.js'
import { parseCommand } from './arguments.js'
import { BundleFolder } from '../program/bundle.js'
import { EXIT } from '../job/exit-status.js'
import { JobProcess, type ProcessEnd } from '../job/job-process.js'
import type { JobRequest } from '../job/job-request.js'
import { describeDeath } from '../job/process-death.js'
import { findProgram } from '../program/program-file.js'
import { SpawnError } from '../program/spawn-error.js'
import { UsageError } from './usage-error.js'

// The command: a thin parent of the job's process. It reads the command line and bundles the programs
// while that process starts, passes signals on, and reports an end that the process cannot report.

try {
  process.exitCode = await mpiexec(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError || error instanceof SpawnError)) throw error
  process.stderr.write(`mpiexec: ${error.message}\n`)
  process.exitCode = EXIT.error
}

async function mpiexec(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'explore') {
    const { exploreCommand } = await import('./explore-command.js')
    return await exploreCommand(argv.slice(1))
  }
  if (argv[0] === 'simulate') {
    const { simulateCommand } = await import('./simulate-command.js')
    process.stdout.on('error', () => {})
    process.stdout.write(`${simulateCommand(argv.slice(1))}\n`)
    return EXIT.clean
  }
  if (argv[0] === 'replay') {
    const { replayCommand } = await import('./replay-command.js')
    process.stdout.on('error', () => {})
    process.stdout.write(`${await replayCommand(argv.slice(1))}\n`)
    return EXIT.clean
  }
  if (argv[0] === 'compare') {
    const { compareCommand } = await import('./compare-command.js')
    return await compareCommand(argv.slice(1), runJob)
  }
  const command = parseCommand(argv)
  if (command.kind === 'run') {
    const algorithms = await algorithmsFor(command.algorithms)
    return await runJob({ ...command.job, algorithms })
  }
  // Loaded only here: a job does not need the texts.
  const { aboutText } = await import('./about-text.js')
  // The reader of a long text may have seen enough: `| head`.
  process.stdout.on('error', () => {})
  process.stdout.write(`${aboutText(command)}\n`)
  return EXIT.clean
}

/** Loads the list of algorithms only where one is named. Throws `UsageError`. */
async function algorithmsFor(options: readonly string[]): Promise<JobRequest['algorithms']> {
  const variable = process.env[ALGORITHM_VARIABLE] ?? ''
  if (variable === '' && options.length === 0) return undefined
  const { namedAlgorithms } = await import('./named-algorithms.js')
  return namedAlgorithms({ variable, options })
}

async function runJob(request: JobRequest): Promise<number> {
  const sources = request.programs.map(({ file }) => findProgram(file))
  const folder = new BundleFolder()
  const job = new JobProcess(request, folder.path)
  let signal: 'SIGINT' | 'SIGTERM' | undefined
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      signal ??= name
      job.interrupt(name)
    })
  }
  try {
    const bundled = sources.map(async (source, index) => {
      job.start(index, await folder.add(source, request.programs[index]!.file))
    })
    const failed = Promise.all(bundled).then(() => job.ended)
    return statusOf(await Promise.race([failed, job.ended]), signal, folder.path)
  } finally {
    job.kill()
    folder.remove()
  }
}

function statusOf(
  end: ProcessEnd,
  signal: 'SIGINT' | 'SIGTERM' | undefined,
  folder: string,
): number {
  if (end.kind === 'over') return end.status
  if (signal === 'SIGINT') return EXIT.interrupted
  if (signal === 'SIGTERM') return EXIT.terminated
  const { text, status } = describeDeath(end, folder)
  process.stderr.write(`mpiexec: ${text}\n`)
  return status
}
