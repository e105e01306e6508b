import type { Waitable } from './waitable.js'

/** The time of a rank where it is not that of the machine. */
export interface VirtualClock {
  seconds(): number
  /** The rank is busy for so long. */
  compute(seconds: number): void
  /** The library copies so many bytes for a collective, or folds them into as many others. */
  copy(bytes: number): void
  fold(bytes: number): void
  /** Whether bytes are moved and folded at all: not in a run for times alone. */
  readonly movesData: boolean
}

/**
 * What a rank is carried by: a thread of its own, or a coroutine on a thread shared by many. All
 * code above is the same; only how to wait differs.
 */
export interface Carrier {
  /** Whether plain verbs may block: false on a shared thread. */
  readonly blocks: boolean
  /** How many looks at a word of another rank cost less than waiting in `block`; 0 where ranks take turns. */
  readonly patience: number
  /** In virtual time only. */
  readonly clock?: VirtualClock | undefined
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
