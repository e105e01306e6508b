import { twice } from '@commworld/transport'

/** Messages and spans beyond this are counted and not kept. */
const KEPT_MAX = 2 ** 20

/** What ranks did and when, for pictures: times in picoseconds. */
export class RunRecord {
  /** Messages, in the order in which they were taken in. */
  messages = 0
  from = new Int32Array(1024)
  to = new Int32Array(1024)
  bytes = new Float64Array(1024)
  sentAt = new Float64Array(1024)
  arrivedAt = new Float64Array(1024)
  takenAt = new Float64Array(1024)
  /** Stretches of computing. */
  spans = 0
  spanRank = new Int32Array(256)
  spanFrom = new Float64Array(256)
  spanTo = new Float64Array(256)
  /** Messages and spans for which there was no room. */
  lost = 0

  addMessage(
    from: number,
    to: number,
    bytes: number,
    sentAt: number,
    arrivedAt: number,
    takenAt: number,
  ): void {
    if (this.messages === KEPT_MAX) return void this.lost++
    if (this.messages === this.from.length) this.#growMessages()
    const at = this.messages++
    this.from[at] = from
    this.to[at] = to
    this.bytes[at] = bytes
    this.sentAt[at] = sentAt
    this.arrivedAt[at] = arrivedAt
    this.takenAt[at] = takenAt
  }

  addSpan(rank: number, from: number, to: number): void {
    const last = this.spans - 1
    if (last >= 0 && this.spanRank[last] === rank && this.spanTo[last] === from) {
      this.spanTo[last] = to
      return
    }
    if (this.spans === KEPT_MAX) return void this.lost++
    if (this.spans === this.spanRank.length) {
      this.spanRank = twice(this.spanRank)
      this.spanFrom = twice(this.spanFrom)
      this.spanTo = twice(this.spanTo)
    }
    const at = this.spans++
    this.spanRank[at] = rank
    this.spanFrom[at] = from
    this.spanTo[at] = to
  }

  #growMessages(): void {
    this.from = twice(this.from)
    this.to = twice(this.to)
    this.bytes = twice(this.bytes)
    this.sentAt = twice(this.sentAt)
    this.arrivedAt = twice(this.arrivedAt)
    this.takenAt = twice(this.takenAt)
  }
}
