import type { WorldDescriptor } from '../engine/index.js'
import type { TravellingError } from '../errors/index.js'
import type { FinalizeFacts } from '../record/finalize-facts.js'
import type { RankSnapshot } from '../record/rank-snapshot.js'
import type { RankTrace } from '../record/trace.js'
import type { Bundle } from './bundle.js'
import type { OutputMessage, StreamTraits } from './rank-output.js'
import type { Carrier } from './job-request.js'

/** What a rank's thread is born with. Structured-cloneable, but for the port, which is transferred. */
export interface RankStart {
  readonly rank: number
  readonly carrier: Carrier
  readonly descriptor: WorldDescriptor
  /** Number of its program in an MPMD job. */
  readonly appNumber: number
  readonly args: readonly string[]
  readonly output: {
    readonly account: SharedArrayBuffer
    readonly out: StreamTraits
    readonly err: StreamTraits
  }
  /** Whether what `main` returns is wanted. */
  readonly returns: boolean
}

/** To a rank: begin. */
export interface ProgramMessage {
  readonly type: 'program'
  readonly bundle: Bundle
}

/** What a rank leaves behind that returned from main() and is finalized. */
export interface FinishedMessage {
  readonly type: 'finished'
  /** What main() returned, serialized, where it is wanted. */
  readonly value: Uint8Array | undefined
  readonly facts: FinalizeFacts
  readonly trace: RankTrace
  readonly traffic: RankTraffic
}

/** What a rank sent and received, and how often payloads were copied, for `--stats`. */
export interface RankTraffic {
  readonly messagesSent: number
  readonly messagesReceived: number
  readonly bytesSent: number
  readonly zeroCopies: number
  readonly registeredCopies: number
  readonly stagedCopies: number
  readonly unexpectedCopies: number
}

/** From a rank, in the order of its doings. */
export type RankMessage =
  | OutputMessage
  | { readonly type: 'snapshot'; readonly snapshot: RankSnapshot }
  /** main() returned and the rank is finalized. */
  | FinishedMessage
  | { readonly type: 'failed'; readonly error: TravellingError }
  /** The program called `process.exit`; `stack` says where. */
  | { readonly type: 'exit'; readonly code: number; readonly stack: string }
  /** Rank `origin` called `abort` of a communicator, which all ranks learn; its own stack says where. */
  | {
      readonly type: 'abort'
      readonly origin: number
      readonly code: number
      readonly stack: string
    }
  /** The program reads standard input. */
  | { readonly type: 'stdin' }
