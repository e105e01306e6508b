import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearestName } from '../command/nearest-name.js'
import { SpawnError } from './spawn-error.js'

/** What esbuild reads as a program. */
export const PROGRAM_EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx']

/** The absolute path of a program, a path or a file URL. Throws `SpawnError` when it cannot be one. */
export function findProgram(program: string | URL, folder = process.cwd()): string {
  const written = String(program)
  const path = written.startsWith('file:') ? fileURLToPath(written) : resolve(folder, written)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw new SpawnError(written, `there is no such file${suggestion(path)}`)
  if (stats.isDirectory()) {
    throw new SpawnError(written, `this is a directory; a program is a file${suggestion(path)}`)
  }
  if (!PROGRAM_EXTENSIONS.includes(extname(path))) {
    throw new SpawnError(
      written,
      `mpiexec runs TypeScript and JavaScript (${PROGRAM_EXTENSIONS.join(' ')})${suggestion(path)}`,
    )
  }
  return path
}

function suggestion(path: string): string {
  const name = basename(path)
  const candidates = programsIn(dirname(path)).filter((candidate) => candidate !== name)
  const nearest =
    candidates.find((candidate) => withoutExtension(candidate) === withoutExtension(name)) ??
    nearestName(name, candidates)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

function programsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && PROGRAM_EXTENSIONS.includes(extname(entry.name)))
      .map((entry) => entry.name)
  } catch {
    return []
  }
}

function withoutExtension(name: string): string {
  return basename(name, extname(name))
}
