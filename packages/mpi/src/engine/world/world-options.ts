import type { NetworkFault, PrioritySchedule } from '@commworld/transport'
import type { NamedAlgorithms } from '../../coll/select/select.js'

/** How ranks are carried: threads in parallel, threads one at a time, or coroutines on one thread. */
export type WorldMode = 'parallel' | 'serial' | 'coroutine'

/** What a world is made with. */
export interface WorldOptions {
  ranks: number
  /**
   * Size of the world's memory: all registered memory and all buffers of the library. 4 GiB for
   * threads and for more than 1024 coroutines when left out, 256 MiB for fewer; pages that are not touched cost nothing.
   */
  memoryBytes?: number
  /** Largest message that is buffered; see device/settings.ts for the default. */
  eagerLimitBytes?: number
  mode: WorldMode
  /** Seed of the choices of a serial or coroutine world; first come when left out. */
  seed?: number
  /** Replay string of choices; instead of a seed. */
  choices?: string
  /** A schedule by priorities; instead of a seed. */
  priorities?: PrioritySchedule
  /** Staged copies above the eager limit are errors. */
  strictZeroCopy?: boolean
  /** Algorithms named for all calls of a collective that they can serve. */
  algorithms?: NamedAlgorithms
  /** File for the packets that cross the fabric; everything goes by queue pairs then. */
  pcap?: string
  /**
   * What may go wrong below the library in a world of coroutines; the choices decide whether and
   * when it does. Requests are carried in packets then.
   */
  faults?: readonly NetworkFault[]
  /** Every call site is recorded, whatever it costs. */
  sites?: boolean
}

/** Coroutines up to which a world is made for short runs, whose memory is used again. */
const FEW_COROUTINES = 1024

/** Size of a world's memory where its maker names none. */
export function defaultMemoryBytes(mode: WorldMode, ranks: number): number {
  return mode === 'coroutine' && ranks <= FEW_COROUTINES ? 256 * 2 ** 20 : 4 * 2 ** 30
}
