import { PATH_PARTS, type PathPart } from './rank-times.js'

/** Ways a message may go. */
export const MESSAGE_WAYS = ['shared memory', 'eager', 'rendezvous'] as const
export type MessageWay = (typeof MESSAGE_WAYS)[number]

/** All messages that went one way. */
export interface MessageClass {
  readonly way: MessageWay
  readonly messages: number
  readonly bytes: number
  /** Sums over them. */
  readonly overheadPs: number
  readonly latencyPs: number
  readonly transferPs: number
  readonly contentionPs: number
  /** The largest of them. */
  readonly bound: Exclude<PathPart, 'computing'>
}

const FIELDS = 6

/** Counts messages and where their time went, by the way they took. */
export class MessageCounts {
  readonly #sums = new Float64Array(MESSAGE_WAYS.length * FIELDS)

  add(way: number, bytes: number, overhead: number): void {
    const at = way * FIELDS
    this.#sums[at]!++
    this.#sums[at + 1]! += bytes
    this.#sums[at + 2]! += overhead
  }

  addTimes(way: number, latency: number, transfer: number, contention: number): void {
    const at = way * FIELDS
    this.#sums[at + 3]! += latency
    this.#sums[at + 4]! += transfer
    this.#sums[at + 5]! += contention
  }

  get total(): number {
    return MESSAGE_WAYS.reduce((sum, _, way) => sum + this.#sums[way * FIELDS]!, 0)
  }

  classes(): MessageClass[] {
    return MESSAGE_WAYS.flatMap((way, i) => {
      const [messages, bytes, ...times] = this.#sums.subarray(i * FIELDS, (i + 1) * FIELDS)
      if (messages === 0) return []
      const [overheadPs, latencyPs, transferPs, contentionPs] = times
      const parts = PATH_PARTS.slice(1) as MessageClass['bound'][]
      const bound = parts.reduce((most, part, k) =>
        times[k]! > times[parts.indexOf(most)]! ? part : most,
      )
      return {
        way,
        messages: messages!,
        bytes: bytes!,
        overheadPs: overheadPs!,
        latencyPs: latencyPs!,
        transferPs: transferPs!,
        contentionPs: contentionPs!,
        bound,
      }
    })
  }
}
