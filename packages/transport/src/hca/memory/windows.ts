import {
  LOCAL_WRITE,
  REMOTE_ANY,
  REMOTE_ATOMIC,
  REMOTE_WRITE,
  WINDOW_BIND,
} from '../../wire/access.js'
import { ZERO_BASED } from '../../wire/access.js'
import { HCA_WINDOW_COUNT } from '../../wire/hca-block.js'
import { QP_DOMAIN } from '../../wire/queue-pair.js'
import {
  KIND_REGION,
  KIND_WINDOW_1,
  KIND_WINDOW_2,
  REGION_ACCESS,
} from '../../wire/region-entry.js'
import { nextVariant, REGION_ADDRESS, REGION_DOMAIN, REGION_KEY } from '../../wire/region-entry.js'
import {
  REGION_KIND,
  REGION_LAST_KEY,
  REGION_LENGTH,
  REGION_LINK,
} from '../../wire/region-entry.js'
import { REGION_TRANSLATED_LENGTH, REGION_TRANSLATION } from '../../wire/region-entry.js'
import { REGION_WINDOW_DOMAIN } from '../../wire/region-entry.js'
import type { Hca } from '../hca.js'
import { countObject, findRegion, releaseEntry, takeEntry, withdrawRegion } from './region-table.js'

/** What a bind asks for (ibv_bind_mw.3). */
export interface BindPlan {
  /** Entry of the window. */
  window: number
  /** Entry of the region. */
  region: number
  address: number
  bytes: number
  access: number
  /** Type 2: the key the consumer has chosen, of which the low 8 bits count. */
  key: number
}

/** Allocates a memory window, not bound to anything. The owner. */
export function allocateWindow(hca: Hca, domain: number, kind: number): number {
  const { i32 } = hca
  const window = takeEntry(hca)
  i32[(window + REGION_KIND) >>> 2] = kind
  i32[(window + REGION_WINDOW_DOMAIN) >>> 2] = domain
  i32[(window + REGION_LAST_KEY) >>> 2] = nextVariant(i32[(window + REGION_LAST_KEY) >>> 2]!)
  i32[(hca.block + HCA_WINDOW_COUNT) >>> 2]! += 1
  countObject(hca, domain, 1)
  return window
}

/** Frees a window, bound or not; no transfer uses it when this returns. The owner. */
export function deallocateWindow(hca: Hca, window: number): void {
  unbind(hca, window)
  countObject(hca, hca.u32[(window + REGION_WINDOW_DOMAIN) >>> 2]!, -1)
  hca.i32[(hca.block + HCA_WINDOW_COUNT) >>> 2]! -= 1
  releaseEntry(hca, window)
}

/** Carries out a bind request; whether it was allowed. The owner, in send queue order. */
export function bindWindow(hca: Hca, queuePair: number, plan: BindPlan): boolean {
  const { i32 } = hca
  const { window, bytes } = plan
  const second = i32[(window + REGION_KIND) >>> 2] === KIND_WINDOW_2
  const bound = i32[(window + REGION_KEY) >>> 2] !== 0
  if (second && bound) return false // type 2 must be invalidated first
  if (!second && bytes === 0) {
    unbind(hca, window)
    return true
  }
  if (!mayBind(hca, queuePair, plan)) return false
  unbind(hca, window)
  place(hca, queuePair, plan, second)
  return true
}

function mayBind(hca: Hca, queuePair: number, plan: BindPlan): boolean {
  const { i32, u32 } = hca
  const { window, region, address, bytes, access } = plan
  const domain = u32[(queuePair + QP_DOMAIN) >>> 2]!
  if (u32[(window + REGION_WINDOW_DOMAIN) >>> 2] !== domain) return false
  if (region === 0 || i32[(region + REGION_KEY) >>> 2] === 0) return false
  if (i32[(region + REGION_KIND) >>> 2] !== KIND_REGION) return false
  if (u32[(region + REGION_DOMAIN) >>> 2] !== domain) return false
  const rights = i32[(region + REGION_ACCESS) >>> 2]!
  if ((rights & WINDOW_BIND) === 0 || (rights & ZERO_BASED) !== 0) return false
  const needsLocalWrite = (access & (REMOTE_WRITE | REMOTE_ATOMIC)) !== 0
  if (needsLocalWrite && (rights & LOCAL_WRITE) === 0) return false
  const first = u32[(region + REGION_ADDRESS) >>> 2]!
  const length = u32[(region + REGION_LENGTH) >>> 2]!
  return address >= first && bytes <= length && address - first <= length - bytes
}

