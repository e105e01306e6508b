/** How long nothing may happen before ranks that await are taken for stuck. */
const QUIET_MS = 200
/** Resources of a process that never bring anything to a rank, or that are this watch's own. */
const IRRELEVANT: ReadonlySet<string> = new Set(['Immediate', 'TickObject'])

/**
 * Tells whether ranks on a shared thread can still be woken from outside of the library. A timer, a
 * file or a socket that a program opened is an active resource of the process; one more than when
 * the world began means that somebody may yet go on. Threads know this exactly, from Node's
 * `beforeExit`; a thread that belongs to somebody else, a test runner say, does not.
 */
export class OutsideWatch {
  readonly #before = activeResources()
  readonly #onQuiet: () => void
  readonly #quietMs: number
  #timer: NodeJS.Timeout | undefined

  /** @param onQuiet called when nothing can come from outside any more */
  constructor(onQuiet: () => void, quietMs = QUIET_MS) {
    this.#onQuiet = onQuiet
    this.#quietMs = quietMs
  }

  /** The ranks are idle: look whether it stays so. */
  suspect(): void {
    // Looked at from an immediate, when this timer itself is no longer active.
    this.#timer ??= setTimeout(() => setImmediate(() => this.#look()), this.#quietMs)
  }

  /** Something happened. */
  relax(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    if (this.#timer === undefined) return
    this.#timer = undefined
    if (activeResources() > this.#before) this.suspect()
    else this.#onQuiet()
  }
}

function activeResources(): number {
  // Streams become resources at their first use, and a program may write at any time.
  void process.stdout
  void process.stderr
  return process.getActiveResourcesInfo().filter((type) => !IRRELEVANT.has(type)).length
}
