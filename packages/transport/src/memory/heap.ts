// The heap hands out blocks of world memory to all threads of a world.
//
//   start                                                        break   high water        end
//     |header|payload.....|header|payload|header|payload........|          |                 |
//     '------- block -----'------ block -'------- block --------' was used '  never written  '
//
// Sizes and places are counted in granules of 64 bytes. Each block has a header of one granule, a
// cache line of its own, in front of its payload, with the size of its physical neighbour below
// (boundary tag), so that a freed block merges with free neighbours at once and two free blocks
// never touch. A free block that reaches the break lowers it: when everything is freed the heap is
// as at the start. Free blocks are kept in segregated lists (`free-lists.ts`).
//
// Ordering: every word below is read and written between the compareExchange that takes the lock
// and the store that gives it back. Both are sequentially consistent, so who takes the lock sees
// all that earlier holders wrote, and who is given a block sees its last owner's writes to it
// before clearing them. The lock is held for some tens of plain accesses, never while clearing.

import {
  HEAP_BREAK_WORD,
  HEAP_END_WORD,
  HEAP_HIGH_WATER_WORD,
  HEAP_LAST_SIZE_WORD,
  HEAP_LOCK_WORD,
  HEAP_PEAK_WORD,
  HEAP_START_WORD,
  HEAP_USED_WORD,
} from '../wire/world-header.js'
import {
  ALLOCATED_MARK,
  BLOCK_GRANULES_MIN,
  BLOCK_PREVIOUS_SIZE,
  BLOCK_REQUESTED,
  BLOCK_SIZE,
  FREE_MARK,
  GRANULE_BYTES,
  hasMark,
  headerOf,
  MERGED_MARK,
  setMark,
} from './block.js'
import { DoubleFree, NotAllocated, OutOfMemory } from './errors.js'
import { FreeLists, gapForAlignment } from './free-lists.js'
import type { Kernels } from './kernels.js'

const LOCK = HEAP_LOCK_WORD >> 2
const START = HEAP_START_WORD >> 2
const END = HEAP_END_WORD >> 2
const BREAK = HEAP_BREAK_WORD >> 2
const HIGH_WATER = HEAP_HIGH_WATER_WORD >> 2
const USED = HEAP_USED_WORD >> 2
const PEAK = HEAP_PEAK_WORD >> 2
const LAST_SIZE = HEAP_LAST_SIZE_WORD >> 2

const SPINS_BEFORE_SLEEP = 200
const SLEEP_MS = 0.05

/** Thread-safe allocator over a world's memory; one object per thread, one state per memory. */
export class Heap {
  readonly #i32: Int32Array
  readonly #kernels: Kernels
  readonly #lists: FreeLists
  /** Granule up to which the block taken last was written before; set by `#take`. */
  #dirtyEnd = 0

  constructor(i32: Int32Array, kernels: Kernels) {
    this.#i32 = i32
    this.#kernels = kernels
    this.#lists = new FreeLists(i32)
  }

  /** Makes [start, end) an empty heap; the bytes must be zero. Once, before any other thread. */
  layOut(startAddress: number, endAddress: number): void {
    const i32 = this.#i32
    const start = Math.ceil(startAddress / GRANULE_BYTES)
    i32[START] = start
    i32[BREAK] = start
    i32[HIGH_WATER] = start
    i32[END] = Math.floor(endAddress / GRANULE_BYTES)
  }

