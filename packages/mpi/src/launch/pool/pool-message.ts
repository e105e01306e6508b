import type { RecordedDeviation } from '@commworld/transport'
import type { Holdings } from '../../engine/world/holdings.js'
import type { WorldDescriptor } from '../../engine/world/world.js'
import type { TravellingError } from '../../errors/index.js'
import type { FinalizeFacts } from '../../record/finalize-facts.js'
import type { RankSnapshot } from '../../record/rank-snapshot.js'
import type { RankTrace } from '../../record/trace.js'
import type { Bundle } from '../program/bundle.js'

/** To a thread of a pool. Structured-cloneable. */
export type ToPooled =
  | {
      readonly type: 'run'
      readonly run: number
      readonly descriptor: WorldDescriptor
      readonly rank: number
      readonly bundle: Bundle
      readonly args: readonly unknown[]
      /** What follows the program on a command line. */
      readonly commandLine: readonly string[]
    }
  /** All ranks have finished, or one has failed: what is left? */
  | { readonly type: 'tell'; readonly allFinished: boolean }

/** From a thread of a pool. */
export type FromPooled =
  | { readonly type: 'snapshot'; readonly snapshot: RankSnapshot }
  | { readonly type: 'finished'; readonly run: number; readonly value: Uint8Array }
  | { readonly type: 'failed'; readonly run: number; readonly error: TravellingError }
  /** The thread is free again. */
  | { readonly type: 'legacy'; readonly run: number; readonly legacy: PooledLegacy }

/** What a rank of a pool did, and what it leaves behind. */
export interface PooledLegacy {
  readonly facts: FinalizeFacts | undefined
  readonly holdings: Holdings | undefined
  readonly trace: RankTrace | undefined
  readonly deviations: readonly RecordedDeviation[]
  /** Choices of all ranks up to now. */
  readonly choicesMade: number
  /** What the program left in the thread that the next run could see, a sentence each. */
  readonly residue: readonly string[]
}
