import { OutOfMemory, type WorldMemory } from '@commworld/transport'
import { NoMemoryError } from '../errors/index.js'

export const SLAB_BYTES = 64 * 1024
/** Where the pieces of a slab begin; its first word holds the shift of their size. */
const SLAB_HEADER_BYTES = 64
/** Larger blocks come from the heap one by one. */
export const SMALL_BYTES_MAX = 8 * 1024
const SMALLEST_SHIFT = 6

/**
 * Memory of the library itself for one thread, whatever number of ranks share it: small blocks are pieces
 * of slabs, which are aligned to their size, so that any address leads to its slab's header.
 */
export class StagingMemory {
  readonly #memory: WorldMemory
  /** Addresses of free pieces, by the logarithm of their size. */
  readonly #free: (number[] | undefined)[] = []
  /** What of the slab of a size was never given out: its next piece, and where it ends. */
  readonly #fresh: ({ next: number; readonly end: number } | undefined)[] = []
  readonly #slabs = new Set<number>()

  constructor(memory: WorldMemory) {
    this.#memory = memory
  }

  /** A block of at least `bytes` up to `SMALL_BYTES_MAX`, aligned to 64. @throws NoMemoryError */
  allocateSmall(bytes: number): number {
    const shift = Math.max(SMALLEST_SHIFT, 32 - Math.clz32(bytes - 1))
    return this.#free[shift]?.pop() ?? this.#freshPiece(shift)
  }

  freeSmall(address: number): void {
    const shift = this.#memory.i32[slabOf(address) >>> 2]!
    ;(this.#free[shift] ??= []).push(address)
  }

  /** A block of its own. @throws NoMemoryError */
  allocateLarge(bytes: number, alignment?: number): number {
    try {
      return this.#memory.heap.allocate(bytes, alignment)
    } catch (error) {
      throw error instanceof OutOfMemory ? new NoMemoryError(error) : error
    }
  }

  freeLarge(address: number): void {
    this.#memory.heap.free(address)
  }

  /** Whether a slab starts at this address. */
  isSlab(address: number): boolean {
    return this.#slabs.has(address)
  }

  #freshPiece(shift: number): number {
    const size = 2 ** shift
    let fresh = this.#fresh[shift]
    if (fresh === undefined || fresh.next + size > fresh.end) {
      const slab = this.allocateLarge(SLAB_BYTES, SLAB_BYTES)
      this.#memory.i32[slab >>> 2] = shift
      this.#slabs.add(slab)
      fresh = { next: slab + Math.max(SLAB_HEADER_BYTES, size), end: slab + SLAB_BYTES }
      this.#fresh[shift] = fresh
    }
    const piece = fresh.next
    fresh.next += size
    return piece
  }
}

/** Address of the slab that an address lies in. */
export function slabOf(address: number): number {
  return (address - (address % SLAB_BYTES)) >>> 0
}
