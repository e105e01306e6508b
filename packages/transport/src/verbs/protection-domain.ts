import type { Hca } from '../hca/hca.js'
import { demandUnused } from '../hca/verbs-error.js'
import { DOMAIN_BYTES, DOMAIN_HCA, DOMAIN_OBJECTS } from '../wire/protection-domain.js'
import type { AccessFlags } from './access.js'
import { MemoryRegion } from './memory-region.js'
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
    return new MemoryRegion(this.#hca, this.address, address, bytes, access)
  }

  /** @throws {VerbsError} EINVAL: impossible capacities */
  createSharedReceiveQueue(options: {
    entries: number
    /** Segments a receive may have, 1 to 16; default 1. */
    segmentsMax?: number
  }): SharedReceiveQueue {
    return new SharedReceiveQueue(
      this.#hca,
      this.address,
      options.entries,
      options.segmentsMax ?? 1,
    )
  }

  /** Creates a reliable connected queue pair in state `reset`, to be connected by hand. */
  createQueuePair(options: QueuePairOptions): QueuePair {
    return QueuePair.create(this.#hca, this.address, options)
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
