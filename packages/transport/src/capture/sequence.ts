import type { Hca } from '../hca/hca.js'
import { sendsDone } from '../ring/work-queue.js'
import { QP_NUMBER, QP_SEND_PSN } from '../wire/queue-pair.js'
import { SEQUENCE_MASK } from './packet.js'

/** Where one direction of a queue pair has come to. */
interface Position {
  number: number
  /** Sequence number of the first packet. */
  first: number
  /** Sequence number of the next packet. */
  next: number
  /** Messages that the responder has completed. */
  messages: number
  /** Requests carried out when the next comes, at least: fewer mean that it was reset. */
  done: number
}

/** Packet sequence numbers and message counts of the queue pairs of an HCA (IBA vol. 1, 9.7.2). */
export class Sequences {
  readonly #positions = new Map<number, Position>()

  /** The position of a queue pair before its next request. */
  of(hca: Hca, queuePair: number): Position {
    const { i32 } = hca
    const number = i32[(queuePair + QP_NUMBER) >>> 2]!
    const done = sendsDone(i32, queuePair) >>> 0
    const first = i32[(queuePair + QP_SEND_PSN) >>> 2]! & SEQUENCE_MASK
    const known = this.#positions.get(queuePair)
    if (isSame(known, number, first) && ((done - known.done) | 0) >= 0) {
      known.done = done
      return known
    }
    const fresh = { number, first, next: first, messages: 0, done }
    this.#positions.set(queuePair, fresh)
    return fresh
  }
}

export type { Position }

/** Moves on by the packets of a request, and by the message if the responder took it. */
export function advance(position: Position, packets: number, completed: boolean): void {
  position.next = (position.next + packets) & SEQUENCE_MASK
  position.done++
  if (completed) position.messages = (position.messages + 1) & SEQUENCE_MASK
}

function isSame(known: Position | undefined, number: number, first: number): known is Position {
  return known !== undefined && known.number === number && known.first === first
}
