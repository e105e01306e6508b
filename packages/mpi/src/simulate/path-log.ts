/** One message on the critical path: its receiver had been waiting for it. */
export interface PathStep {
  readonly from: number
  readonly to: number
  readonly bytes: number
  readonly sentAtPs: number
  readonly arrivedAtPs: number
}

/** Waits beyond this are not kept: 24 bytes each. */
const ENTRIES_MAX = 4 * 2 ** 20
const NONE = -1

/** For each wait the message that ended it and the wait before, so that the critical path can be walked back. */
export class PathLog {
  #length = 0
  #message = new Int32Array(3 * 1024)
  #times = new Float64Array(2 * 1024)
  #before = new Int32Array(1024)
  readonly #last: Int32Array
  #ofMessage = new Int32Array(256).fill(NONE)
  /** More waits than are kept: there is no path. */
  overflows = false

  constructor(ranks: number) {
    this.#last = new Int32Array(ranks).fill(NONE)
  }

  growMessages(capacity: number): void {
    const larger = new Int32Array(capacity).fill(NONE)
    larger.set(this.#ofMessage)
    this.#ofMessage = larger
  }

  startMessage(message: number, rank: number): void {
    this.#ofMessage[message] = this.#last[rank]!
  }

  /** A rank waited until a message came. */
  add(message: number, step: PathStep): void {
    if (this.overflows) return
    const entry = this.#length++
    if (entry === ENTRIES_MAX) {
      this.overflows = true
      return
    }
    if (entry === this.#before.length) this.#grow()
    this.#message.set([step.from, step.to, step.bytes], 3 * entry)
    this.#times[2 * entry] = step.sentAtPs
    this.#times[2 * entry + 1] = step.arrivedAtPs
    this.#before[entry] = this.#ofMessage[message]!
    this.#last[step.to] = entry
  }

  /** The messages that led to where a rank is, the first one first. */
  pathTo(rank: number): PathStep[] | undefined {
    if (this.overflows) return undefined
    const steps: PathStep[] = []
    for (let entry = this.#last[rank]!; entry !== NONE; entry = this.#before[entry]!) {
      steps.push({
        from: this.#message[3 * entry]!,
        to: this.#message[3 * entry + 1]!,
        bytes: this.#message[3 * entry + 2]!,
        sentAtPs: this.#times[2 * entry]!,
        arrivedAtPs: this.#times[2 * entry + 1]!,
      })
    }
    return steps.reverse()
  }

  #grow(): void {
    const length = 2 * this.#before.length
    const larger = <T extends Int32Array | Float64Array>(made: T, old: T): T => {
      made.set(old)
      return made
    }
    this.#message = larger(new Int32Array(3 * length), this.#message)
    this.#times = larger(new Float64Array(2 * length), this.#times)
    this.#before = larger(new Int32Array(length), this.#before)
  }
}
