// Runs the launcher as a user does, and collects what it prints.

import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const launcher = join(root, 'packages/mpi/dist/launch/mpiexec.js')
const killAfterMs = 60_000

export type Run = { output: string; exitStatus: number | null }

/** Standard output and standard error as a terminal shows them, with the repository's path cut off. */
export async function mpiexec(args: readonly string[]): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'commworld-example-'))
  const path = join(folder, 'output')
  // Both streams go into one file, so that their lines keep their order.
  const file = openSync(path, 'w')
  try {
    const exitStatus = await new Promise<number | null>((resolve, reject) => {
      const child = spawn(process.execPath, [launcher, ...args], {
        cwd: root,
        env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
        stdio: ['ignore', file, file],
        timeout: killAfterMs,
      })
      child.on('error', reject)
      child.on('close', resolve)
    })
    return { output: readFileSync(path, 'utf8').replaceAll(root, ''), exitStatus }
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true })
  }
}
