import { EnvelopeTable } from './envelope-table.js'
import { ANY, type Queued } from './queued.js'

/**
 * Receives that wait for a message. A message takes the one posted first among those that it
 * matches (MPI 4.1, section 3.5): of the oldest with its exact envelope and the oldest wildcard
 * that fits, the older. O(1) while no wildcard is posted.
 */
export class PostedQueue<T extends Queued> {
  readonly #exact = new EnvelopeTable<T>()
  readonly #wildcards = new Set<T>()
  size = 0

  append(receive: T): void {
    this.size++
    if (isWildcard(receive)) this.#wildcards.add(receive)
    else this.#exact.append(receive)
  }

  /** Takes the receive that a message with this envelope belongs to out of the queue. */
  take(context: number, source: number, tag: number): T | undefined {
    if (this.size === 0) return undefined
    if (this.#wildcards.size !== 0) return this.#takeOldest(context, source, tag)
    const found = this.#exact.takeFirst(context, source, tag)
    if (found !== undefined) this.size--
    return found
  }

  remove(receive: T): void {
    this.size--
    if (isWildcard(receive)) this.#wildcards.delete(receive)
    else this.#exact.remove(receive)
  }

  /** The receives in the order of posting. For reports. */
  [Symbol.iterator](): Iterator<T> {
    const receives = [...this.#exact, ...this.#wildcards]
    return receives.sort((a, b) => a.order - b.order)[Symbol.iterator]()
  }

  #takeOldest(context: number, source: number, tag: number): T | undefined {
    const exact = this.#exact.first(context, source, tag)
    const found = this.#older(exact, context, source, tag)
    if (found !== undefined) this.remove(found)
    return found
  }

  /** A Set iterates in the order of insertion, so the first wildcard that fits is the oldest. */
  #older(exact: T | undefined, context: number, source: number, tag: number): T | undefined {
    for (const receive of this.#wildcards) {
      if (exact !== undefined && exact.order < receive.order) return exact
      if (
        receive.context === context &&
        (receive.source === ANY || receive.source === source) &&
        (receive.tag === ANY || receive.tag === tag)
      ) {
        return receive
      }
    }
    return exact
  }
}

function isWildcard(receive: Queued): boolean {
  return receive.source === ANY || receive.tag === ANY
}
