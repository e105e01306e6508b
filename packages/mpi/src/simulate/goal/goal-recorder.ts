/** The operation that came last in a rank, and what the next one has to wait for besides. */
class RankLog {
  readonly lines: string[] = []
  operations = 0
  lastGoesOn = false
  readonly finished: number[] = []
}

/**
 * Writes down what ranks of a run do as a GOAL schedule: each operation after the one before in its rank, a
 * send or a long receive without waiting for its end, and after that end whatever came after it.
 */
export class GoalRecorder {
  readonly #ranks: RankLog[]

  constructor(ranks: number) {
    this.#ranks = Array.from({ length: ranks }, () => new RankLog())
  }

  calc(rank: number, ps: number): void {
    const ns = Math.round(ps / 1000)
    if (ns > 0) this.#add(rank, `calc ${ns}`, false)
  }

  /** @param number of this message among those of the pair: its tag. @returns the operation */
  send(rank: number, to: number, bytes: number, number: number): number {
    return this.#add(rank, `send ${bytes}b to ${to} tag ${number}`, true)
  }

  /** @param ends at once; of others `ended` tells. @returns the operation */
  receive(rank: number, from: number, bytes: number, number: number, ends: boolean): number {
    return this.#add(rank, `recv ${bytes}b from ${from} tag ${number}`, !ends)
  }

  /** An operation of this rank that went on meanwhile has ended. */
  ended(rank: number, operation: number): void {
    this.#ranks[rank]!.finished.push(operation)
  }

  get text(): string {
    const blocks = this.#ranks.map(({ lines }, rank) => `rank ${rank} {\n${lines.join('')}}\n`)
    return [`num_ranks ${this.#ranks.length}\n`, ...blocks].join('\n')
  }

  #add(rank: number, words: string, goesOn: boolean): number {
    const log = this.#ranks[rank]!
    const { lines } = log
    const number = ++log.operations
    lines.push(`l${number}: ${words}\n`)
    if (number > 1) {
      lines.push(`l${number} ${log.lastGoesOn ? 'irequires' : 'requires'} l${number - 1}\n`)
    }
    for (const send of log.finished) lines.push(`l${number} requires l${send}\n`)
    log.finished.length = 0
    log.lastGoesOn = goesOn
    return number
  }
}
