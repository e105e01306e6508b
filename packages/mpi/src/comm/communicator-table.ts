import { CONTEXTS_EACH, type CommunicatorState } from './communicator-state.js'

/** As many operations are remembered for reports, which may have been on communicators freed since. */
const FREED_KEPT = 64

/** The communicators of one rank, by their contexts: what reports need to name them. */
export class CommunicatorTable {
  readonly #byContext = new Map<number, CommunicatorState>()
  /** Contexts of those that were freed last, oldest first. */
  readonly #freed: number[] = []

  add(communicator: CommunicatorState): void {
    this.#byContext.set(communicator.sendContext, communicator)
  }

  /** It was freed: it can be found for a while, but is listed no more. */
  remove({ sendContext }: CommunicatorState): void {
    if (this.#freed.push(sendContext) > FREED_KEPT) this.#byContext.delete(this.#freed.shift()!)
  }

  /** The communicator that a context belongs to, be it the one of its messages or of its collectives. */
  find(context: number): CommunicatorState | undefined {
    return this.#byContext.get(context - (context % CONTEXTS_EACH))
  }

  /** Those that can be found, in the order in which they were made: also such as were freed or have ended. */
  known(): CommunicatorState[] {
    return [...this.#byContext.values()]
  }

  /** Those that were not freed, in the order in which they were made. */
  open(): CommunicatorState[] {
    return [...this.#byContext.values()].filter(({ closed }) => closed === undefined)
  }
}
