/** Where time on the critical path goes. */
export const PATH_PARTS = ['computing', 'overhead', 'latency', 'transfer', 'contention'] as const
export type PathPart = (typeof PATH_PARTS)[number]

export const COMPUTING = 0
export const OVERHEAD = 1
export const LATENCY = 2
export const TRANSFER = 3
export const CONTENTION = 4
const PARTS = 5
/** Numbers of a rank, and where those of its chain begin. */
const STATE = 8
const CHAIN = 3

/**
 * The clock of each rank, what it did until then, and the longest chain of causes that led there. Of
 * a chain only the sums are kept: a rank that waited for a message takes over the sums of its sender,
 * a rank that did not goes on with its own (the longest path in an event graph, without the graph).
 */
export class RankTimes {
  readonly clock: Float64Array
  /**
   * Of each rank, side by side in one line of the cache: computing, overhead and contention so far, and
   * the sums of its chain.
   */
  readonly #state: Float64Array
  /** Sums of the chain that led to each message. */
  #messageChain = new Float64Array(256 * PARTS)

  constructor(ranks: number) {
    this.clock = new Float64Array(ranks)
    this.#state = new Float64Array(ranks * STATE)
  }

  compute(rank: number, time: number): void {
    const at = rank * STATE
    this.clock[rank]! += time
    this.#state[at]! += time
    this.#state[at + CHAIN + COMPUTING]! += time
  }

  handle(rank: number, time: number): void {
    const at = rank * STATE
    this.clock[rank]! += time
    this.#state[at + 1]! += time
    this.#state[at + CHAIN + OVERHEAD]! += time
  }

  computingOf(rank: number): number {
    return this.#state[rank * STATE]!
  }

  overheadOf(rank: number): number {
    return this.#state[rank * STATE + 1]!
  }

  contentionOf(rank: number): number {
    return this.#state[rank * STATE + 2]!
  }

  growMessages(capacity: number): void {
    const larger = new Float64Array(capacity * PARTS)
    larger.set(this.#messageChain)
    this.#messageChain = larger
  }

  /** The message sets out now, by the clock of this rank. */
  startMessage(message: number, rank: number): void {
    const from = rank * STATE + CHAIN
    const to = message * PARTS
    for (let part = 0; part < PARTS; part++) {
      this.#messageChain[to + part] = this.#state[from + part]!
    }
  }

  /** The message has spent this since. */
  addToMessage(message: number, latency: number, transfer: number, contention: number): void {
    const at = message * PARTS
    this.#messageChain[at + LATENCY]! += latency
    this.#messageChain[at + TRANSFER]! += transfer
    this.#messageChain[at + CONTENTION]! += contention
  }

  /** A rank turns to a message that came at `time`. @returns how long it had waited */
  meetMessage(rank: number, message: number, time: number, contention: number): number {
    const waited = time - this.clock[rank]!
    if (waited <= 0) return 0
    this.clock[rank] = time
    const from = message * PARTS
    const to = rank * STATE + CHAIN
    this.#state[to - 1]! += waited < contention ? waited : contention
    for (let part = 0; part < PARTS; part++) {
      this.#state[to + part] = this.#messageChain[from + part]!
    }
    return waited
  }

  /** Sums of the chain of a rank. */
  chainOf(rank: number): Readonly<Record<PathPart, number>> {
    const sums = this.#state.subarray(rank * STATE + CHAIN, rank * STATE + CHAIN + PARTS)
    return Object.fromEntries(PATH_PARTS.map((part, i) => [part, sums[i]!])) as Record<
      PathPart,
      number
    >
  }
}
