import {
  elementReductions,
  foldBlocks,
  type ElementReductionName,
} from '../arbitraries/element-reductions.js'
import { anyElement, type KindName, type Scalar } from '../arbitraries/element-types.js'

/** What all ranks give in a call. */
export interface Giving {
  readonly kind: KindName
  readonly reduction?: ElementReductionName
  readonly seed: number
}

type Block = readonly Scalar[]

/**
 * The blocks that ranks give and what they are folded to; each made once, as on coroutines all ranks
 * ask for the same.
 */
export class Inputs {
  readonly #giving: Giving
  readonly #made = new Map<string, Block>()
  readonly #folded = new WeakMap<Block, WeakMap<Block, Block>>()

  private constructor(giving: Giving) {
    this.#giving = giving
  }

  static #of = new WeakMap<Giving, Inputs>()

  static of(giving: Giving): Inputs {
    let inputs = Inputs.#of.get(giving)
    if (inputs === undefined) Inputs.#of.set(giving, (inputs = new Inputs(giving)))
    return inputs
  }

  /** Block `block` of what a rank gives in one of several starts. */
  given(elements: number, start: number, from: number, block: number): Block {
    const key = `${elements} ${start} ${from} ${block}`
    let made = this.#made.get(key)
    if (made === undefined) {
      const { kind, reduction, seed } = this.#giving
      made = Array.from({ length: elements }, (_, i) => {
        const place = [seed, start, from, block, i]
        if (reduction === undefined) return anyElement(kind, ...place)
        return elementReductions[reduction].element(kind, i, ...place)
      })
      this.#made.set(key, made)
    }
    return made
  }

  fold(lower: Block, higher: Block): Block {
    let byHigher = this.#folded.get(lower)
    if (byHigher === undefined) this.#folded.set(lower, (byHigher = new WeakMap()))
    let result = byHigher.get(higher)
    if (result === undefined) {
      const { kind, reduction } = this.#giving
      result = foldBlocks(elementReductions[reduction!], kind, lower, higher)
      byHigher.set(higher, result)
    }
    return result
  }
}
