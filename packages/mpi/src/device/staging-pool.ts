import { Access } from '@commworld/transport'
import type { Registrar, Registration } from './registered-memory.js'
import { SLAB_BYTES, slabOf, SMALL_BYTES_MAX, type StagingMemory } from './staging-memory.js'

/** A block that is no piece of a slab. */
interface Large {
  readonly bytes: number
  region: Registration | undefined
}

/**
 * Registered memory of the library itself, for payloads that must be kept or staged, as one rank uses it.
 * Slabs and large blocks get a key when it is asked for first: much of what is kept needs none.
 */
export class StagingPool {
  readonly #memory: StagingMemory
  readonly #registrar: () => Registrar
  #slabs: Map<number, Registration> | undefined
  #large: Map<number, Large> | undefined
  #blocks = 0

  constructor(memory: StagingMemory, registrar: () => Registrar) {
    this.#memory = memory
    this.#registrar = registrar
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
    const large = this.#large?.get(address)
    if (large === undefined) return this.#memory.freeSmall(address)
    this.#large!.delete(address)
    large.region?.deregister()
    this.#memory.freeLarge(address)
  }

  /** Key by which peers read a block, and by which the own HCA writes it; 0 of other memory. */
  keyOf(address: number): number {
    const start = this.#large === undefined ? 0 : this.#startOfLarge(this.#large, address)
    if (start !== 0) {
      const large = this.#large!.get(start)!
      large.region ??= this.#register(start, large.bytes)
      return large.region.localKey
    }
    const slab = slabOf(address)
    let region = this.#slabs?.get(slab)
    if (region === undefined) {
      if (!this.#memory.isSlab(slab)) return 0
      region = this.#register(slab, SLAB_BYTES)
      ;(this.#slabs ??= new Map()).set(slab, region)
    }
    return region.localKey
  }

  #allocate(bytes: number): number {
    if (bytes <= SMALL_BYTES_MAX) return this.#memory.allocateSmall(bytes)
    const address = this.#memory.allocateLarge(bytes)
    ;(this.#large ??= new Map()).set(address, { bytes, region: undefined })
    return address
  }

  /** Where the large block starts that an address lies in, 0 when in none. */
  #startOfLarge(large: Map<number, Large>, address: number): number {
    if (large.has(address)) return address
    for (const [start, { bytes }] of large) {
      if (address > start && address < start + bytes) return start
    }
    return 0
  }

  #register(address: number, bytes: number): Registration {
    return this.#registrar().register(address, bytes, Access.localWrite | Access.remoteRead)
  }
}
