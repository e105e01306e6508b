/**
 * Where the blocks of a buffer lie in it, in bytes: apart from the algorithm, so that one algorithm
 * serves equal blocks, blocks by rank and the pieces of a pipeline.
 */
export interface BlockMap {
  readonly blocks: number
  /** First byte of a block. */
  start(block: number): number
  bytes(block: number, count: number): number
}

/** `items` items cut into blocks that differ by one item at most. Whole items stay together. */
export class EvenBlocks implements BlockMap {
  readonly blocks: number
  readonly #items: number
  readonly #itemBytes: number

  constructor(items: number, blocks: number, itemBytes: number) {
    this.blocks = blocks
    this.#items = items
    this.#itemBytes = itemBytes
  }

  start(block: number): number {
    if (this.blocks === 1) return block === 0 ? 0 : this.#items * this.#itemBytes
    return Math.floor((block * this.#items) / this.blocks) * this.#itemBytes
  }

  bytes(block: number, count: number): number {
    return this.start(block + count) - this.start(block)
  }
}

/** Blocks with their own lengths and places. A range of several must lie in one piece. */
export class ListedBlocks implements BlockMap {
  readonly blocks: number
  readonly #starts: readonly number[]
  readonly #lengths: readonly number[]

  /** @param starts packed one after the other when left out */
  constructor(lengths: readonly number[], starts: readonly number[] = packed(lengths)) {
    this.blocks = lengths.length
    this.#starts = starts
    this.#lengths = lengths
  }

  start(block: number): number {
    return this.#starts[block]!
  }

  bytes(block: number, count: number): number {
    let bytes = 0
    for (let i = block; i < block + count; i++) bytes += this.#lengths[i]!
    return bytes
  }

  /** Bytes of all blocks together. */
  get total(): number {
    return this.bytes(0, this.blocks)
  }

  /** Whether the blocks lie one after the other, in order. */
  get isPacked(): boolean {
    let end = 0
    return this.#starts.every((start, block) => {
      const fits = start === end || this.#lengths[block] === 0
      end += this.#lengths[block]!
      return fits
    })
  }
}

function packed(lengths: readonly number[]): readonly number[] {
  let end = 0
  return lengths.map((length) => {
    const start = end
    end += length
    return start
  })
}
