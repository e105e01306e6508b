import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { helpText } from './help-text.js'
import { COROUTINE_RANKS_MAX, MEMORY_BYTES_MAX, THREAD_RANKS_MAX } from './limits.js'
import { packageFile } from './package-files.js'
import { formatSize } from './size-grammar.js'

/** The text of `--help`, `--version` or `--info`. */
export function aboutText(kind: 'help' | 'version' | 'info'): string {
  if (kind === 'help') return helpText()
  return kind === 'version' ? `mpiexec (Commworld) ${version()}` : infoText()
}

function infoText(): string {
  const rows = {
    Commworld: version(),
    Node: `${process.version}, V8 ${process.versions.v8}`,
    'MPI standard': '4.1',
    cores: String(availableParallelism()),
    'ranks at most': `${THREAD_RANKS_MAX} threads, ${COROUTINE_RANKS_MAX} with --in-process`,
    'memory of a world': `4GiB unless --memory says otherwise, at most ${formatSize(MEMORY_BYTES_MAX)}`,
  }
  const width = Math.max(...Object.keys(rows).map((name) => name.length)) + 2
  return Object.entries(rows)
    .map(([name, text]) => name.padEnd(width) + text)
    .join('\n')
}

function version(): string {
  return JSON.parse(readFileSync(packageFile('../package.json'), 'utf8')).version
}
