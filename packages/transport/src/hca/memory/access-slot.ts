import { HCA_BYTES, HCA_SLOT } from '../../wire/hca-block.js'
import type { Hca } from '../hca.js'
import { hcaAddress, hcaCount } from '../hca-table.js'

/**
 * The access slot: a word of an HCA block in which its thread says whose objects it is touching, so
 * that the owner of queue pairs, rings and regions can take them away and then wait until nobody
 * touches them. It names the HCA they belong to, not each object: one store covers the whole
 * delivery. The low bits count visits, so that the next visit of the same thread, which sees that
 * the object is gone, is told from the one that has to be waited for.
 *
 * ```
 *   visitor:  slot = HCA | visit  ->  is the object valid?  ->  touch it  ->  slot = 0
 *   owner:    make it invalid     ->  wait until each slot that names this HCA has changed
 * ```
 *
 * Ordering: each side stores before it looks, and all four accesses are sequentially consistent, so
 * either the visitor sees that the object is invalid, or the owner sees the visitor. The store of 0
 * comes after the touching. A thread never waits for others while its own slot is set, so there is
 * no circle; a thread that is terminated inside has ended its world.
 */
const VISIT_MASK = HCA_BYTES - 1
const SPINS = 1000
const NAP_MS = 0.1

/** Begins to touch objects of the HCA at `block`. Not nested. */
export function enterHca(hca: Hca, block: number): void {
  hca.visit = (hca.visit + 1) & VISIT_MASK
  hca.kernels.publish_word(hca.slot, block | hca.visit) // before the validity of anything is looked at
}

/** Ends it. */
export function leaveHca(hca: Hca): void {
  hca.kernels.publish_word(hca.slot, 0) // after the last touch
}

/** Returns when no other thread touches what this HCA has made invalid before the call. */
export function awaitVisitors(hca: Hca): void {
  const { i32 } = hca
  const count = hcaCount(i32)
  for (let index = 0; index < count; index++) {
    if (index === hca.index) continue
    const slot = (hcaAddress(i32, index) + HCA_SLOT) >>> 2
    const visit = Atomics.load(i32, slot) // after the stores that made the object invalid
    if ((visit & ~VISIT_MASK) === (hca.block | 0)) awaitChange(i32, slot, visit)
  }
}

function awaitChange(i32: Int32Array, slot: number, visit: number): void {
  let spins = 0
  while (Atomics.load(i32, slot) === visit) {
    // changed by the visitor
    // The visitor may need this core; nobody notifies, the nap ends by itself.
    if (++spins > SPINS) Atomics.wait(i32, slot, visit, NAP_MS)
  }
}
