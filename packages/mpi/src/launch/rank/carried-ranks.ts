import type { Bundle } from '../program/bundle.js'
import type { RankSnapshot } from '../../record/rank-snapshot.js'
import type { RankMessage } from './rank-message.js'

/** What a thread carries: one rank, or all ranks of a coroutine job. */
export interface CarriedRanks {
  /** The rank whose code runs, where that is known. */
  readonly writer: number | undefined
  /** Makes ranks reachable, as far as that goes without their programs. */
  attach(post: (message: RankMessage) => void): void
  /** Runs the programs to the end; resolves with what is to be told then. */
  run(bundles: readonly Bundle[]): Promise<RankMessage>
  /** Of a rank that has finished; undefined of any other. */
  snapshot(): RankSnapshot | undefined
  /** What is left of a rank that finished, when all have; undefined when `run` has told. */
  legacy(): RankMessage | undefined
  /** Something was thrown: peers that wait will never be answered. */
  fail(): void
}