function place(hca: Hca, queuePair: number, plan: BindPlan, second: boolean): void {
  const { i32, u32 } = hca
  const { window, region, address, bytes, access } = plan
  const last = u32[(window + REGION_LAST_KEY) >>> 2]!
  const key = second ? ((last & 0xffffff00) | (plan.key & 0xff)) >>> 0 : plan.key
  const zeroBased = (access & ZERO_BASED) !== 0
  i32[(window + REGION_LAST_KEY) >>> 2] = key
  i32[(window + REGION_ADDRESS) >>> 2] = zeroBased ? 0 : address
  i32[(window + REGION_LENGTH) >>> 2] = zeroBased ? 0 : bytes
  i32[(window + REGION_TRANSLATED_LENGTH) >>> 2] = bytes
  i32[(window + REGION_TRANSLATION) >>> 2] = zeroBased ? address : 0
  i32[(window + REGION_ACCESS) >>> 2] = access & REMOTE_ANY
  i32[(window + REGION_DOMAIN) >>> 2] = second ? queuePair : u32[(queuePair + QP_DOMAIN) >>> 2]!
  i32[(window + REGION_LINK) >>> 2] = region
  Atomics.add(i32, (region + REGION_LINK) >>> 2, 1) // peers that invalidate count down
  Atomics.store(i32, (window + REGION_KEY) >>> 2, key | 0) // last: from here on the window is bound
}

/** Takes a window off its region, if it is bound; no transfer uses it when this returns. */
function unbind(hca: Hca, window: number): void {
  const key = Atomics.load(hca.i32, (window + REGION_KEY) >>> 2) // a peer may invalidate it now
  if (key === 0 || !invalidateEntry(hca.i32, window, key)) return
  withdrawRegion(hca, window)
}

/** Makes a window invalid that has this key; false when another thread was first. Any thread. */
function invalidateEntry(i32: Int32Array, window: number, key: number): boolean {
  // Exchanged, so that the region is counted down once.
  if (Atomics.compareExchange(i32, (window + REGION_KEY) >>> 2, key | 0, 0) !== (key | 0))
    return false
  const region = i32[(window + REGION_LINK) >>> 2]! >>> 0
  Atomics.sub(i32, (region + REGION_LINK) >>> 2, 1) // windows of a region may go in several threads
  return true
}

/**
 * Invalidates the window of type 2 that `key` names at the HCA at `block`, if it is bound to
 * `queuePair`: for LOCAL_INV by its owner, for SEND with invalidate by the peer's thread, which has
 * entered the HCA. Uses of a window bound to a queue pair come through that queue pair only: for the
 * peer's thread, which carries them out in order, none is under way; the owner waits for visitors.
 */
export function invalidateKey(hca: Hca, block: number, queuePair: number, key: number): boolean {
  const { i32, u32 } = hca
  const window = findRegion(i32, block, key)
  if (window === 0 || i32[(window + REGION_KIND) >>> 2] !== KIND_WINDOW_2) return false
  if (u32[(window + REGION_DOMAIN) >>> 2] !== queuePair) return false
  return key !== 0 && invalidateEntry(i32, window, key)
}

/** Windows bound to a region. */
export function boundWindows(hca: Hca, region: number): number {
  if (hca.i32[(region + REGION_KIND) >>> 2] !== KIND_REGION) return 0
  return Atomics.load(hca.i32, (region + REGION_LINK) >>> 2) // peers that invalidate count down
}

/** The key that the next bind of a type 1 window will give it. */
export function nextWindowKey(hca: Hca, window: number): number {
  return nextVariant(hca.u32[(window + REGION_LAST_KEY) >>> 2]!)
}

export { KIND_WINDOW_1, KIND_WINDOW_2 }
