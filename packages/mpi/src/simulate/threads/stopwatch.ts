const PS_PER_MS = 1e9

/**
 * What a program computes between its calls, in the time of the machine times a factor, where a run asks for
 * that. Such a run is not reproducible.
 */
export class Stopwatch {
  readonly #scale: number
  readonly #spend: (ps: number) => void
  /** Since when the program runs; -1 while it does not. */
  #since = -1

  /** @param spend is told what the rank has computed, in picoseconds */
  constructor(scale: number, spend: (ps: number) => void) {
    this.#scale = scale
    this.#spend = spend
  }

  start(): void {
    this.#since = performance.now()
  }

  /** The program calls the library: what it did until then counts. */
  lap(): void {
    if (this.#since < 0) return
    const now = performance.now()
    const ps = Math.round((now - this.#since) * PS_PER_MS * this.#scale)
    this.#since = now
    if (ps > 0) this.#spend(ps)
  }

  stop(): void {
    this.lap()
    this.#since = -1
  }
}
