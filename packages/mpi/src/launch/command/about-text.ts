import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { COLLECTIVE_KINDS } from '../../coll/plan/collective.js'
import { isCollective } from '../../coll/select/named-algorithms.js'
import { collectiveAlgorithms } from '../../coll/select/registry.js'
import { EXPLANATIONS, explain, REPORT_CODES } from '../../diagnose/index.js'
import { algorithmsText } from './algorithms-text.js'
import type { Command } from './arguments.js'
import { helpText } from './help-text.js'
import { COROUTINE_RANKS_MAX, MEMORY_BYTES_MAX, THREAD_RANKS_MAX } from '../job/limits.js'
import { nearestName } from './nearest-name.js'
import { packageFile } from '../program/package-files.js'
import { formatSize } from './size-grammar.js'
import { UsageError } from './usage-error.js'

/** The text of a command that runs nothing. Throws `UsageError` for a code or topic that is not there. */
export function aboutText(command: Exclude<Command, { kind: 'run' }>): string {
  switch (command.kind) {
    case 'help':
      return helpText()
    case 'version':
      return `mpiexec (Commworld) ${version()}`
    case 'info':
      return topicText(command.topic)
    case 'explain':
      return explainText(command.code)
  }
}

function explainText(code: string | undefined): string {
  const codes = REPORT_CODES.map((name) => `  ${name}  ${EXPLANATIONS[name].title}`).join('\n')
  if (code === undefined) return `mpiexec explain CODE, with one of\n${codes}`
  const page = explain(code)
  if (page === undefined)
    throw new UsageError(`there is no report ${code}; mpiexec explain lists all`)
  return page.trimEnd()
}

function topicText(topic: string | undefined): string {
  if (topic === undefined) return infoText()
  if (topic === 'coll') return algorithmsText()
  if (isCollective(topic)) return algorithmsText(topic)
  const nearest = nearestName(topic, ['coll', ...COLLECTIVE_KINDS])
  const hint = nearest ? `did you mean ${nearest}?` : `it has coll, ${COLLECTIVE_KINDS.join(', ')}`
  throw new UsageError(`--info has no topic ${topic}; ${hint}`)
}

function infoText(): string {
  const rows = {
    Commworld: version(),
    Node: `${process.version}, V8 ${process.versions.v8}`,
    'MPI standard': '4.1',
    cores: String(availableParallelism()),
    'ranks at most': `${THREAD_RANKS_MAX} threads, ${COROUTINE_RANKS_MAX} with --in-process`,
    'memory of a world': `4GiB unless --memory says otherwise, at most ${formatSize(MEMORY_BYTES_MAX)}`,
    collectives: `${collectiveAlgorithms.length} algorithms; --info coll says which serves what`,
  }
  const width = Math.max(...Object.keys(rows).map((name) => name.length)) + 2
  return Object.entries(rows)
    .map(([name, text]) => name.padEnd(width) + text)
    .join('\n')
}

function version(): string {
  return JSON.parse(readFileSync(packageFile('../package.json'), 'utf8')).version
}
