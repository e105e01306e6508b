import { Access, type AccessFlags, OutOfMemory, type WorldMemory } from '@commworld/transport'
import { MemoryUseError } from '../errors/index.js'

/** What a program leaves of the world's memory, so that its messages go on when it has used it up. */
const RESERVE_PART = 1 / 64
const RESERVE_BYTES_MIN = 2 ** 20
const RESERVE_PART_MAX = 1 / 4

/** A range of memory that can be named by a key. */
export interface Registration {
  readonly localKey: number
  deregister(): void
}

/** Gives memory its keys: a protection domain, or what stands in its place. */
export interface Registrar {
  register(address: number, bytes: number, access: AccessFlags): Registration
}

/** Where blocks for `alloc` come from. */
export interface Blocks {
  allocate(bytes: number): number
  free(address: number): void
}

/** One `alloc`: a block of the heap with a region of its own. */
interface Allocation {
  readonly address: number
  readonly bytes: number
  readonly region: Registration
}

/**
 * The memory that a program got from `alloc`. Each allocation is a memory region of its own, so that
 * the HCA enforces its bounds; finding the one that an address lies in is what a registration cache
 * does elsewhere.
 */
export class RegisteredMemory {
  readonly #memory: WorldMemory
  readonly #registrar: () => Registrar
  /** Sorted by address. */
  readonly #allocations: Allocation[] = []
  #recent: Allocation | undefined
  /** The world's heap, unless ranks share what they allocate. */
  blocks: Blocks

  /** @param registrar asked for with the first allocation */
  constructor(memory: WorldMemory, registrar: () => Registrar) {
    this.#memory = memory
    this.#registrar = registrar
    this.blocks = memory.heap
  }

  /** Address of zeroed memory. @throws OutOfMemory */
  allocate(bytes: number): number {
    this.#checkReserve(bytes)
    const address = this.blocks.allocate(bytes)
    const rights = Access.localWrite | Access.remoteRead | Access.remoteWrite
    const region = this.#registrar().register(address, bytes, rights)
    this.#allocations.splice(this.#after(address), 0, { address, bytes, region })
    return address
  }

  /**
   * Gives an allocation back.
   *
   * @param inUse whether an operation under way still uses part of it
   * @throws MemoryUseError when it is none, or is still in use
   */
  free(address: number, bytes: number, inUse: (start: number, end: number) => boolean): void {
    const at = this.#after(address) - 1
    const allocation = this.#allocations[at]
    if (allocation === undefined || address >= allocation.address + Math.max(1, allocation.bytes)) {
      throw new MemoryUseError({
        problem: this.#memory.heap.isAllocated(address) ? 'foreign' : 'freed',
      })
    }
    if (allocation.address !== address || allocation.bytes !== bytes) {
      throw new MemoryUseError({ problem: 'part' })
    }
    if (inUse(address, address + bytes)) throw new MemoryUseError({ problem: 'in use' })
    this.#allocations.splice(at, 1)
    this.#recent = undefined
    allocation.region.deregister()
    this.blocks.free(address)
  }

  /** Key of the allocation that holds the whole range; 0 when none does. */
  keyOf(address: number, bytes: number): number {
    let allocation = this.#recent
    if (allocation === undefined || !holds(allocation, address, bytes)) {
      allocation = this.#allocations[this.#after(address) - 1]
      if (allocation === undefined || !holds(allocation, address, bytes)) return 0
      this.#recent = allocation
    }
    return allocation.region.localKey
  }

  /** Small messages need some of it, and rings: their senders and receivers must not fail for it. */
  #checkReserve(requestedBytes: number): void {
    const { capacityBytes, usedBytes } = this.#memory.heap
    const wished = Math.max(RESERVE_PART * capacityBytes, RESERVE_BYTES_MIN)
    const reserve = Math.min(wished, RESERVE_PART_MAX * capacityBytes)
    const freeBytes = Math.max(0, Math.floor(capacityBytes - reserve) - usedBytes)
    if (requestedBytes > freeBytes) {
      throw new OutOfMemory({ requestedBytes, freeBytes, capacityBytes })
    }
  }

  /** Place behind the last allocation that begins at or before the address. */
  #after(address: number): number {
    let low = 0
    let high = this.#allocations.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#allocations[middle]!.address <= address) low = middle + 1
      else high = middle
    }
    return low
  }
}

function holds(allocation: Allocation, address: number, bytes: number): boolean {
  return address >= allocation.address && address + bytes <= allocation.address + allocation.bytes
}
