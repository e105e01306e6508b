import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { NetworkFault } from '@commworld/transport'
import {
  COROUTINE_RANKS_MAX,
  HEAP_BYTES_MIN,
  MEMORY_BYTES_MAX,
  MEMORY_BYTES_MIN,
  THREAD_RANKS_MAX,
  VIRTUAL_THREADS_MAX,
} from '../job/limits.js'
import {
  rankCount,
  type Carrier,
  type FabricRequest,
  type JobRequest,
  type ProgramRequest,
} from '../job/job-request.js'
import { nearestName } from './nearest-name.js'
import { parseFaults } from './parse-faults.js'
import { OPTIONS, spelling, type OptionEntry, type OptionName } from './option-table.js'
import { formatSize, parseSize, SIZE_GRAMMAR } from './size-grammar.js'
import { problemWithPcap } from './pcap-file.js'
import { UsageError } from './usage-error.js'

/** What the command line asks for. */
export type Command =
  | {
      readonly kind: 'run'
      readonly job: JobRequest
      /** What `--algorithm` says, each time: names that are not checked yet. */
      readonly algorithms: readonly string[]
    }
  | { readonly kind: 'help' | 'version' }
  /** `mpiexec --info TOPIC`; without a topic what holds for all. */
  | { readonly kind: 'info'; readonly topic: string | undefined }
  /** `mpiexec explain CODE`; without a code all codes. */
  | { readonly kind: 'explain'; readonly code: string | undefined }

/** What stands before one program, and the program with its arguments. */
interface Section {
  readonly options: ReadonlyMap<OptionName, readonly string[]>
  readonly file: string | undefined
  readonly args: readonly string[]
}

/** Reads the command line of mpiexec (what follows the command itself). Throws `UsageError`. */
export function parseCommand(argv: readonly string[]): Command {
  if (argv[0] === 'explain') return { kind: 'explain', code: argv[1] }
  const sections = splitAtColons(argv).map(parseSection)
  const [first, ...others] = sections as [Section, ...Section[]]
  for (const kind of ['help', 'version'] as const) {
    if (first.options.has(kind)) return { kind }
  }
  const info = first.options.get('info')
  if (info !== undefined) return { kind: 'info', topic: info.at(-1) || first.file }
  if (argv.length === 0) return { kind: 'help' }
  for (const section of others) refuseJobOptions(section)
  const programs = sections.map(programOf)
  const algorithms = first.options.get('algorithm') ?? []
  return { kind: 'run', job: jobOf(first.options, programs), algorithms }
}

function splitAtColons(argv: readonly string[]): string[][] {
  const sections: string[][] = [[]]
  for (const argument of argv) {
    if (argument === ':') sections.push([])
    else sections.at(-1)!.push(argument)
  }
  return sections
}

const parserOptions = Object.fromEntries(
  (OPTIONS as readonly OptionEntry[]).map(({ name, short, value }) => [
    name,
    { type: value ? 'string' : 'boolean', ...(short && { short }) } as const,
  ]),
)

