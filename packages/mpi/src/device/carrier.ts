import type { Waitable } from './waitable.js'

/**
 * What a rank is carried by: a thread of its own, or a coroutine on a thread shared by many. All
 * code above is the same; only how to wait differs.
 */
export interface Carrier {
  /** Whether plain verbs may block: false on a shared thread. */
  readonly blocks: boolean
  /** Returns when `waitable` is done, progressing everything of the rank meanwhile. */
  block(waitable: Waitable): void
  /** Has the event loop progress the rank, and calls `waitable.onDone` from it. */
  awaken(waitable: Waitable): void
  /** Progress for `test` and `iprobe`. Throws when a shared thread polls thousands of times in vain. */
  poll(): void
  /** Whether a test that could say yes does: the choice stream may delay the answer. */
  admits(label: string): boolean
  /** Which of several completions a waitAny takes, as an index below `alternatives`. */
  pick(alternatives: number, label: string): number
}
