import type { Algorithm, Environment } from '../plan/algorithm.js'
import { IN, OUT, SLOT, TMP } from '../plan/buffer.js'
import { blocksOf, collectives } from '../plan/collective.js'
import { contribution, fold, sameFold, type AbstractValue } from './abstract-value.js'

/** What the standard says that a rank must hold at the end (MPI 4.1, chapter 6), in abstract values. */
export class Specification {
  readonly #algorithm: Algorithm
  readonly #size: number
  readonly #root: number
  /** By block: the folds of ranks 0 to r. */
  readonly #prefixes = new Map<number, AbstractValue[]>()

  constructor(algorithm: Algorithm, { size, root }: Environment) {
    this.#algorithm = algorithm
    this.#size = size
    this.#root = root
  }

  /** What a buffer of a rank holds at the start. */
  initial(buffer: number, rank: number, block: number): AbstractValue | undefined {
    const { collective } = this.#algorithm
    if (collective === 'bcast') {
      return buffer === OUT && rank === this.#root ? contribution(rank, block) : undefined
    }
    if (buffer !== IN) return undefined
    const { input, inputAt } = collectives[collective]
    if (input === 'none' || (inputAt === 'root' && rank !== this.#root)) return undefined
    return contribution(rank, block)
  }

  /** What block `block` of `OUT` must be at the end; `undefined` when it must be left alone. */
  final(rank: number, block: number): AbstractValue | undefined {
    switch (this.#algorithm.collective) {
      case 'barrier':
        return undefined
      case 'bcast':
        return contribution(this.#root, block)
      case 'gather':
      case 'allgather':
        return contribution(block, 0)
      case 'scatter':
        return contribution(this.#root, rank)
      case 'alltoall':
        return contribution(block, rank)
      case 'reduce':
      case 'allreduce':
        return this.#prefix(this.#size - 1, block)
      case 'reduceScatter':
        return this.#prefix(this.#size - 1, rank)
      case 'scan':
        return this.#prefix(rank, block)
      case 'exscan':
        return rank === 0 ? undefined : this.#prefix(rank - 1, block)
    }
  }

  /** Whether a block is what it must be. */
  meets(seen: AbstractValue | undefined, wanted: AbstractValue): boolean {
    if (seen === undefined) return false
    if (!collectives[this.#algorithm.collective].reduces) {
      return seen.count === 1 && seen.origin === wanted.origin && seen.block === wanted.block
    }
    return sameFold(seen, wanted, this.#algorithm.needs.commutative !== true)
  }

  /**
   * What block of the collective a block of a buffer is as long as: two blocks of one message must
   * agree in it. Of an all-to-all each pair of ranks has its own.
   */
  lengthOf(buffer: number, rank: number, block: number, scratch: readonly number[]): number {
    const { collective } = this.#algorithm
    const { input, output } = collectives[collective]
    if (buffer === TMP) return scratch[block] ?? block
    // A slot is as long as what is given; of a broadcast as what is gotten, as is the shared room.
    const given = buffer === IN || (buffer === SLOT && input !== 'none')
    if (collective === 'alltoall') {
      return given ? rank * this.#size + block : block * this.#size + rank
    }
    const extent = given ? input : output
    return extent === 'one' ? rank : block
  }

  blocks(buffer: number, cut: number): number {
    const { input, output } = collectives[this.#algorithm.collective]
    return blocksOf(buffer === IN ? input : output, this.#size, cut)
  }

  #prefix(rank: number, block: number): AbstractValue {
    let prefixes = this.#prefixes.get(block)
    if (prefixes === undefined) this.#prefixes.set(block, (prefixes = [contribution(0, block)]))
    while (prefixes.length <= rank) {
      prefixes.push(fold(prefixes[prefixes.length - 1]!, contribution(prefixes.length, block)))
    }
    return prefixes[rank]!
  }
}
