import type { Peer } from './peer.js'

/** Picks one of the senders, by its place. */
export type ChooseSender = (alternatives: number, senders: readonly Peer[]) => number

/**
 * Messages that have come and have not been taken in: in order from each sender, while the order
 * among senders is free. Where a choice stream decides, it picks the sender whose message lands next.
 */
export class PendingArrivals {
  /** Buffers by sender; the senders in the order in which their oldest message came. */
  readonly #bySender = new Map<Peer, number[]>()

  get empty(): boolean {
    return this.#bySender.size === 0
  }

  add(peer: Peer, buffer: number): void {
    const buffers = this.#bySender.get(peer)
    if (buffers === undefined) this.#bySender.set(peer, [buffer])
    else buffers.push(buffer)
  }

  /** Takes the oldest message of the sender that `choose` names. Precondition: not empty. */
  take(choose: ChooseSender): { peer: Peer; buffer: number } {
    const senders = [...this.#bySender.keys()]
    const peer = senders[choose(senders.length, senders)]!
    const buffers = this.#bySender.get(peer)!
    const buffer = buffers.shift()!
    this.#bySender.delete(peer)
    if (buffers.length > 0) this.#bySender.set(peer, buffers)
    return { peer, buffer }
  }
}
