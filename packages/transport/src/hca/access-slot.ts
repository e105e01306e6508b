import { HCA_SLOT_QUEUE_PAIR, HCA_SLOT_REGION } from '../wire/hca-block.js'
import type { Hca } from './hca.js'
import { hcaAddress, hcaCount } from './hca-table.js'

/**
 * The access slot: two words of an HCA block in which its thread says what of others it is touching,
 * so that whoever takes a queue pair or a region away can wait until nobody does.
 *
 * ```
 *   toucher:  slot = object   ->  is it valid?  ->  touch  ->  slot = 0
 *   remover:  make it invalid ->  wait until no other slot names it  ->  remove
 * ```
 *
 * Ordering: each side stores before it looks, all four accesses are sequentially consistent, so
 * either the toucher sees that the object is invalid, or the remover sees the toucher. The store of
 * 0 comes after the touching. A thread never waits for slots while its own is set.
 */
const REGION_WORD = (HCA_SLOT_REGION - HCA_SLOT_QUEUE_PAIR) >> 2
const SPINS = 1000
const NAP_MS = 0.1

export function enterQueuePair(hca: Hca, queuePair: number): void {
  Atomics.store(hca.i32, hca.slot, queuePair | 0) // before its state is loaded
}

export function leaveQueuePair(hca: Hca): void {
  Atomics.store(hca.i32, hca.slot, 0) // after the last touch
}

export function enterRegion(hca: Hca, region: number): void {
  Atomics.store(hca.i32, hca.slot + REGION_WORD, region | 0) // before its key is loaded
}

export function leaveRegion(hca: Hca): void {
  Atomics.store(hca.i32, hca.slot + REGION_WORD, 0) // after the last byte
}

/** Returns when no other thread is delivering to `queuePair`, which has stopped taking messages. */
export function awaitQueuePairUntouched(hca: Hca, queuePair: number): void {
  awaitUntouched(hca, HCA_SLOT_QUEUE_PAIR, queuePair | 0)
}

/** Returns when no other thread is touching `region`, which is no longer valid. */
export function awaitRegionUntouched(hca: Hca, region: number): void {
  awaitUntouched(hca, HCA_SLOT_REGION, region | 0)
}

function awaitUntouched(hca: Hca, offset: number, object: number): void {
  const { i32 } = hca
  const count = hcaCount(i32)
  for (let index = 0; index < count; index++) {
    if (index === hca.index) continue
    const slot = (hcaAddress(i32, index) + offset) >>> 2
    let spins = 0
    while (Atomics.load(i32, slot) === object) {
      // The toucher may need this core; nobody notifies, the nap ends by itself.
      if (++spins > SPINS) Atomics.wait(i32, slot, object, NAP_MS)
    }
  }
}
