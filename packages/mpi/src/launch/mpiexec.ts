#!/usr/bin/env node
import { abortedRank } from './abort-words.js'
import { parseCommand } from './arguments.js'
import { BundleFolder } from './bundle.js'
import { EXIT } from './exit-status.js'
import { heapText } from './heap-text.js'
import { JobProcess, type ProcessEnd } from './job-process.js'
import type { JobRequest } from './job-request.js'
import { findProgram } from './program-file.js'
import { SpawnError } from './spawn-error.js'
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
  const command = parseCommand(argv)
  if (command.kind === 'run') return await runJob(command.job)
  // Loaded only here: a job does not need the texts.
  const { aboutText } = await import('./about-text.js')
  process.stdout.write(`${aboutText(command.kind)}\n`)
  return EXIT.clean
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
  if (end.words.heapWasFull) {
    process.stderr.write(`mpiexec: ${heapText(abortedRank(folder))}\n`)
    return EXIT.error
  }
  const how = end.signal === null ? `exit status ${end.status}` : `by ${end.signal}`
  process.stderr.write(
    `mpiexec: the job's process was ended from outside (${how})\n${end.words.text}\n`,
  )
  return EXIT.internal
}
