/** Operations that always keep their call site. */
const ALWAYS = 1000
/** Share of the elapsed time that captures may take after that. */
const SHARE_MAX = 0.02

/** A captured stack; formatting it, the dear part, waits until somebody asks. */
export interface CallSite {
  readonly stack?: string
}

/**
 * Call sites of i-forms, within a budget: a capture costs 3 to 12 microseconds, so every rank
 * keeps the first thousand and then as many as fit into two per cent of its time.
 */
export class CallSites {
  readonly #unlimited: boolean
  readonly #always: number
  readonly #share: number
  #start = 0
  #captured = 0
  #spentMs = 0
  /** After the budget is used up, the next look at the clock is this many operations away. */
  #skip = 0

  /** @param sharers ranks that share the time of one thread, and the budget with it */
  constructor(unlimited: boolean, sharers = 1) {
    this.#unlimited = unlimited
    this.#always = Math.ceil(ALWAYS / sharers)
    this.#share = SHARE_MAX / sharers
  }

  /** The site of the caller of `above`, or `undefined` when the budget is used up. */
  capture(above: Function): CallSite | undefined {
    if (this.#skip === 0) return this.#captureWithinBudget(above)
    this.#skip--
    return undefined
  }

  #captureWithinBudget(above: Function): CallSite | undefined {
    if (this.#captured < this.#always || this.#unlimited) return this.#capture(above)
    const now = performance.now()
    if (this.#start === 0) this.#start = now
    if (this.#spentMs > this.#share * (now - this.#start)) {
      this.#skip = 1000
      return undefined
    }
    const site = this.#capture(above)
    this.#spentMs += performance.now() - now
    return site
  }

  #capture(above: Function): CallSite {
    this.#captured++
    const site: CallSite = {}
    Error.captureStackTrace(site, above)
    return site
  }
}

/** Frames that are looked at: the library's own are more than the usual ten. */
const FRAMES = 50

/** The stack down to the program's call, library frames included. */
export function captureDeepStack(): CallSite {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const site: CallSite = {}
  Error.captureStackTrace(site, captureDeepStack)
  Error.stackTraceLimit = limit
  return site
}
