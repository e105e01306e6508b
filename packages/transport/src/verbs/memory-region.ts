import type { Hca } from '../hca/hca.js'
import { checkRange, countObject, deregisterRegion } from '../hca/memory/region-table.js'
import { publishRegion, registerRegion, withdrawRegion } from '../hca/memory/region-table.js'
import { demandUnused } from '../hca/verbs-error.js'
import { boundWindows } from '../hca/memory/windows.js'
import { REMOTE_ANY, ZERO_BASED } from '../wire/access.js'
import {
  REGION_ADDRESS,
  REGION_DOMAIN,
  REGION_LAST_KEY,
  REGION_LENGTH,
} from '../wire/region-entry.js'
import { REGION_TRANSLATED_LENGTH, REGION_TRANSLATION } from '../wire/region-entry.js'
import type { AccessFlags } from './access.js'

/** What `reregister` changes; what is left out stays (ibv_rereg_mr.3). */
export interface RegionChange {
  /** A new range. */
  range?: { address: number; bytes: number }
  /** Another protection domain of the same device. */
  domain?: { readonly address: number }
  access?: AccessFlags
}

/**
 * A range of world memory that the HCA may work on, with the keys that requests name it by. Keys are
 * (index << 8) | variant: the key of a region that was deregistered is recognised as stale.
 *
 * A region that is zero-based, or has a base of its own, has two keys: the remote one names addresses
 * from that base, and so do segments of requests and receives given as objects; the numeric
 * posting calls always take addresses of memory.
 */
export class MemoryRegion {
  readonly #hca: Hca
  #domain: number
  #entry: number
  /** Entry of the remote key, where addresses are translated; else 0. */
  #translated = 0
  #address: number
  #bytes: number
  #access: AccessFlags
  #base: number | undefined
  #registered = true
  /** Told when it is deregistered. */
  readonly #released: (() => void) | undefined

  /** Made by `ProtectionDomain.register`. */
  constructor(
    hca: Hca,
    domain: number,
    address: number,
    bytes: number,
    access: AccessFlags,
    base?: number,
    released?: () => void,
  ) {
    this.#released = released
    this.#hca = hca
    this.#domain = domain
    this.#address = address
    this.#bytes = bytes
    this.#access = access
    this.#base = (access & ZERO_BASED) !== 0 ? 0 : base
    this.#entry = registerRegion(hca, domain, address, bytes, access)
    if (this.#base !== undefined) this.#translate(this.#base)
  }

  /** Address of its entry in the region table. */
  get entry(): number {
    return this.#entry
  }

  get address(): number {
    return this.#address
  }

  get bytes(): number {
    return this.#bytes
  }

  get access(): AccessFlags {
    return this.#access
  }

  /** For segments of own requests. */
  get localKey(): number {
    return this.#hca.u32[(this.#entry + REGION_LAST_KEY) >>> 2]!
  }

  /** For peers; 0 when no remote right was asked for. */
  get remoteKey(): number {
    if ((this.#access & REMOTE_ANY) === 0) return 0
    return this.#hca.u32[((this.#translated || this.#entry) + REGION_LAST_KEY) >>> 2]!
  }

  get registered(): boolean {
    return this.#registered
  }

  /**
   * Makes the keys invalid and returns when no transfer touches the range any more: from then on
   * the memory is the caller's alone. Doing it twice is harmless.
   *
   * @throws {VerbsError} EBUSY while a memory window is bound to it
   */
  deregister(): void {
    if (!this.#registered) return
    demandUnused(boundWindows(this.#hca, this.#entry), 'the memory region', 'windows bound to it')
    this.#registered = false
    if (this.#translated !== 0) deregisterRegion(this.#hca, this.#translated)
    deregisterRegion(this.#hca, this.#entry)
    this.#released?.()
  }

  /**
   * Changes range, domain or rights (ibv_rereg_mr.3). Transfers under way end before it returns, and
   * the keys are new ones. When it is refused the region stays as it was.
   *
   * @throws {VerbsError} EINVAL: no such range or rights; EBUSY: a memory window is bound to it
   */
  reregister(change: RegionChange): void {
    const hca = this.#hca
    const { address, bytes } = change.range ?? { address: this.#address, bytes: this.#bytes }
    const access = change.access ?? this.#access
    const domain = change.domain?.address ?? this.#domain
    checkRange(hca, address, bytes, access)
    demandUnused(boundWindows(hca, this.#entry), 'the memory region', 'windows bound to it')
    if (this.#translated !== 0) deregisterRegion(hca, this.#translated)
    this.#translated = 0
    withdrawRegion(hca, this.#entry)
    countObject(hca, this.#domain, -1)
    countObject(hca, domain, 1)
    this.#domain = domain
    this.#address = address
    this.#bytes = bytes
    this.#access = access
    hca.i32[(this.#entry + REGION_TRANSLATION) >>> 2] = 0
    publishRegion(hca, this.#entry, domain, address, bytes, access)
    if ((access & ZERO_BASED) !== 0) this.#base = 0
    if (this.#base !== undefined) this.#translate(this.#base)
  }

  /** Makes the second entry, whose addresses count from `base`. */
  #translate(base: number): void {
    const hca = this.#hca
    const { i32 } = hca
    const shift = this.#address - base
    const entry = registerRegion(hca, this.#domain, this.#address, this.#bytes, this.#access)
    withdrawRegion(hca, entry)
    i32[(entry + REGION_TRANSLATED_LENGTH) >>> 2] = this.#bytes
    i32[(entry + REGION_TRANSLATION) >>> 2] = shift
    publishRegion(hca, entry, i32[(entry + REGION_DOMAIN) >>> 2]!, base, 0, this.#access)
    i32[(this.#entry + REGION_TRANSLATION) >>> 2] = shift
    this.#translated = entry
  }
}

/** Address in memory of a segment's address, which may count from its region's base. */
export function memoryAddressOf(hca: Hca, region: number, address: number): number {
  if (region === 0) return address
  const shift = hca.i32[(region + REGION_TRANSLATION) >>> 2]!
  if (shift === 0) return address
  const first = hca.u32[(region + REGION_ADDRESS) >>> 2]!
  const bytes = hca.u32[(region + REGION_LENGTH) >>> 2]!
  const moved = address + shift
  // Beyond the base it is nowhere: past the end of memory, so that the check of the range fails.
  return moved >= first && moved <= first + bytes ? moved : 0xffff_ffff
}
