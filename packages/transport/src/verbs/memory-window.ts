import type { Hca } from '../hca/hca.js'
import { allocateWindow, deallocateWindow } from '../hca/memory/windows.js'
import { demand, VerbsError } from '../hca/verbs-error.js'
import { HCA_WINDOW_COUNT } from '../wire/hca-block.js'
import { KIND_WINDOW_1, KIND_WINDOW_2, nextVariant, REGION_KEY } from '../wire/region-entry.js'
import { REGION_LAST_KEY } from '../wire/region-entry.js'
import { DEVICE_LIMITS } from './device-limits.js'

/** Type 1 is bound by a verb, type 2 by a request; both to one queue pair's order of requests. */
export type WindowType = 1 | 2

/**
 * A memory window: a key of its own for part of a region, given and taken away in the order of a send
 * queue (ibv_alloc_mw.3, ibv_bind_mw.3). Type 1 belongs to the protection domain and takes a new key
 * with each bind; type 2 (2B) belongs to the queue pair it was bound on, and its user picks the key.
 *
 * @example
 * const window = domain.allocateWindow(2)
 * const key = window.nextKey
 * queuePair.postSend({ opcode: 'bindWindow', bind: { window, region, address, bytes, access, key } })
 */
export class MemoryWindow {
  readonly #hca: Hca
  /** Address of its entry in the region table. */
  readonly entry: number
  readonly type: WindowType
  #allocated = true

  /** Made by `ProtectionDomain.allocateWindow`. */
  constructor(hca: Hca, domain: number, type: WindowType) {
    demand(type === 1 || type === 2, `there is no memory window of type ${type}`)
    const { maxMemoryWindows } = DEVICE_LIMITS
    if (hca.i32[(hca.block + HCA_WINDOW_COUNT) >>> 2]! >= maxMemoryWindows) {
      throw new VerbsError('ENOMEM', `there are ${maxMemoryWindows} memory windows already`)
    }
    this.#hca = hca
    this.type = type
    this.entry = allocateWindow(hca, domain, type === 1 ? KIND_WINDOW_1 : KIND_WINDOW_2)
  }

  /** The key peers use, as far as its binding has come: that of the last bind carried out. */
  get remoteKey(): number {
    return this.#hca.u32[(this.entry + REGION_LAST_KEY) >>> 2]!
  }

  /** The key that follows: type 2's user binds with it, as with `ibv_inc_rkey`. */
  get nextKey(): number {
    return nextVariant(this.remoteKey)
  }

  get bound(): boolean {
    return Atomics.load(this.#hca.i32, (this.entry + REGION_KEY) >>> 2) !== 0 // peers may invalidate it
  }

  get allocated(): boolean {
    return this.#allocated
  }

  /** Frees it, bound or not: its key is invalid, and no transfer uses it, when this returns. */
  deallocate(): void {
    if (!this.#allocated) return
    this.#allocated = false
    deallocateWindow(this.#hca, this.entry)
  }
}
