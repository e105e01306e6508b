import type { PathStep } from '../path-log.js'
import type { PathPart } from '../rank-times.js'
import type { VirtualKernel } from './virtual-kernel.js'

/** Where the time of each rank had gone when its program returned, and what led to the last return. */
export class RankEnds {
  readonly finishPs: Float64Array
  readonly computingPs: Float64Array
  readonly overheadPs: Float64Array
  readonly contentionPs: Float64Array
  /** The rank that returned last. */
  slowest = 0
  chain: Readonly<Record<PathPart, number>> | undefined
  path: readonly PathStep[] | undefined
  readonly #kernel: VirtualKernel

  constructor(kernel: VirtualKernel, ranks: number) {
    this.#kernel = kernel
    this.finishPs = new Float64Array(ranks)
    this.computingPs = new Float64Array(ranks)
    this.overheadPs = new Float64Array(ranks)
    this.contentionPs = new Float64Array(ranks)
  }

  returned(rank: number): void {
    const { times, queue } = this.#kernel
    this.ended(rank, Math.max(times.clock[rank]!, queue.now))
  }

  /** A rank did nothing after `time`; its own when left out. */
  ended(rank: number, time = this.#kernel.times.clock[rank]!): void {
    const { times, path } = this.#kernel
    this.finishPs[rank] = time
    this.computingPs[rank] = times.computingOf(rank)
    this.overheadPs[rank] = times.overheadOf(rank)
    this.contentionPs[rank] = times.contentionOf(rank)
    if (this.chain !== undefined && this.finishPs[rank]! <= this.finishPs[this.slowest]!) return
    this.slowest = rank
    this.chain = times.chainOf(rank)
    this.path = path.pathTo(rank)
  }
}
