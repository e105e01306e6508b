import type { NetworkFault } from '@commworld/transport'
import type { NamedAlgorithms } from '../../coll/select/select.js'

/** What a rank is: a thread of many that run at once, a thread of which one runs at a time, an async function. */
export type Carrier = 'parallel' | 'serial' | 'coroutine'

/** One program of a job; an MPMD job has several. */
export interface ProgramRequest {
  /** As the user wrote it. */
  readonly file: string
  readonly args: readonly string[]
  readonly ranks: number
  /** Added to the environment of its ranks. */
  readonly env: Readonly<Record<string, string>>
}

/** The cluster that a job runs on in virtual time, and what is wanted of the run. Paths are absolute. */
export interface FabricRequest {
  readonly file: string
  readonly ranksPerHost: number | undefined
  readonly placement: 'block' | 'round-robin' | undefined
  readonly links: string | undefined
  readonly report: string | undefined
  readonly goal: string | undefined
  readonly digest: boolean
  /** Typed arrays are not moved. */
  readonly timingOnly: boolean
  /** What time that the machine takes counts for computing, for ranks with threads; nothing when left out. */
  readonly computeScale?: number | undefined
  /** The virtual time that the run will take, as far as anybody knows: for an estimate of what is left. */
  readonly expectedSeconds?: number | undefined
  /** Nothing is told of the run: somebody reads what is written. */
  readonly quiet?: boolean
}

/** A job as the command line or a call of `launch` asks for it. Sizes in bytes; absent means the default. */
export interface JobRequest {
  readonly programs: readonly ProgramRequest[]
  readonly carrier: Carrier
  readonly prefix: boolean
  readonly stats: boolean
  readonly strict: boolean
  readonly strictZeroCopy: boolean
  readonly sites: boolean
  readonly timeoutMs?: number | undefined
  readonly memoryBytes?: number | undefined
  /** Of one rank's V8 heap. */
  readonly heapBytes?: number | undefined
  readonly eagerLimitBytes?: number | undefined
  readonly fabric?: FabricRequest | undefined
  readonly seed?: number | undefined
  readonly choices?: string | undefined
  /** What may go wrong below the library. */
  readonly faults?: readonly NetworkFault[] | undefined
  /** File for the packets that cross the fabric, an absolute path. */
  readonly pcap?: string | undefined
  /** Checked names. */
  readonly algorithms?: NamedAlgorithms | undefined
}

/** Ranks of all programs together. */
export function rankCount({ programs }: Pick<JobRequest, 'programs'>): number {
  return programs.reduce((sum, { ranks }) => sum + ranks, 0)
}

/** Threads that carry them. */
export function threadCount(request: Pick<JobRequest, 'programs' | 'carrier'>): number {
  return request.carrier === 'coroutine' ? 1 : rankCount(request)
}