function parseSection(argv: readonly string[]): Section {
  const { tokens } = parseArgs({
    args: argv.map((argument) => (argument === '-np' ? '-n' : argument)),
    options: parserOptions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const options = new Map<OptionName, string[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') {
      return { options, file: argv[token.index]!, args: argv.slice(token.index + 1) }
    }
    if (token.kind !== 'option') continue
    const entry = entryOf(token.name, argv[token.index]!)
    if (entry.value && token.value === undefined) {
      throw new UsageError(
        `${spelling(entry.name)} needs a value: ${spelling(entry.name)} ${entry.value}`,
      )
    }
    if (!entry.value && !entry.topicValue && token.value !== undefined) {
      throw new UsageError(`${spelling(entry.name)} takes no value`)
    }
    const values = options.get(entry.name as OptionName) ?? []
    options.set(entry.name as OptionName, [...values, token.value ?? ''])
  }
  return { options, file: undefined, args: [] }
}

function entryOf(name: string, typed: string): OptionEntry {
  const entry = (OPTIONS as readonly OptionEntry[]).find((option) => option.name === name)
  if (entry) return entry
  const word = typed.replace(/^-+/, '').replace(/=.*/, '')
  const nearest = nearestName(
    word,
    OPTIONS.map((option) => option.name),
  )
  const hint = nearest ? `did you mean ${spelling(nearest)}?` : '--help lists all options'
  throw new UsageError(`unknown option ${typed.replace(/=.*/, '')}; ${hint}`)
}

function refuseJobOptions(section: Section): void {
  for (const name of section.options.keys()) {
    const entry = OPTIONS.find((option) => option.name === name)!
    if (entry.scope === 'job') {
      throw new UsageError(`${spelling(name)} is for the whole job: put it before the first ':'`)
    }
  }
}

function programOf(section: Section, _index: number, all: readonly Section[]): ProgramRequest {
  if (section.file === undefined) {
    throw new UsageError(
      all.length > 1
        ? "a program is missing beside ':'"
        : 'no program given; try: mpiexec -n 4 program.ts',
    )
  }
  return {
    file: section.file,
    args: section.args,
    ranks: ranksOf(section.options.get('n')?.at(-1)),
    env: Object.fromEntries((section.options.get('env') ?? []).map(parseAssignment)),
  }
}

function ranksOf(text: string | undefined): number {
  if (text === undefined) return availableParallelism()
  const ranks = Number(text)
  if (!/^[+-]?\d+$/.test(text)) {
    throw new UsageError(`-n needs a number of ranks, such as -n 4; it got '${text}'`)
  }
  if (ranks < 1) throw new UsageError(`-n ${text}: a job has at least 1 rank`)
  return ranks
}

function parseAssignment(text: string): [string, string] {
  const equals = text.indexOf('=')
  if (equals < 1) throw new UsageError(`--env needs NAME=VALUE; it got '${text}'`)
  return [text.slice(0, equals), text.slice(equals + 1)]
}

function jobOf(options: Section['options'], programs: readonly ProgramRequest[]): JobRequest {
  const last = (name: OptionName) => options.get(name)?.at(-1)
  const carrier = carrierOf(options)
  checkRankCount(programs, carrier)
  const timeout = secondsOf('timeout', last('timeout'))
  const seed = last('seed')
  return {
    programs,
    carrier,
    prefix: options.has('prefix'),
    stats: options.has('stats'),
    strict: options.has('strict'),
    strictZeroCopy: options.has('strict-zero-copy'),
    sites: options.has('sites'),
    timeoutMs: timeout && timeout * 1000,
    memoryBytes: sizeOf('memory', last('memory'), MEMORY_BYTES_MIN, MEMORY_BYTES_MAX),
    heapBytes: sizeOf('heap', last('heap'), HEAP_BYTES_MIN),
    eagerLimitBytes: sizeOf('eager-limit', last('eager-limit'), 0, 2 ** 31 - 1),
    fabric: fabricOf(options, carrier, rankCount({ programs })),
    seed: seed === undefined ? undefined : parseSeed(seed),
    choices: last('choices'),
    faults: faultsOf(options, carrier),
    pcap: pcapOf(last('pcap')),
  }
}

/** Options that say nothing without a fabric. */
const OF_FABRIC = [
  'ppn',
  'placement',
  'links',
  'report',
  'goal',
  'digest',
  'timing-only',
  'expect',
  'compute-scale',
] as const

function fabricOf(
  options: Section['options'],
  carrier: Carrier,
  ranks: number,
): FabricRequest | undefined {
  const last = (name: OptionName) => options.get(name)?.at(-1)
  const file = last('fabric')
  if (file === undefined) {
    const stray = OF_FABRIC.find((name) => options.has(name))
    if (stray !== undefined) throw new UsageError(`--${stray} needs --fabric FILE`)
    return undefined
  }
  if (carrier === 'parallel') {
    throw new UsageError(
      '--fabric needs --in-process (coroutines, i-forms with await) or --serial (threads, up to ' +
        `${VIRTUAL_THREADS_MAX} ranks): in virtual time one rank runs at a time`,
    )
  }
  if (carrier === 'serial' && ranks > VIRTUAL_THREADS_MAX) {
    throw new UsageError(
      `-n ${ranks}: in virtual time at most ${VIRTUAL_THREADS_MAX} ranks have threads of their own; ` +
        `with --in-process and i-forms there may be ${COROUTINE_RANKS_MAX}`,
    )
  }
  if (options.has('eager-limit')) {
    throw new UsageError("--eager-limit: with --fabric it is the network's; set it in the file")
  }
  if (options.has('pcap')) {
    throw new UsageError('--pcap: with --fabric messages are timed, not carried in packets')
  }
  const placement = last('placement')
  if (placement !== undefined && placement !== 'block' && placement !== 'round-robin') {
    throw new UsageError(`--placement is block or round-robin, not '${placement}'`)
  }
  const ppn = last('ppn')
  if (ppn !== undefined && !/^[1-9]\d{0,5}$/.test(ppn)) {
    throw new UsageError(`--ppn needs a whole number from 1; it got '${ppn}'`)
  }
  const path = (name: OptionName) => last(name) && resolve(last(name)!)
  return {
    file: resolve(file),
    ranksPerHost: ppn === undefined ? undefined : Number(ppn),
    placement,
    links: path('links'),
    report: path('report'),
    goal: path('goal'),
    digest: options.has('digest'),
    timingOnly: options.has('timing-only'),
    computeScale: scaleOf(last('compute-scale'), carrier),
    expectedSeconds: secondsOf('expect', last('expect')),
  }
}

function faultsOf(
  options: Section['options'],
  carrier: Carrier,
): readonly NetworkFault[] | undefined {
  const text = options.get('faults')?.at(-1)
  if (text === undefined) return undefined
  if (carrier !== 'coroutine') {
    throw new UsageError('--faults needs --in-process: threads carry their messages themselves')
  }
  for (const name of ['fabric', 'pcap'] as const) {
    if (options.has(name)) throw new UsageError(`--faults cannot be together with --${name}`)
  }
  return parseFaults(text)
}

function scaleOf(text: string | undefined, carrier: Carrier): number | undefined {
  if (text === undefined) return undefined
  if (carrier !== 'serial') {
    throw new UsageError(
      '--compute-scale needs --serial: ranks of one thread are not measured apart',
    )
  }
  const scale = Number(text)
  if (/^[\d.]/.test(text) && scale > 0 && scale < Infinity) return scale
  throw new UsageError(`--compute-scale needs a factor above 0; it got '${text}'`)
}

function carrierOf(options: Section['options']): Carrier {
  const serial = options.has('serial')
  const coroutines = options.has('in-process')
  if (serial && coroutines) {
    throw new UsageError('--in-process is serial already: leave --serial away')
  }
  for (const name of ['seed', 'choices'] as const) {
    if (options.has(name) && !serial && !coroutines) {
      throw new UsageError(
        `--${name} needs --serial or --in-process: threads in parallel choose for themselves`,
      )
    }
  }
  return coroutines ? 'coroutine' : serial ? 'serial' : 'parallel'
}

function checkRankCount(programs: readonly ProgramRequest[], carrier: Carrier): void {
  const ranks = rankCount({ programs })
  const [most, hint] =
    carrier === 'coroutine'
      ? [COROUTINE_RANKS_MAX, '']
      : [THREAD_RANKS_MAX, `; --in-process allows ${COROUTINE_RANKS_MAX}`]
  if (ranks > most) {
    throw new UsageError(`-n ${ranks}: a job has at most ${most} ranks${hint}`)
  }
}

function pcapOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const problem = problemWithPcap(file)
  if (problem !== undefined) throw new UsageError(`--pcap ${file} cannot be written: ${problem}`)
  return resolve(file)
}

function secondsOf(name: 'timeout' | 'expect', text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (!/^\d*\.?\d+(e-?\d+)?$/.test(text) || seconds <= 0) {
    throw new UsageError(`--${name} needs seconds above 0; it got '${text}'`)
  }
  return seconds
}

function parseSeed(text: string): number {
  const seed = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed)) {
    throw new UsageError(`--seed needs a whole number; it got '${text}'`)
  }
  return seed
}

function sizeOf(
  name: 'memory' | 'heap' | 'eager-limit',
  text: string | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined
  const bytes = parseSize(text)
  if (bytes === undefined) throw new UsageError(`--${name} needs ${SIZE_GRAMMAR}; it got '${text}'`)
  if (bytes < least)
    throw new UsageError(`--${name} ${text} is too little: at least ${formatSize(least)}`)
  if (bytes > most)
    throw new UsageError(`--${name} ${text} is too much: at most ${formatSize(most)}`)
  return bytes
}
