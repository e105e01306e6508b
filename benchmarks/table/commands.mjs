/** Running commands: found on PATH, with a time limit, output captured. */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const TIMEOUT_MS = 120_000

/** Every executable of that name on PATH. */
export function executables(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return [...new Set(folders)].map((folder) => join(folder, name)).filter(isExecutable)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Runs a command to its end.
 *
 * @param {readonly string[]} command
 * @returns {Promise<{ ok: boolean, stdout: string, stderr: string, milliseconds: number }>}
 */
export function run(command, { env = {}, timeoutMs = TIMEOUT_MS } = {}) {
  const [file, ...args] = command
  return new Promise((resolve) => {
    const start = performance.now()
    const child = spawn(file, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    const finish = (ok) => resolve({ ok, stdout, stderr, milliseconds: performance.now() - start })
    child.on('error', (error) => {
      stderr += error.message
      finish(false)
    })
    child.on('close', (code, signal) => {
      if (signal) stderr += `ended by ${signal}, the time limit is ${timeoutMs / 1000} s`
      finish(code === 0)
    })
  })
}

/** What a program printed, line by line and column by column; comments are left out. */
export function figureLines(stdout) {
  const lines = stdout.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(/\s+/).map(Number))
}
