import { EnvelopeTable } from './envelope-table.js'
import { OrderedList, type Ordered } from './ordered-list.js'
import { ANY, type Queued } from './queued.js'

/**
 * Messages that no receive was waiting for. A receive takes the one that arrived first among those
 * it matches; exact envelopes are found in O(1), wildcards by walking in the order of arrival.
 */
export class UnexpectedQueue<T extends Queued & Ordered> {
  readonly #exact = new EnvelopeTable<T>()
  readonly #all = new OrderedList<T>()
  size = 0

  append(message: T): void {
    this.size++
    this.#all.append(message)
    this.#exact.append(message)
  }

  /** The oldest message that matches, left in place. */
  find(context: number, source: number, tag: number): T | undefined {
    if (this.size === 0) return undefined
    if (source !== ANY && tag !== ANY) return this.#exact.first(context, source, tag)
    for (
      let message = this.#all.first;
      message !== undefined;
      message = message.later as T | undefined
    ) {
      if (
        message.context === context &&
        (source === ANY || message.source === source) &&
        (tag === ANY || message.tag === tag)
      ) {
        return message
      }
    }
    return undefined
  }

  remove(message: T): void {
    this.size--
    this.#all.remove(message)
    this.#exact.remove(message)
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#all[Symbol.iterator]()
  }
}
