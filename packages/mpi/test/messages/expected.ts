import { bytesOf } from './payload.js'
import type { Message } from './script.js'

/** What a status says of a message. */
export interface Envelope {
  readonly source: unknown
  readonly tag: number
  readonly bytes: number
  readonly count: number | undefined
}

/**
 * The law that messages of one sender do not overtake each other (MPI 4.1, section 3.5): of what is
 * under way to one rank, a receive gets the message that was sent first among those of its sender that
 * it fits.
 */
export class Expected {
  readonly #bySender = new Map<number, Message[]>()

  constructor(messages: readonly Message[]) {
    for (const message of messages) {
      const sent = this.#bySender.get(message.from)
      if (sent === undefined) this.#bySender.set(message.from, [message])
      else sent.push(message)
    }
  }

  /** The message that a receive of this sender takes next; with this tag, or with any. */
  next(source: number, tag: number | undefined): Message {
    const sent = this.#bySender.get(source) ?? []
    const at = sent.findIndex((message) => tag === undefined || message.tag === tag)
    if (at < 0) throw new Error(`nothing was sent from ${source} with tag ${String(tag)}`)
    return sent.splice(at, 1)[0]!
  }
}

/** Throws unless a status tells what was sent. */
export function checkEnvelope(message: Message, { source, tag, bytes, count }: Envelope): void {
  const { from, payload } = message
  const isMemory = payload.form === 'memory'
  const right =
    source === from &&
    tag === message.tag &&
    count === (isMemory ? payload.elements : undefined) &&
    (isMemory ? bytes === bytesOf(payload) : bytes > 0)
  if (right) return
  const seen = JSON.stringify({ source: String(source), tag, bytes, count })
  throw new Error(`the status ${seen} is not that of ${JSON.stringify(message)}`)
}
