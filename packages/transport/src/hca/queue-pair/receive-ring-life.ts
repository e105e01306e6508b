import type { Heap } from '../../memory/heap.js'
import { DOMAIN_OBJECTS } from '../../wire/protection-domain.js'
import { RECEIVE_DOMAIN, RECEIVE_ENTRY_BYTES, RECEIVE_MASK } from '../../wire/receive-ring.js'
import {
  RECEIVE_RING_BYTES,
  RECEIVE_SEGMENTS,
  RECEIVE_SEGMENTS_MAX,
} from '../../wire/receive-ring.js'
import { SEGMENT_BYTES } from '../../wire/work-queue-entry.js'
import { powerOfTwoFrom } from './capacity.js'

/** Creates an empty ring of at least `entries` receives of up to `segmentsMax` segments. */
export function createReceiveRing(
  i32: Int32Array,
  heap: Heap,
  domain: number,
  entries: number,
  segmentsMax: number,
): number {
  // One more, so that a full queue need not be looked at anew with each receive posted.
  const capacity = powerOfTwoFrom(entries + 1)
  const entryBytes = RECEIVE_SEGMENTS + segmentsMax * SEGMENT_BYTES
  const ring = heap.allocate(RECEIVE_RING_BYTES + capacity * entryBytes)
  i32[(ring + RECEIVE_MASK) >>> 2] = capacity - 1
  i32[(ring + RECEIVE_ENTRY_BYTES) >>> 2] = entryBytes
  i32[(ring + RECEIVE_SEGMENTS_MAX) >>> 2] = segmentsMax
  i32[(ring + RECEIVE_DOMAIN) >>> 2] = domain
  Atomics.add(i32, (domain + DOMAIN_OBJECTS) >>> 2, 1) // changed by several threads
  return ring
}

/** Returns the memory of a ring that no queue pair uses. */
export function destroyReceiveRing(i32: Int32Array, heap: Heap, ring: number): void {
  const domain = i32[(ring + RECEIVE_DOMAIN) >>> 2]! >>> 0
  Atomics.sub(i32, (domain + DOMAIN_OBJECTS) >>> 2, 1) // changed by several threads
  heap.free(ring)
}
