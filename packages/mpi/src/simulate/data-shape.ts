import type { Algorithm, Environment } from '../coll/plan/algorithm.js'
import { IN, OUT, SHARED, SLOT, TMP } from '../coll/plan/buffer.js'
import { collectives } from '../coll/plan/collective.js'
import { blockCounts } from '../coll/plan/schedule.js'

/** How much data a collective moves. */
export interface DataSize {
  /** Of the vector, or of one block where there is a block for every rank. */
  readonly bytes: number
  /** What is not torn apart. */
  readonly itemBytes: number
}

/** How many blocks each buffer of a rank has and how long they are, without any data. */
export class DataShape {
  readonly #algorithm: Algorithm
  readonly #root: number
  readonly #atRoot: readonly number[]
  readonly #elsewhere: readonly number[]
  readonly #ofVector: boolean
  readonly #blocks: number
  readonly #items: number
  readonly #itemBytes: number
  readonly #blockBytes: number
  /** Of ranks that have the same scratch the same array: the bytes before each of its blocks. */
  readonly #scratch: Float64Array[] = []
  #lastScratch = NO_SCRATCH

  /** @param env of any rank; `scratchOf` is asked for each */
  constructor(algorithm: Algorithm, env: Environment, size: DataSize) {
    this.#algorithm = algorithm
    const { input, output, rooted } = collectives[algorithm.collective]
    this.#ofVector = input === 'vector' || output === 'vector'
    this.#root = rooted ? env.root : -1
    this.#atRoot = blockCounts(algorithm, { ...env, rank: env.root })
    const other = { ...env, rank: env.root === 0 ? env.size - 1 : 0 }
    this.#elsewhere = blockCounts(algorithm, other)
    this.#blocks = env.blocks
    this.#itemBytes = size.itemBytes
    this.#items = Math.ceil(size.bytes / size.itemBytes)
    this.#blockBytes = size.bytes
  }

  /** Prepares a rank; must be called for all, in their order. */
  addRank(env: Environment): void {
    const scratch = this.#algorithm.scratch?.(env) ?? NO_SCRATCH
    const before = this.#scratch[env.rank - 1]
    if (before !== undefined && same(this.#lastScratch, scratch)) {
      this.#scratch[env.rank] = before
      return
    }
    const starts = new Float64Array(scratch.length + 1)
    scratch.forEach((block, i) => {
      starts[i + 1] = starts[i]! + this.#length(block, 1)
    })
    this.#lastScratch = scratch
    this.#scratch[env.rank] = starts
  }

  /** Blocks of a buffer. */
  count(rank: number, buffer: number): number {
    if (buffer === TMP) return this.#scratch[rank]!.length - 1
    return (rank === this.#root ? this.#atRoot : this.#elsewhere)[buffer]!
  }

  bytes(rank: number, buffer: number, index: number, count: number): number {
    if (buffer === TMP) {
      const starts = this.#scratch[rank]!
      return starts[index + count]! - starts[index]!
    }
    return this.#length(index, count)
  }

  #length(index: number, count: number): number {
    if (!this.#ofVector) return count * this.#blockBytes
    if (count === this.#blocks) return this.#items * this.#itemBytes
    const last = Math.floor(((index + count) * this.#items) / this.#blocks)
    return (last - Math.floor((index * this.#items) / this.#blocks)) * this.#itemBytes
  }
}

const NO_SCRATCH: readonly number[] = []

function same(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Buffers that `Hazards` watches: what all ranks share is nobody's. */
export const WATCHED_BUFFERS = [IN, OUT, TMP, SLOT] as const
export const UNWATCHED = SHARED
