const NONE = -1

interface Stage {
  /** For each rank the message that its publishing is, or -1. */
  readonly marks: Int32Array
  published: number
  /** Who published last: it runs the operations of `once`. */
  last: number
  lastTime: number
  /** The message that the end of `once` is, or -1. */
  done: number
}

/** What ranks of one node have told each other by flags in shared memory. */
export class SharedStages {
  readonly #size: number
  readonly #stages = new Map<number, Stage>()
  readonly #waiting: Set<number>

  constructor(size: number) {
    this.#size = size
    this.#waiting = new Set()
  }

  publish(rank: number, stage: number, mark: number, time: number): void {
    const entry = this.#stage(stage)
    entry.marks[rank] = mark
    entry.published++
    if (entry.last === NONE || time >= entry.lastTime) {
      entry.last = rank
      entry.lastTime = time
    }
  }

  /** The mark of a rank at a stage or a later one, or -1. */
  markOf(rank: number, stage: number): number {
    const exact = this.#stages.get(stage)?.marks[rank] ?? NONE
    if (exact !== NONE) return exact
    let best = NONE
    for (const [number, { marks }] of this.#stages) {
      if (number > stage && marks[rank] !== NONE) best = marks[rank]!
    }
    return best
  }

  /** Who runs the operations of `once`: the last that published, when all have; or -1. */
  runnerOf(stage: number): number {
    const entry = this.#stage(stage)
    return entry.published === this.#size ? entry.last : NONE
  }

  finish(stage: number, mark: number): void {
    this.#stage(stage).done = mark
  }

  doneMark(stage: number): number {
    return this.#stage(stage).done
  }

  /** This rank looks again at every change. */
  wait(rank: number): void {
    this.#waiting.add(rank)
  }

  /** Ranks that wait for a change; they do no more. */
  takeWaiting(): number[] {
    const ranks = [...this.#waiting]
    this.#waiting.clear()
    return ranks
  }

  #stage(stage: number): Stage {
    let entry = this.#stages.get(stage)
    if (entry === undefined) {
      const marks = new Int32Array(this.#size).fill(NONE)
      entry = { marks, published: 0, last: NONE, lastTime: 0, done: NONE }
      this.#stages.set(stage, entry)
    }
    return entry
  }
}
