// The free blocks of a heap by size: 128 doubly linked lists, four to each power of two, and a
// bitmap of those that are not empty (two-level segregated fit, M. Masmano et al., ECRTS 2004,
// with both levels in one number). Called under the heap's lock only.

import { HEAP_BIN_BITMAP_WORDS, HEAP_BIN_COUNT, HEAP_BINS_ADDRESS } from '../wire/world-header.js'
import { BLOCK_NEXT, BLOCK_PREVIOUS, BLOCK_SIZE, headerOf } from './block.js'

const BINS = HEAP_BINS_ADDRESS >> 2
const BITMAP = HEAP_BIN_BITMAP_WORDS >> 2
const BITMAP_WORDS = HEAP_BIN_COUNT / 32

/** How many blocks of the class of the request itself are tried before larger classes. */
const TRIES_IN_OWN_CLASS = 8

/** Class of a block size in granules: 1, 2, ..., 7, 8..9, 10..11, 12..13, 14..15, 16..19, ... */
export function binOf(size: number): number {
  if (size < 4) return size
  const level = 31 - Math.clz32(size)
  return 4 * (level - 1) + ((size >>> (level - 2)) & 3)
}

/**
 * Granules to skip so that the payload of a block at `granule` is aligned; never 1, which is too
 * small for a block.
 */
export function gapForAlignment(granule: number, alignGranules: number): number {
  const over = (granule + 1) % alignGranules
  if (over === 0) return 0
  const gap = alignGranules - over
  return gap === 1 ? 1 + alignGranules : gap
}

/** The free lists of one heap. */
export class FreeLists {
  readonly #i32: Int32Array

  constructor(i32: Int32Array) {
    this.#i32 = i32
  }

  /** A free block that holds `size` aligned granules, or 0; looks at a bounded number of blocks. */
  find(size: number, alignGranules: number): number {
    const own = this.#search(binOf(size), size, alignGranules, TRIES_IN_OWN_CLASS)
    if (own !== 0) return own
    // Every block in a class above that of the largest size that is too small will do.
    const largestGap = alignGranules === 1 ? 0 : alignGranules + 1
    const bin = this.#nextNotEmpty(binOf(size + largestGap - 1) + 1)
    return bin < 0 ? 0 : this.#i32[BINS + bin]!
  }

  /** As `find`, but looks at every block that could do. */
  findExhaustively(size: number, alignGranules: number): number {
    for (let bin = this.#nextNotEmpty(binOf(size)); bin >= 0; bin = this.#nextNotEmpty(bin + 1)) {
      const found = this.#search(bin, size, alignGranules, Infinity)
      if (found !== 0) return found
    }
    return 0
  }

  /** Adds a block. */
  insert(granule: number, size: number): void {
    const i32 = this.#i32
    const bin = binOf(size)
    const head = i32[BINS + bin]!
    i32[headerOf(granule) + BLOCK_NEXT] = head
    i32[headerOf(granule) + BLOCK_PREVIOUS] = 0
    if (head !== 0) i32[headerOf(head) + BLOCK_PREVIOUS] = granule
    i32[BINS + bin] = granule
    i32[BITMAP + (bin >> 5)]! |= 1 << (bin & 31)
  }

  /** Takes a block out. */
  remove(granule: number): void {
    const i32 = this.#i32
    const next = i32[headerOf(granule) + BLOCK_NEXT]!
    const previous = i32[headerOf(granule) + BLOCK_PREVIOUS]!
    if (next !== 0) i32[headerOf(next) + BLOCK_PREVIOUS] = previous
    if (previous !== 0) {
      i32[headerOf(previous) + BLOCK_NEXT] = next
      return
    }
    const bin = binOf(i32[headerOf(granule) + BLOCK_SIZE]!)
    i32[BINS + bin] = next
    if (next === 0) i32[BITMAP + (bin >> 5)]! &= ~(1 << (bin & 31))
  }

  #search(bin: number, size: number, alignGranules: number, tries: number): number {
    const i32 = this.#i32
    let granule = i32[BINS + bin]!
    for (let left = tries; granule !== 0 && left > 0; left--) {
      const blockSize = i32[headerOf(granule) + BLOCK_SIZE]!
      if (gapForAlignment(granule, alignGranules) + size <= blockSize) return granule
      granule = i32[headerOf(granule) + BLOCK_NEXT]!
    }
    return 0
  }

  /** First list from `bin` on that is not empty, -1 when there is none. */
  #nextNotEmpty(bin: number): number {
    let word = bin >> 5
    let bits = word < BITMAP_WORDS ? this.#i32[BITMAP + word]! & (-1 << (bin & 31)) : 0
    while (bits === 0) {
      if (++word >= BITMAP_WORDS) return -1
      bits = this.#i32[BITMAP + word]!
    }
    return (word << 5) + 31 - Math.clz32(bits & -bits)
  }
}
