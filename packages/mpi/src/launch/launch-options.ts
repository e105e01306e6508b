import { resolve } from 'node:path'
import { checkNamed } from '../coll/select/named-algorithms.js'
import type { NamedAlgorithms } from '../coll/select/select.js'
import { ArgumentError } from '../errors/index.js'
import type { FabricRequest, JobRequest } from './job/job-request.js'
import { checkPcap } from './command/pcap-file.js'
import {
  MEMORY_BYTES_MAX,
  MEMORY_BYTES_MIN,
  THREAD_RANKS_MAX,
  VIRTUAL_THREADS_MAX,
} from './job/limits.js'

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
  /**
   * Virtual time on a simulated cluster: its file (YAML), or a network such as `hdr`. One rank runs at a
   * time, at most 128 there are, and `wtime()` is virtual.
   */
  fabric?: string | FabricOptions
}

/** A run in virtual time. Paths are relative to the current directory. */
export interface FabricOptions {
  /** The cluster (YAML), or a network such as `hdr`. */
  file: string
  /** Ranks of one host; default what the file says, else 1. */
  ranksPerHost?: number
  /** How ranks are put on hosts; default what the file says, else `block`. */
  placement?: 'block' | 'round-robin'
  /** File for what each link carried, as JSON. */
  links?: string
  /** File for a page with topology, load and timeline, as HTML. */
  report?: string
  /** File for the run as a GOAL schedule. */
  goal?: string
  /** Typed arrays are not moved: what they are received into keeps what it had; default false. */
  timingOnly?: boolean
  /** Computing takes measured time times this, which is not reproducible; default: what `compute` says alone. */
  computeScale?: number
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
  'fabric',
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
  const fabric = fabricRequest(options)
  if (timeoutMs !== undefined && !(timeoutMs > 0)) refuse('timeoutMs', timeoutMs, 'above 0')
  if (memoryBytes !== undefined) {
    requireInteger('memoryBytes', memoryBytes, MEMORY_BYTES_MIN, MEMORY_BYTES_MAX)
  }
  if (seed !== undefined) requireInteger('seed', seed, 0, Number.MAX_SAFE_INTEGER)
  if (choices !== undefined && typeof choices !== 'string') refuse('choices', choices, 'a string')
  if (!serial && fabric === undefined && (seed !== undefined || choices !== undefined)) {
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
    carrier: serial || fabric !== undefined ? 'serial' : 'parallel',
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
    fabric,
    pcap: pcap === undefined ? undefined : resolve(pcap),
  }
}

const FABRIC_KNOWN: ReadonlySet<string> = new Set([
  'file',
  'ranksPerHost',
  'placement',
  'links',
  'report',
  'goal',
  'timingOnly',
  'computeScale',
] satisfies (keyof FabricOptions)[])

function fabricRequest({ fabric, ranks, pcap }: LaunchOptions): FabricRequest | undefined {
  if (fabric === undefined) return undefined
  const given = typeof fabric === 'string' ? { file: fabric } : fabric
  if (typeof given?.file !== 'string') refuse('fabric', fabric, 'a file, or an object with `file`')
  for (const [name, seen] of Object.entries(given)) {
    if (!FABRIC_KNOWN.has(name)) refuse(`fabric.${name}`, seen, 'left out: there is no such option')
  }
  requireInteger('ranks', ranks, 1, VIRTUAL_THREADS_MAX)
  if (pcap !== undefined) refuse('pcap', pcap, 'left out: in virtual time there are no packets')
  const { computeScale, timingOnly = false } = given
  if (computeScale !== undefined && !(computeScale > 0 && computeScale < Infinity)) {
    refuse('fabric.computeScale', computeScale, 'a factor above 0')
  }
  const { file, ranksPerHost, placement, links, report, goal } = given
  requireBoolean('fabric.timingOnly', timingOnly)
  if (ranksPerHost !== undefined) requireInteger('fabric.ranksPerHost', ranksPerHost, 1, ranks)
  if (placement !== undefined && placement !== 'block' && placement !== 'round-robin') {
    refuse('fabric.placement', placement, 'block or round-robin')
  }
  const path = (name: string | undefined) => (name === undefined ? undefined : resolve(name))
  return {
    file: resolve(file),
    ranksPerHost,
    placement,
    links: path(links),
    report: path(report),
    goal: path(goal),
    digest: false,
    timingOnly,
    computeScale,
    quiet: true,
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
