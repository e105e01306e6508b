import { fileURLToPath } from 'node:url'
import {
  callSite,
  libraryIn,
  type IsLibrary,
  type ReportStyle,
  type Role,
} from '../../diagnose/index.js'
import { packageFile } from '../program/package-files.js'
import type { StreamTraits } from './rank-output.js'

const built = [packageFile('.'), new URL('.', import.meta.resolve('@commworld/transport'))]

/**
 * Frames of this package and of the transport below it, wherever they lie: as they are built, and as a
 * test runner shows them that maps stacks to sources.
 */
export const isLibrary: IsLibrary = libraryIn(
  built.flatMap((folder) => [fileURLToPath(folder), fileURLToPath(new URL('../src/', folder))]),
)

/** The user's position in a stack text that is mapped to sources. */
export function locate(stack: string): string | undefined {
  return callSite(stack, isLibrary)
}

const COLOURS: Readonly<Partial<Record<Role, number>>> = {
  error: 31,
  hazard: 33,
  note: 36,
  rank: 1,
  site: 36,
  label: 1,
}

/** How reports look on a stream: coloured on a terminal unless NO_COLOR says otherwise, or by FORCE_COLOR. */
export function reportStyle(
  stream: StreamTraits,
  env: NodeJS.ProcessEnv = process.env,
): ReportStyle {
  const base = process.cwd()
  const width = stream.isTTY ? Math.max(60, Math.min(stream.columns, 120)) : 100
  return isColoured(stream, env) ? { base, width, paint } : { base, width }
}

function isColoured(stream: StreamTraits, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0'
  return stream.isTTY && !env.NO_COLOR
}

function paint(role: Role, text: string): string {
  const colour = COLOURS[role]
  return colour === undefined ? text : `\x1b[${colour}m${text}\x1b[0m`
}
