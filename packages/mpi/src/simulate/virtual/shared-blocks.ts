import type { Blocks } from '../../device/registered-memory.js'

interface SharedBlock {
  readonly address: number
  users: number
}

/**
 * Memory that ranks share in a run for times alone: what one rank allocates in its n-th call is what any other gets
 * in its n-th for as many bytes. Arrays of one rank never lie in each other.
 */
export class SharedBlocks {
  readonly #heap: Blocks
  /** By the number of the call and the size. */
  readonly #blocks = new Map<string, SharedBlock>()
  readonly #keys = new Map<number, string>()

  constructor(heap: Blocks) {
    this.#heap = heap
  }

  /** What one rank allocates from. */
  ofRank(): Blocks {
    let calls = 0
    return {
      allocate: (bytes) => this.#take(`${calls++} ${bytes}`, bytes),
      free: (address) => this.#give(address),
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
