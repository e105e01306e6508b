import {
  Access,
  type MemoryRegion,
  OutOfMemory,
  type ProtectionDomain,
  type WorldMemory,
} from '@commworld/transport'
import { NoMemoryError } from '../errors/index.js'

const SLAB_BYTES = 64 * 1024
/** Where the pieces of a slab begin; its first word holds the shift of their size. */
const SLAB_HEADER_BYTES = 64
/** Larger blocks come from the heap one by one. */
const SMALL_BYTES_MAX = 8 * 1024
const SMALLEST_SHIFT = 6
const LARGEST_SHIFT = 13

/**
 * Registered memory of the library itself, for payloads that must be kept or staged. Small blocks
 * are pieces of slabs, registered once for all; a slab is aligned to its size, so that any address
 * leads to its header.
 */
export class StagingPool {
  readonly #memory: WorldMemory
  readonly #domain: ProtectionDomain
  /** Addresses of free pieces, by the logarithm of their size. */
  readonly #free: number[][] = Array.from({ length: LARGEST_SHIFT + 1 }, () => [])
  readonly #slabs = new Map<number, MemoryRegion>()
  readonly #large = new Map<number, MemoryRegion>()
  #blocks = 0

  constructor(memory: WorldMemory, domain: ProtectionDomain) {
    this.#memory = memory
    this.#domain = domain
  }

  /** Blocks that were taken and not given back. */
  get blocks(): number {
    return this.#blocks
  }

  /** Address of at least `bytes` bytes, not cleared, aligned to 64. @throws NoMemoryError */
  allocate(bytes: number): number {
    const address = this.#allocate(bytes)
    this.#blocks++
    return address
  }

  free(address: number): void {
    this.#blocks--
    const region = this.#large.get(address)
    if (region === undefined) {
      this.#free[this.#memory.i32[slabOf(address) >>> 2]!]!.push(address)
    } else {
      this.#large.delete(address)
      region.deregister()
      this.#memory.heap.free(address)
    }
  }

  /** Key by which peers read a block, and by which the own HCA writes it; 0 of other memory. */
  keyOf(address: number): number {
    const region = this.#large.get(address) ?? this.#slabs.get(slabOf(address))
    return (region ?? this.#around(address))?.localKey ?? 0
  }

  /** Whether the address is one of this pool's. */
  owns(address: number): boolean {
    return this.keyOf(address) !== 0
  }

  #allocate(bytes: number): number {
    if (bytes > SMALL_BYTES_MAX) return this.#allocateLarge(bytes)
    const shift = Math.max(SMALLEST_SHIFT, 32 - Math.clz32(bytes - 1))
    const free = this.#free[shift]!
    return free.pop() ?? this.#newSlab(shift, free)
  }

  /** The region of the large block that an address lies inside of. */
  #around(address: number): MemoryRegion | undefined {
    for (const [start, region] of this.#large) {
      if (address > start && address < start + region.bytes) return region
    }
    return undefined
  }

  #allocateLarge(bytes: number): number {
    const address = this.#take(bytes)
    this.#large.set(address, this.#register(address, bytes))
    return address
  }

  #newSlab(shift: number, free: number[]): number {
    const slab = this.#take(SLAB_BYTES, SLAB_BYTES)
    this.#memory.i32[slab >>> 2] = shift
    this.#slabs.set(slab, this.#register(slab, SLAB_BYTES))
    const size = 2 ** shift
    const first = slab + Math.max(SLAB_HEADER_BYTES, size)
    for (let piece = first + size; piece + size <= slab + SLAB_BYTES; piece += size)
      free.push(piece)
    return first
  }

  #take(bytes: number, alignment?: number): number {
    try {
      return this.#memory.heap.allocate(bytes, alignment)
    } catch (error) {
      throw error instanceof OutOfMemory ? new NoMemoryError(error) : error
    }
  }

  #register(address: number, bytes: number): MemoryRegion {
    return this.#domain.register(address, bytes, Access.localWrite | Access.remoteRead)
  }
}

function slabOf(address: number): number {
  return (address - (address % SLAB_BYTES)) >>> 0
}
