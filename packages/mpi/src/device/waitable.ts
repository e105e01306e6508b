import type { OperationRecord } from '../record/operation.js'
import type { Wait } from '../record/rank-snapshot.js'

/** Answers a watcher that wants a report: what the rank blocks in, if it does, and what it waits for. */
export type ReportCall = (blockedIn: Waitable | undefined, waits: Wait) => void

/** Something that becomes done when its rank makes progress: a request, or a set of them. */
export interface Waitable {
  readonly done: boolean
  /** Called once when it becomes done; set by whoever awaits it. */
  onDone: (() => void) | undefined
  /** Ends it with an error, where the world ends before it is done. */
  fail?(error: Error): void
  /** What is still missing, for the wait-for graph. Slow path. */
  missing(): Wait
  /** The call as a report names it. Slow path. */
  describe(): OperationRecord
}
