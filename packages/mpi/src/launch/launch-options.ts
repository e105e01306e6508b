import { resolve } from 'node:path'
import { checkNamed } from '../coll/select/named-algorithms.js'
import type { NamedAlgorithms } from '../coll/select/select.js'
import { ArgumentError } from '../errors/index.js'
import type { JobRequest } from './job/job-request.js'
import { checkPcap } from './command/pcap-file.js'
import { MEMORY_BYTES_MAX, MEMORY_BYTES_MIN, THREAD_RANKS_MAX } from './job/limits.js'

/** How `launch` starts a program. */
export interface LaunchOptions {
  /** 1 to 1024. */
  ranks: number
  /** What the program finds in `args` and after its name in `process.argv`; default none. */
  args?: readonly string[]
  /** The job is ended and the promise rejected after this many milliseconds; default never. */
  timeoutMs?: number
  /** Memory of the world, for `alloc` and messages; default 4 GiB, which costs nothing until used. */
  memoryBytes?: number
  /** One rank runs at a time, in an order that `seed` or `choices` decide; default false. */
  serial?: boolean
  /** Seed of all choices of a serial run; default 0, first come first served. */
  seed?: number
  /** Fixed choices, as a report prints them for a replay; serial runs only. */
  choices?: string
  /** A large message that must be copied twice is an error; default false. */
  strictZeroCopy?: boolean
  /**
   * Algorithms of collectives by name, for all calls that they can serve: `{ allreduce: 'ring' }`;
   * default what the table says (`mpiexec --info coll`).
   */
  algorithms?: NamedAlgorithms
  /** File for the packets that cross the fabric, for Wireshark; everything goes by queue pairs then. */
  pcap?: string
}

const KNOWN: ReadonlySet<string> = new Set([
  'ranks',
  'args',
  'timeoutMs',
  'memoryBytes',
  'serial',
  'seed',
  'choices',
  'strictZeroCopy',
  'algorithms',
  'pcap',
] satisfies (keyof LaunchOptions)[])

/** The job that `launch(program, options)` asks for. Throws `ArgumentError`, `AlgorithmError`. */
export function launchRequest(file: string, options: LaunchOptions): JobRequest {
  for (const name of Object.keys(options)) {
    if (!KNOWN.has(name))
      refuse(name, options[name as keyof LaunchOptions], 'left out: launch has no such option')
  }
  const { ranks, args = [], serial = false, strictZeroCopy = false } = options
  requireInteger('ranks', ranks, 1, THREAD_RANKS_MAX)
  if (!Array.isArray(args) || args.some((argument) => typeof argument !== 'string')) {
    refuse('args', args, 'an array of strings')
  }
  requireBoolean('serial', serial)
  requireBoolean('strictZeroCopy', strictZeroCopy)
  const { timeoutMs, memoryBytes, seed, choices, algorithms, pcap } = options
  if (timeoutMs !== undefined && !(timeoutMs > 0)) refuse('timeoutMs', timeoutMs, 'above 0')
  if (memoryBytes !== undefined) {
    requireInteger('memoryBytes', memoryBytes, MEMORY_BYTES_MIN, MEMORY_BYTES_MAX)
  }
  if (seed !== undefined) requireInteger('seed', seed, 0, Number.MAX_SAFE_INTEGER)
  if (choices !== undefined && typeof choices !== 'string') refuse('choices', choices, 'a string')
  if (!serial && (seed !== undefined || choices !== undefined)) {
    refuse(
      'serial',
      serial,
      'true with `seed` or `choices`: parallel threads choose for themselves',
    )
  }
  if (algorithms !== undefined) checkNamed(algorithms)
  checkPcap(pcap)
  return {
    programs: [{ file, args, ranks, env: {} }],
    carrier: serial ? 'serial' : 'parallel',
    prefix: false,
    stats: false,
    strict: false,
    sites: false,
    strictZeroCopy,
    timeoutMs,
    memoryBytes,
    seed,
    choices,
    algorithms,
    pcap: pcap === undefined ? undefined : resolve(pcap),
  }
}

function requireInteger(argument: string, seen: unknown, least: number, most: number): void {
  if (Number.isInteger(seen) && (seen as number) >= least && (seen as number) <= most) return
  refuse(argument, seen, `an integer from ${least} to ${most}`)
}

function requireBoolean(argument: string, seen: unknown): void {
  if (typeof seen !== 'boolean') refuse(argument, seen, 'true or false')
}

function refuse(argument: string, seen: unknown, expected: string): never {
  throw new ArgumentError({ argument, seen, expected })
}
