/** Ranks up to which accesses of peers to shared memory are checked: each has a clock for each. */
export const ORDERED_RANKS_MAX = 64

/** When each rank came to the collective, by its own clock. */
const CAME = 1

interface Access {
  readonly rank: number
  readonly time: number
}

interface History {
  write: Access | undefined
  readonly reads: Map<number, number>
}

/**
 * Vector clocks (Mattern 1989): whether two accesses to one block by different ranks are ordered by
 * messages or by publishing. Two that are not, one of them a write, are a race. What a rank brings
 * along it has written when it came: nobody may touch it before hearing from that rank.
 */
export class AccessOrder {
  readonly #clocks: Int32Array[]
  readonly #histories = new Map<string, History>()

  constructor(size: number) {
    this.#clocks = Array.from({ length: size }, (_, rank) => {
      const clock = new Int32Array(size)
      clock[rank] = CAME
      return clock
    })
  }

  /** What a message or a published stage carries. */
  snapshot(rank: number): Int32Array {
    return this.#clocks[rank]!.slice()
  }

  /** `rank` has learnt what `clock` carries. */
  join(rank: number, clock: Int32Array): void {
    const own = this.#clocks[rank]!
    for (let i = 0; i < own.length; i++) own[i] = Math.max(own[i]!, clock[i]!)
  }

  /** @returns the rank whose earlier write this read may come before, or -1 */
  read(rank: number, owner: number, buffer: number, block: number): number {
    const history = this.#historyOf(owner, buffer, block)
    const time = ++this.#clocks[rank]![rank]!
    history.reads.set(rank, time)
    return history.write !== undefined && !this.#precedes(history.write, rank)
      ? history.write.rank
      : -1
  }

  /** @returns the rank whose earlier access this write may come before, or -1 */
  write(rank: number, owner: number, buffer: number, block: number): number {
    const history = this.#historyOf(owner, buffer, block)
    const time = ++this.#clocks[rank]![rank]!
    const { write, reads } = history
    history.write = { rank, time }
    if (write !== undefined && !this.#precedes(write, rank)) return write.rank
    for (const [reader, readAt] of reads) {
      if (!this.#precedes({ rank: reader, time: readAt }, rank)) return reader
    }
    reads.clear()
    return -1
  }

  /** At the end: who may still touch a block of a rank that has returned; or -1. */
  touchedAfterReturn(owner: number, buffer: number, block: number): number {
    const history = this.#histories.get(`${owner} ${buffer} ${block}`)
    if (history === undefined) return -1
    const { write, reads } = history
    if (write !== undefined && !this.#precedes(write, owner)) return write.rank
    for (const [rank, time] of reads) if (!this.#precedes({ rank, time }, owner)) return rank
    return -1
  }

  /** A rank that another has not heard from, so that it may not have come yet; or -1. */
  unheardOf(rank: number): number {
    return this.#clocks[rank]!.findIndex((time) => time < CAME)
  }

  #precedes({ rank, time }: Access, other: number): boolean {
    return rank === other || this.#clocks[other]![rank]! >= time
  }

  #historyOf(owner: number, buffer: number, block: number): History {
    const key = `${owner} ${buffer} ${block}`
    let history = this.#histories.get(key)
    if (history === undefined) {
      const write = owner < 0 ? undefined : { rank: owner, time: CAME }
      this.#histories.set(key, (history = { write, reads: new Map() }))
    }
    return history
  }
}
