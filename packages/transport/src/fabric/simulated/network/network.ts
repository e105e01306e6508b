import type { MessageTimes } from './message-times.js'

/** What a result was computed with, and what that leaves out. Printed with every result. */
export interface LayerCard {
  readonly layer: 1 | 2
  readonly title: string
  readonly ignores: readonly string[]
}

/** Who wants to know when a message has come. */
export interface Receiver {
  /** The message is in the memory of its host, at the time of the queue. */
  delivered(message: number): void
}

/** How busy an interface or a link was. */
export interface LinkUse {
  readonly link: number
  readonly name: string
  readonly bytes: number
  /** Share of the time that it carried something. */
  readonly busy: number
  /** Largest number of messages at once. */
  readonly peak: number
}

/**
 * Carries messages between hosts in virtual time. Who drives it numbers the messages, and hands the
 * events that are the network's back to it.
 */
export interface Network {
  readonly card: LayerCard
  readonly times: MessageTimes
  /**
   * Hands a message to the interface of its host.
   *
   * @param ready when; not before the time of the queue
   * @param extraPs what it takes beyond latency and bytes (protocol and stages of the host interface)
   */
  send(
    message: number,
    from: number,
    to: number,
    bytes: number,
    ready: number,
    extraPs: number,
  ): void
  /** An event of one of the network's kinds. */
  handle(kind: number, id: number): void
  /** The busiest first. */
  busiest(count: number, endTime: number): LinkUse[]
}
