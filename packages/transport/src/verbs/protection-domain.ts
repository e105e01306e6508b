import type { Hca } from '../hca/hca.js'
import { demand, demandOffered, demandUnused } from '../hca/verbs-error.js'
import { DOMAIN_BYTES, DOMAIN_HCA, DOMAIN_OBJECTS } from '../wire/protection-domain.js'
import { ZERO_BASED } from '../wire/access.js'
import type { AccessFlags } from './access.js'
import { AddressHandle } from './address-handle.js'
import type { AddressAttributes } from './address-handle.js'
import type { DeviceMemory } from './device-memory.js'
import { MemoryRegion } from './memory-region.js'
import { MemoryWindow } from './memory-window.js'
import type { WindowType } from './memory-window.js'
import { QueuePair } from './queue-pair.js'
import type { QueuePairOptions } from './queue-pair.js'
import { SharedReceiveQueue } from './shared-receive-queue.js'

/**
 * Groups queue pairs, regions and receive queues that may be used together: a request that names a
 * region of another domain fails.
 */
export class ProtectionDomain {
  readonly #hca: Hca
  /** Address in world memory: its identity. */
  readonly address: number
  #deallocated = false

  /** Made by `Device.allocateProtectionDomain`. */
  constructor(hca: Hca) {
    this.#hca = hca
    this.address = hca.heap.allocate(DOMAIN_BYTES)
    hca.i32[(this.address + DOMAIN_HCA) >>> 2] = hca.block
  }

  /**
   * Registers a range of world memory: O(1). Ranges may overlap, and be registered again.
   *
   * @throws {VerbsError} EINVAL: outside the memory, or `remoteWrite` without `localWrite`
   */
  register(address: number, bytes: number, access: AccessFlags): MemoryRegion {
    this.#demandAllocated()
    return new MemoryRegion(this.#hca, this.address, address, bytes, access)
  }

  /**
   * The same with remote addresses that begin at `base` instead of `address` (ibv_reg_mr_iova).
   *
   * @throws {VerbsError} EINVAL: as `register`, or a base beyond 32 bits
   */
  registerAt(
    base: number,
    range: { address: number; bytes: number },
    access: AccessFlags,
  ): MemoryRegion {
    this.#demandAllocated()
    const fits = Number.isInteger(base) && base >= 0 && base + range.bytes <= 2 ** 32
    demand(fits, `a base of ${base} is not an address of 32 bits`)
    return new MemoryRegion(this.#hca, this.address, range.address, range.bytes, access, base)
  }

  /**
   * Registers part of a device memory (ibv_reg_dm_mr.3). Addresses count from the part's start.
   *
   * @throws {VerbsError} EINVAL: not zero-based, or beyond the memory
   */
  registerDeviceMemory(
    memory: DeviceMemory,
    range: { offset: number; bytes: number },
    access: AccessFlags,
  ): MemoryRegion {
    this.#demandAllocated()
    demand((access & ZERO_BASED) !== 0, 'a region of device memory is zero-based')
    const { address, released } = memory.use(range.offset, range.bytes)
    return new MemoryRegion(this.#hca, this.address, address, range.bytes, access, 0, released)
  }

  /**
   * Allocates a memory window, bound to nothing yet.
   *
   * @throws {VerbsError} EINVAL: there is no such type; ENOMEM: there are too many
   */
  allocateWindow(type: WindowType): MemoryWindow {
    this.#demandAllocated()
    return new MemoryWindow(this.#hca, this.address, type)
  }

  /** @throws {VerbsError} EINVAL: it leads nowhere; ENOMEM: there are too many */
  createAddressHandle(attributes: AddressAttributes): AddressHandle {
    this.#demandAllocated()
    return new AddressHandle(this.#hca, this.address, attributes)
  }

  /** @throws {VerbsError} EINVAL: impossible capacities; EOPNOTSUPP: a type that is not offered */
  createSharedReceiveQueue(options: {
    entries: number
    /** Segments a receive may have, 1 to 16; default 1. */
    segmentsMax?: number
    /** Up to how many entries it can be resized later; default `entries`. */
    entriesMax?: number
    /** Default `basic`; the others are not offered, `EOPNOTSUPP`. */
    type?: 'basic' | 'extendedReliableConnected' | 'tagMatching'
  }): SharedReceiveQueue {
    this.#demandAllocated()
    const { entries, segmentsMax = 1, entriesMax, type = 'basic' } = options
    demandOffered(type !== 'extendedReliableConnected', 'shared receive queues of XRC')
    demandOffered(type !== 'tagMatching', 'shared receive queues that match tags')
    demand(type === 'basic', `there is no shared receive queue of type ${String(type)}`)
    return new SharedReceiveQueue(this.#hca, this.address, entries, segmentsMax, entriesMax)
  }

  /**
   * Creates a queue pair in state `reset`, to be connected by hand (ibv_create_qp.3).
   *
   * @throws {VerbsError} EINVAL: impossible capacities, or a shared receive queue on `unreliableConnected`
   */
  createQueuePair(options: QueuePairOptions): QueuePair {
    this.#demandAllocated()
    return QueuePair.create(this.#hca, this.address, options)
  }

  #demandAllocated(): void {
    demand(!this.#deallocated, 'the protection domain was deallocated')
  }

  /** @throws {VerbsError} EBUSY while anything is left in it */
  deallocate(): void {
    if (this.#deallocated) return
    const objects = Atomics.load(this.#hca.i32, (this.address + DOMAIN_OBJECTS) >>> 2) // peers add too
    demandUnused(objects, 'the protection domain', 'objects in it')
    this.#deallocated = true
    this.#hca.heap.free(this.address)
  }
}
