import { NETWORK_FAULTS, type NetworkFault } from '@commworld/transport'
import { checkNamed } from '../coll/select/named-algorithms.js'
import type { NamedAlgorithms } from '../coll/select/select.js'
import { ArgumentError } from '../errors/index.js'
import { checkPcap } from './command/pcap-file.js'
import { COROUTINE_RANKS_MAX, MEMORY_BYTES_MAX, MEMORY_BYTES_MIN } from './job/limits.js'

/** How `local` runs a program. */
export interface LocalOptions {
  /** Seed of all choices; default none, first come first served. */
  seed?: number
  /** Fixed choices, as a report prints them for a replay; instead of a seed. */
  choices?: string
  /** Memory of the world, for `alloc` and messages; default 256 MiB, 4 GiB for more than 1024 ranks. */
  memoryBytes?: number
  /**
   * The run must end within so many milliseconds; default none. It also bounds how long a rank may go
   * without awaiting anything, which is 60 s by default; `Infinity` lets it.
   */
  timeoutMs?: number
  /** Algorithms of collectives by name, for all calls that they can serve: `{ allreduce: 'ring' }`. */
  algorithms?: NamedAlgorithms
  /**
   * What may go wrong below the library; `seed` or `choices` decide whether and when it does. Messages
   * go in packets then, which get lost and are sent again. Not together with `pcap`.
   */
  faults?: readonly NetworkFault[]
  /** File for the packets that cross the fabric, for Wireshark. */
  pcap?: string
}

const KNOWN: ReadonlySet<string> = new Set([
  'seed',
  'choices',
  'memoryBytes',
  'timeoutMs',
  'algorithms',
  'faults',
  'pcap',
] satisfies (keyof LocalOptions)[])

/** @throws ArgumentError, AlgorithmError */
export function checkLocal(ranks: number, main: unknown, options: LocalOptions): void {
  if (!isInteger(ranks, 1, COROUTINE_RANKS_MAX)) {
    refuse('ranks', ranks, `an integer from 1 to ${COROUTINE_RANKS_MAX}`)
  }
  if (typeof main !== 'function') refuse('main', main, 'a function')
  for (const name of Object.keys(options)) {
    if (!KNOWN.has(name)) {
      refuse(name, options[name as keyof LocalOptions], 'left out: local has no such option')
    }
  }
  const { seed, choices, memoryBytes, timeoutMs, algorithms, faults, pcap } = options
  if (seed !== undefined && !isInteger(seed, 0, Number.MAX_SAFE_INTEGER)) {
    refuse('seed', seed, 'an integer from 0')
  }
  if (choices !== undefined && typeof choices !== 'string') refuse('choices', choices, 'a string')
  if (memoryBytes !== undefined && !isInteger(memoryBytes, MEMORY_BYTES_MIN, MEMORY_BYTES_MAX)) {
    refuse('memoryBytes', memoryBytes, `an integer from ${MEMORY_BYTES_MIN} to ${MEMORY_BYTES_MAX}`)
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0)) refuse('timeoutMs', timeoutMs, 'above 0')
  if (algorithms !== undefined) checkNamed(algorithms)
  if (faults !== undefined) checkFaults(faults, pcap)
  checkPcap(pcap)
}

function checkFaults(faults: readonly NetworkFault[], pcap: string | undefined): void {
  const known: readonly unknown[] = NETWORK_FAULTS
  if (!Array.isArray(faults) || !faults.every((kind) => known.includes(kind))) {
    refuse('faults', faults, `a list of these: ${NETWORK_FAULTS.join(', ')}`)
  }
  if (pcap !== undefined) refuse('pcap', pcap, 'left out where there are `faults`')
}

function isInteger(seen: number, least: number, most: number): boolean {
  return Number.isInteger(seen) && seen >= least && seen <= most
}

function refuse(argument: string, seen: unknown, expected: string): never {
  throw new ArgumentError({ argument, seen, expected })
}
