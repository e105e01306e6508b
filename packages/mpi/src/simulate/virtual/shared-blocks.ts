import type { Blocks } from '../../device/registered-memory.js'

interface SharedBlock {
  readonly address: number
  users: number
}

/**
 * Memory that ranks share in a run for times alone: the n-th block of a size that one rank holds is the n-th of any
 * other. Arrays of one rank never lie in each other.
 */
export class SharedBlocks {
  readonly #heap: Blocks
  /** By place and size. */
  readonly #blocks = new Map<string, SharedBlock>()
  readonly #keys = new Map<number, string>()

  constructor(heap: Blocks) {
    this.#heap = heap
  }

  /** What one rank allocates from. */
  ofRank(): Blocks {
    /** Places of this rank's blocks. */
    const held = new Set<string>()
    return {
      allocate: (bytes) => {
        let place = 0
        while (held.has(`${place} ${bytes}`)) place++
        const key = `${place} ${bytes}`
        held.add(key)
        return this.#take(key, bytes)
      },
      free: (address) => {
        held.delete(this.#keys.get(address)!)
        this.#give(address)
      },
    }
  }

  #take(key: string, bytes: number): number {
    let block = this.#blocks.get(key)
    if (block === undefined) {
      block = { address: this.#heap.allocate(bytes), users: 0 }
      this.#blocks.set(key, block)
      this.#keys.set(block.address, key)
    }
    block.users++
    return block.address
  }

  #give(address: number): void {
    const key = this.#keys.get(address)!
    const block = this.#blocks.get(key)!
    if (--block.users > 0) return
    this.#blocks.delete(key)
    this.#keys.delete(address)
    this.#heap.free(address)
  }
}
