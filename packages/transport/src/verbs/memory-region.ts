import type { Hca } from '../hca/hca.js'
import { deregisterRegion, registerRegion } from '../hca/region-table.js'
import { REMOTE_ANY } from '../wire/access.js'
import { REGION_LAST_KEY } from '../wire/region-entry.js'
import type { AccessFlags } from './access.js'

/**
 * A range of world memory that the HCA may work on, with the keys that requests name it by. Keys are
 * (index << 8) | variant: the key of a region that was deregistered is recognised as stale.
 */
export class MemoryRegion {
  readonly #hca: Hca
  /** Address of its entry in the region table. */
  readonly entry: number
  readonly address: number
  readonly bytes: number
  readonly access: AccessFlags
  /** For segments of own requests. */
  readonly localKey: number
  /** For peers; 0 when no remote right was asked for. */
  readonly remoteKey: number
  #registered = true

  /** Made by `ProtectionDomain.register`. */
  constructor(hca: Hca, domain: number, address: number, bytes: number, access: AccessFlags) {
    this.#hca = hca
    this.entry = registerRegion(hca, domain, address, bytes, access)
    this.address = address
    this.bytes = bytes
    this.access = access
    this.localKey = hca.u32[(this.entry + REGION_LAST_KEY) >>> 2]!
    this.remoteKey = (access & REMOTE_ANY) === 0 ? 0 : this.localKey
  }

  get registered(): boolean {
    return this.#registered
  }

  /**
   * Makes the keys invalid and returns when no transfer touches the range any more: from then on
   * the memory is the caller's alone. Doing it twice is harmless.
   */
  deregister(): void {
    if (!this.#registered) return
    this.#registered = false
    deregisterRegion(this.#hca, this.entry)
  }
}
