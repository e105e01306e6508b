import type { RecordedDeviation, SharedWorldMemory } from '@commworld/transport'
import type { WorldOptions } from '../../engine/index.js'
import type { TravellingError } from '../../errors/index.js'
import type { FinalizeFacts } from '../../record/finalize-facts.js'
import type { RankSnapshot } from '../../record/rank-snapshot.js'
import type { RankTrace } from '../../record/trace.js'
import type { ClockShare } from '../../simulate/threads/thread-rank-parts.js'
import type { Bundle } from '../program/bundle.js'
import type { FabricRequest } from '../job/job-request.js'
import type { OutputMessage, StreamTraits } from '../output/rank-output.js'
import type { Testimony } from '../job/witness.js'

/** What makes a thread a rank. Structured-cloneable. */
export interface RankStart {
  /** Of a thread that carries all ranks: 0. */
  readonly rank: number
  readonly options: WorldOptions
  /** The world's memory; a thread that carries all ranks makes its own. */
  readonly shared: SharedWorldMemory | undefined
  /** By appNumber. */
  readonly programs: readonly { readonly ranks: number; readonly args: readonly string[] }[]
  /** Of this rank's program in an MPMD job. */
  readonly appNumber: number
  /** Added to its environment. */
  readonly env: Readonly<Record<string, string>>
  readonly output: {
    readonly account: SharedArrayBuffer
    readonly counter: SharedArrayBuffer
    readonly out: StreamTraits
    readonly err: StreamTraits
  }
  /** Whether each rank's output is told apart on a thread that carries all. */
  readonly labels: boolean
  /** The cluster of a job in virtual time, for a thread that carries all ranks. */
  readonly fabric?: FabricRequest | undefined
  /** The virtual clock, for a thread that carries one. */
  readonly clock?: ClockShare | undefined
  /** Whether what `main` returns is wanted. */
  readonly returns: boolean
}

/**
 * To a thread: who it is; its rank's program, or all programs by appNumber; that a rank that has finished
 * is to tell what it knows; that all ranks have finished.
 */
export type ToRank =
  | { readonly type: 'start'; readonly start: RankStart }
  | { readonly type: 'program'; readonly bundles: readonly Bundle[] }
  | { readonly type: 'snapshot' }
  | { readonly type: 'all finished' }

/** main() returned and the rank is finalized. */
export interface FinishedMessage {
  readonly type: 'finished'
  /** What main() returned, serialized, where it is wanted. */
  readonly value: Uint8Array | undefined
}

/** What a rank leaves behind, told when all have finished: before that more could come. */
export interface LegacyMessage {
  readonly type: 'legacy'
  readonly facts: FinalizeFacts
  readonly trace: RankTrace
  readonly traffic: RankTraffic
  /** Of a replay: the choices that were recorded where this was told. */
  readonly choices?: ChoicesMade | undefined
}

/** Choices that were not first come, and how many there were in all. */
export interface ChoicesMade {
  readonly deviations: readonly RecordedDeviation[]
  readonly made: number
}

/** What a rank sent and received, and how often payloads were copied, for `--stats`. */
export interface RankTraffic {
  readonly messagesSent: number
  readonly messagesReceived: number
  readonly bytesSent: number
  readonly directTransfers: number
  readonly bytesDirect: number
  readonly zeroCopies: number
  readonly registeredCopies: number
  readonly stagedCopies: number
  readonly unexpectedCopies: number
}

/** `stack` says where a program called `process.exit`. */
export interface ExitMessage {
  readonly type: 'exit'
  readonly code: number
  readonly stack: string
}

/** Rank `origin` called `abort` of a communicator, which all ranks learn; its own stack says where. */
export interface AbortMessage {
  readonly type: 'abort'
  readonly origin: number
  readonly code: number
  readonly stack: string
}

/** Something was thrown; `rank` is undefined when it is not known on a thread that carries all. */
export interface FailedMessage {
  readonly type: 'failed'
  readonly rank: number | undefined
  readonly error: TravellingError
  /** Of a thread that carries all ranks, where the others have been looked at. */
  readonly others?: OtherRanks
}

/** What was with the other ranks when one failed. */
export interface OtherRanks extends Testimony {
  /** Those that failed as well. */
  readonly failures: readonly RankFailure[]
}

export interface RankFailure {
  readonly rank: number
  readonly error: TravellingError
}

/** From a thread, in the order of its doings. */
export type RankMessage =
  | OutputMessage
  | { readonly type: 'snapshot'; readonly snapshot: RankSnapshot }
  | FinishedMessage
  | LegacyMessage
  | FailedMessage
  | ExitMessage
  | AbortMessage
  /** All ranks of a thread that carries all have finished. */
  | {
      readonly type: 'all finished'
      readonly values: readonly FinishedMessage['value'][]
      readonly legacies: readonly LegacyMessage[]
      /** What the run took in virtual time. */
      readonly summary?: string | undefined
    }
  /** The ranks of a thread that carries all can never continue. */
  | ({ readonly type: 'deadlock' } & Testimony)
  /** The program reads standard input. */
  | { readonly type: 'stdin' }