  /**
   * Allocates zeroed memory and returns its address.
   *
   * @param bytes size, 0 or more; 0 gives an address of its own, too.
   * @param alignment power of two; smaller ones than 64 are raised to 64.
   * @throws {OutOfMemory} no free range is large enough.
   * @throws {RangeError} an argument is not a size or not a power of two.
   */
  allocate(bytes: number, alignment: number = GRANULE_BYTES): number {
    if (!(bytes >= 0 && Number.isSafeInteger(bytes))) {
      throw new RangeError(`a size in bytes must be a whole number from 0, not ${bytes}`)
    }
    if (!(alignment >= 1 && Number.isInteger(Math.log2(alignment)))) {
      throw new RangeError(`an alignment must be a power of two, not ${alignment}`)
    }
    const size = 1 + Math.max(1, Math.ceil(bytes / GRANULE_BYTES))
    const alignGranules = Math.max(1, alignment / GRANULE_BYTES)
    // Beyond these the arithmetic on granules below would leave 32 bits.
    if (Math.max(size, alignGranules) > this.#capacityGranules) throw this.#outOfMemory(bytes)

    this.#lock()
    const granule = this.#take(size, alignGranules)
    const dirtyEnd = this.#dirtyEnd
    if (granule !== 0) this.#i32[headerOf(granule) + BLOCK_REQUESTED] = bytes
    this.#unlock()

    if (granule === 0) throw this.#outOfMemory(bytes)
    const address = (granule + 1) * GRANULE_BYTES
    const dirtyBytes = dirtyEnd * GRANULE_BYTES - address
    if (dirtyBytes > 0) this.#kernels.fill(address, 0, dirtyBytes)
    return address
  }

  /**
   * Gives a block back.
   *
   * @throws {DoubleFree} it was freed before.
   * @throws {NotAllocated} no block starts at the address.
   */
  free(address: number): void {
    const granule = address / GRANULE_BYTES - 1
    this.#lock()
    const allocated = this.#holds(granule, ALLOCATED_MARK)
    const freedBefore =
      !allocated && (this.#holds(granule, FREE_MARK) || this.#holds(granule, MERGED_MARK))
    if (allocated) this.#release(granule)
    this.#unlock()

    if (freedBefore) throw new DoubleFree(address)
    if (!allocated) throw new NotAllocated(address)
  }

  /**
   * Size in bytes that was asked for when the block at `address` was allocated.
   *
   * @throws {NotAllocated} no allocated block starts at the address.
   */
  sizeOf(address: number): number {
    const granule = address / GRANULE_BYTES - 1
    if (!this.#holds(granule, ALLOCATED_MARK)) throw new NotAllocated(address)
    return this.#i32[headerOf(granule) + BLOCK_REQUESTED]! >>> 0
  }

  /** Whether an allocated block starts at the address. */
  isAllocated(address: number): boolean {
    return this.#holds(address / GRANULE_BYTES - 1, ALLOCATED_MARK)
  }

  /** Bytes in allocated blocks, headers included. */
  get usedBytes(): number {
    return Atomics.load(this.#i32, USED) * GRANULE_BYTES // other threads allocate meanwhile
  }

  /** Largest value `usedBytes` ever had. */
  get peakBytes(): number {
    return Atomics.load(this.#i32, PEAK) * GRANULE_BYTES // other threads allocate meanwhile
  }

  /** Size of the heap in bytes. */
  get capacityBytes(): number {
    return this.#capacityGranules * GRANULE_BYTES
  }

  /** Address below which all memory ever handed out lies. */
  get highWaterAddress(): number {
    return Atomics.load(this.#i32, HIGH_WATER) * GRANULE_BYTES // other threads allocate meanwhile
  }

  get #capacityGranules(): number {
    return this.#i32[END]! - this.#i32[START]!
  }

  /** Allocates a block of `size` granules and returns its granule; 0 when there is no room. */
  #take(size: number, alignGranules: number): number {
    const found = this.#lists.find(size, alignGranules)
    if (found !== 0) {
      this.#lists.remove(found)
      return this.#carve(found, this.#i32[headerOf(found) + BLOCK_SIZE]!, size, alignGranules)
    }
    const extended = this.#extend(size, alignGranules)
    if (extended !== 0) return extended
    const last = this.#lists.findExhaustively(size, alignGranules)
    if (last === 0) return 0
    this.#lists.remove(last)
    return this.#carve(last, this.#i32[headerOf(last) + BLOCK_SIZE]!, size, alignGranules)
  }

  /** Allocates above the break. */
  #extend(size: number, alignGranules: number): number {
    const i32 = this.#i32
    const bottom = i32[BREAK]!
    const total = gapForAlignment(bottom, alignGranules) + size
    if (bottom + total > i32[END]!) return 0
    i32[headerOf(bottom) + BLOCK_PREVIOUS_SIZE] = i32[LAST_SIZE]!
    i32[BREAK] = bottom + total
    const writtenEnd = i32[HIGH_WATER]!
    if (bottom + total > writtenEnd) i32[HIGH_WATER] = bottom + total
    const granule = this.#carve(bottom, total, size, alignGranules)
    if (this.#dirtyEnd > writtenEnd) this.#dirtyEnd = writtenEnd
    return granule
  }

  /**
   * Turns the range of `total` granules at `bottom`, which is in no list, into an allocated block
   * with the alignment, and free blocks for what is left in front and behind.
   */
  #carve(bottom: number, total: number, size: number, alignGranules: number): number {
    const i32 = this.#i32
    const gap = gapForAlignment(bottom, alignGranules)
    const granule = bottom + gap
    if (gap > 0) {
      this.#makeFree(bottom, gap)
      i32[headerOf(granule) + BLOCK_PREVIOUS_SIZE] = gap
    }
    const rest = total - gap - size
    const blockSize = rest >= BLOCK_GRANULES_MIN ? size : size + rest
    i32[headerOf(granule) + BLOCK_SIZE] = blockSize
    setMark(i32, granule, ALLOCATED_MARK)
    this.#setPreviousSize(granule + blockSize, blockSize)
    if (blockSize < total - gap) this.#makeFree(granule + blockSize, rest)

    const used = i32[USED]! + blockSize
    Atomics.store(i32, USED, used) // read by others without the lock
    if (used > i32[PEAK]!) Atomics.store(i32, PEAK, used) // read by others without the lock
    this.#dirtyEnd = granule + blockSize
    return granule
  }

  /** Frees an allocated block: merges it with free neighbours, lists it or lowers the break. */
  #release(granule: number): void {
    const i32 = this.#i32
    let bottom = granule
    let size = i32[headerOf(granule) + BLOCK_SIZE]!
    Atomics.store(i32, USED, i32[USED]! - size) // read by others without the lock
    setMark(i32, granule, MERGED_MARK)

    const previousSize = i32[headerOf(granule) + BLOCK_PREVIOUS_SIZE]!
    if (previousSize > 0 && hasMark(i32, granule - previousSize, FREE_MARK)) {
      bottom -= previousSize
      size += previousSize
      this.#unlist(bottom)
    }
    const above = bottom + size
    if (above < i32[BREAK]! && hasMark(i32, above, FREE_MARK)) {
      size += i32[headerOf(above) + BLOCK_SIZE]!
      this.#unlist(above)
    }
    if (bottom + size === i32[BREAK]!) {
      i32[BREAK] = bottom
      i32[LAST_SIZE] = i32[headerOf(bottom) + BLOCK_PREVIOUS_SIZE]!
    } else {
      this.#makeFree(bottom, size)
    }
  }

  #unlist(granule: number): void {
    this.#lists.remove(granule)
    setMark(this.#i32, granule, MERGED_MARK)
  }

  #makeFree(granule: number, size: number): void {
    this.#i32[headerOf(granule) + BLOCK_SIZE] = size
    setMark(this.#i32, granule, FREE_MARK)
    this.#lists.insert(granule, size)
    this.#setPreviousSize(granule + size, size)
  }

  /** Tells the block at `granule`, or the break, the size of the block below it. */
  #setPreviousSize(granule: number, size: number): void {
    const i32 = this.#i32
    if (granule === i32[BREAK]!) i32[LAST_SIZE] = size
    else i32[headerOf(granule) + BLOCK_PREVIOUS_SIZE] = size
  }

  /** Whether `granule` can be a header at all and carries the mark. */
  #holds(granule: number, mark: number): boolean {
    const i32 = this.#i32
    if (!(granule >= i32[START]! && granule < i32[HIGH_WATER]!)) return false
    return Number.isInteger(granule) && hasMark(i32, granule, mark)
  }

  #lock(): void {
    let spins = 0
    // exchange, so that one thread only finds it free
    while (Atomics.compareExchange(this.#i32, LOCK, 0, 1) !== 0) {
      // The holder may have lost its core: sleep a moment; nobody notifies.
      if (++spins > SPINS_BEFORE_SLEEP) Atomics.wait(this.#i32, LOCK, 1, SLEEP_MS)
    }
  }

  #unlock(): void {
    Atomics.store(this.#i32, LOCK, 0) // publishes all plain writes made under the lock
  }

  #outOfMemory(requestedBytes: number): OutOfMemory {
    const { capacityBytes } = this
    return new OutOfMemory({
      requestedBytes,
      capacityBytes,
      freeBytes: capacityBytes - this.usedBytes,
    })
  }
}
