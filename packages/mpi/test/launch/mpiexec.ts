// Runs the built launcher as a user does.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const launcher = fileURLToPath(new URL('../../dist/launch/mpiexec.js', import.meta.url))
export const programs = fileURLToPath(new URL('./programs', import.meta.url))

export interface Run {
  status: number | null
  stdout: string
  stderr: string
  milliseconds: number
}

export interface RunOptions {
  env?: Record<string, string>
  input?: string
  /** Sent when the program has written this text to standard output. */
  signal?: { name: NodeJS.Signals; after: string }
  cwd?: string
}

const KILL_AFTER_MS = 25_000

/** `milliseconds` counts from the signal, when there is one. */
export async function mpiexec(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { env, input = '', signal, cwd = programs } = options
  let start = performance.now()
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
    timeout: KILL_AFTER_MS,
    killSignal: 'SIGKILL',
  })
  const run: Run = { status: null, stdout: '', stderr: '', milliseconds: 0 }
  let sent = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    run.stdout += text
    if (signal === undefined || sent || !run.stdout.includes(signal.after)) return
    sent = true
    start = performance.now()
    child.kill(signal.name)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (run.stderr += text))
  child.stdin.on('error', () => {}).end(input)
  run.status = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  run.milliseconds = performance.now() - start
  return run
}

/** The lines of a text, sorted: ranks write in any order. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean).sort()
}

/** `ends.ts:7` for the first line of that program with `text` in it. */
export function lineOf(program: string, text: string): string {
  const lines = readFileSync(join(programs, program), 'utf8').split('\n')
  const index = lines.findIndex((line) => line.includes(text))
  if (index < 0) throw new Error(`${program} has no line with ${text}`)
  return `${program}:${index + 1}`
}
