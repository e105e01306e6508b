import { LOCAL_WRITE, ON_DEMAND, REGION_ACCESS_ALL, REMOTE_ATOMIC } from '../../wire/access.js'
import { REMOTE_WRITE } from '../../wire/access.js'
import { HCA_REGION_CAPACITY, HCA_REGION_CHUNKS, HCA_REGION_COUNT } from '../../wire/hca-block.js'
import { HCA_REGION_CHUNK_COUNT, HCA_REGION_FREE_HEAD } from '../../wire/hca-block.js'
import { HCA_REGION_FREE_TAIL, HCA_REGION_FRESH } from '../../wire/hca-block.js'
import { DOMAIN_OBJECTS } from '../../wire/protection-domain.js'
import {
  nextVariant,
  REGION_ACCESS,
  REGION_ADDRESS,
  REGION_BYTES,
} from '../../wire/region-entry.js'
import {
  REGION_DOMAIN,
  REGION_FIRST_CHUNK_ENTRIES,
  REGION_KEY,
  REGION_KIND,
} from '../../wire/region-entry.js'
import { REGION_LAST_KEY, REGION_LENGTH, REGION_NEXT_FREE } from '../../wire/region-entry.js'
import { regionIndex } from '../../wire/region-entry.js'
import { awaitVisitors } from './access-slot.js'
import type { Hca } from '../hca.js'
import { demand, demandOffered, VerbsError } from '../verbs-error.js'

/** Longest region: its length is a word. */
export const REGION_BYTES_MAX = 2 ** 32 - 1

/**
 * Registers a range: O(1). Entries that were used longest ago are used again first, so that a stale
 * key is recognised for as long as possible. The owner's thread.
 *
 * @returns address of the region entry
 * @throws {VerbsError} EINVAL: no such range or rights; ENOMEM: the table is full
 */
export function registerRegion(
  hca: Hca,
  domain: number,
  address: number,
  bytes: number,
  access: number,
): number {
  checkRange(hca, address, bytes, access)
  const region = takeEntry(hca)
  publishRegion(hca, region, domain, address, bytes, access)
  countObject(hca, domain, 1)
  return region
}

/** @throws {VerbsError} EINVAL: no such range or rights */
export function checkRange(hca: Hca, address: number, bytes: number, access: number): void {
  const known = (access & ~(REGION_ACCESS_ALL | ON_DEMAND)) === 0
  demand(known, `access ${access} has unknown flags`)
  demandOffered((access & ON_DEMAND) === 0, 'on-demand paging')
  const memoryBytes = hca.i32.buffer.byteLength
  demand(
    Number.isInteger(address) && Number.isInteger(bytes) && address >= 0 && bytes >= 0,
    'not a range',
  )
  demand(
    address + bytes <= memoryBytes,
    `range ends at ${address + bytes}, memory at ${memoryBytes}`,
  )
  demand(bytes <= REGION_BYTES_MAX, `a region of ${bytes} bytes; at most ${REGION_BYTES_MAX}`)
  const needsLocalWrite = (access & (REMOTE_WRITE | REMOTE_ATOMIC)) !== 0
  demand(!needsLocalWrite || (access & LOCAL_WRITE) !== 0, 'remote write needs local write')
}

/** Gives an entry a range and a new key, and makes it valid. The entry is not valid. The owner. */
export function publishRegion(
  hca: Hca,
  region: number,
  domain: number,
  address: number,
  bytes: number,
  access: number,
): void {
  const { i32 } = hca
  const key = nextVariant(i32[(region + REGION_LAST_KEY) >>> 2]!)
  i32[(region + REGION_ADDRESS) >>> 2] = address
  i32[(region + REGION_LENGTH) >>> 2] = bytes
  i32[(region + REGION_ACCESS) >>> 2] = access
  i32[(region + REGION_DOMAIN) >>> 2] = domain
  i32[(region + REGION_LAST_KEY) >>> 2] = key
  Atomics.store(i32, (region + REGION_KEY) >>> 2, key | 0) // last: from here on the region is valid
}

/** Makes an entry invalid and returns when no other thread uses it any more. The owner. */
export function withdrawRegion(hca: Hca, region: number): void {
  Atomics.store(hca.i32, (region + REGION_KEY) >>> 2, 0) // before the visitors are looked at
  awaitVisitors(hca)
}

/**
 * Makes a region invalid and returns when no thread touches it any more; transfers that come later
 * fail. The owner's thread.
 */
export function deregisterRegion(hca: Hca, region: number): void {
  withdrawRegion(hca, region)
  countObject(hca, hca.u32[(region + REGION_DOMAIN) >>> 2]!, -1)
  releaseEntry(hca, region)
}

/** Counts an object in or out of its domain. */
export function countObject(hca: Hca, domain: number, change: number): void {
  Atomics.add(hca.i32, (domain + DOMAIN_OBJECTS) >>> 2, change) // peers add queue pairs to the same count
}

/** Takes an entry that is not in use, all words zero but its last key. The owner. */
export function takeEntry(hca: Hca): number {
  const { i32 } = hca
  const region = freeEntry(hca)
  i32[(hca.block + HCA_REGION_COUNT) >>> 2]! += 1
  i32.fill(0, (region + REGION_KIND) >>> 2, (region + REGION_BYTES) >>> 2)
  return region
}

/** Gives an entry back that is not valid any more. The owner. */
export function releaseEntry(hca: Hca, region: number): void {
  const { i32 } = hca
  i32[(hca.block + HCA_REGION_COUNT) >>> 2]! -= 1
  i32[(region + REGION_NEXT_FREE) >>> 2] = 0
  const tail = i32[(hca.block + HCA_REGION_FREE_TAIL) >>> 2]! >>> 0
  if (tail === 0) i32[(hca.block + HCA_REGION_FREE_HEAD) >>> 2] = region
  else i32[(tail + REGION_NEXT_FREE) >>> 2] = region
  i32[(hca.block + HCA_REGION_FREE_TAIL) >>> 2] = region
}

/** Address of the entry that `key` names in the HCA at `block`, valid or not; 0 when there is none. */
export function findRegion(i32: Int32Array, block: number, key: number): number {
  const index = regionIndex(key)
  // Chunk k holds the indices from 16 * (2^k - 1) on, 16 << k of them.
  const chunk = 31 - Math.clz32((index >>> 4) + 1)
  if (chunk >= HCA_REGION_CHUNK_COUNT) return 0
  const address = i32[(block + HCA_REGION_CHUNKS + chunk * 4) >>> 2]!
  if (address === 0) return 0
  const place = index - (REGION_FIRST_CHUNK_ENTRIES << chunk) + REGION_FIRST_CHUNK_ENTRIES
  return (address + place * REGION_BYTES) >>> 0
}

/** Address of the valid region of `key` in the HCA at `block`, which is entered; 0 when there is none. */
export function findValidRegion(i32: Int32Array, block: number, key: number): number {
  const region = findRegion(i32, block, key)
  // An atomic load: after the access slot's store, before the plain reads of the entry.
  return region !== 0 && Atomics.load(i32, (region + REGION_KEY) >>> 2) === (key | 0) ? region : 0
}

/** The same for the own HCA, whose regions only this thread takes away. */
export function findOwnRegion(i32: Int32Array, block: number, key: number): number {
  const region = findRegion(i32, block, key)
  return region !== 0 && i32[(region + REGION_KEY) >>> 2] === (key | 0) ? region : 0
}

/**
 * Checks that the key named a valid region (it is not 0), and that the region covers the range,
 * belongs to `domain` and grants `right` (0: reading, always granted).
 *
 * @returns 0, or which check failed: 1 key, 2 bounds, 3 domain, 4 right
 */
export function checkRegion(
  hca: Hca,
  region: number,
  domain: number,
  address: number,
  bytes: number,
  right: number,
): number {
  if (region === 0) return 1
  const { u32 } = hca
  const base = region >>> 2
  const first = u32[base + (REGION_ADDRESS >> 2)]!
  const length = u32[base + (REGION_LENGTH >> 2)]!
  if (address < first || bytes > length || address - first > length - bytes) return 2
  if (u32[base + (REGION_DOMAIN >> 2)] !== domain) return 3
  return (u32[base + (REGION_ACCESS >> 2)]! & right) === right ? 0 : 4
}

function freeEntry(hca: Hca): number {
  const { i32, block } = hca
  const fresh = i32[(block + HCA_REGION_FRESH) >>> 2]! || 1 // index 0 is never used
  if (fresh < i32[(block + HCA_REGION_CAPACITY) >>> 2]!) return freshEntry(hca, fresh)
  const free = i32[(block + HCA_REGION_FREE_HEAD) >>> 2]! >>> 0
  if (free === 0) {
    addChunk(hca)
    return freshEntry(hca, fresh)
  }
  const next = i32[(free + REGION_NEXT_FREE) >>> 2]!
  i32[(block + HCA_REGION_FREE_HEAD) >>> 2] = next
  if (next === 0) i32[(block + HCA_REGION_FREE_TAIL) >>> 2] = 0
  return free
}

function freshEntry(hca: Hca, index: number): number {
  const { i32, block } = hca
  i32[(block + HCA_REGION_FRESH) >>> 2] = index + 1
  const region = findRegion(i32, block, index << 8)
  i32[(region + REGION_LAST_KEY) >>> 2] = index << 8
  return region
}

function addChunk(hca: Hca): void {
  const { i32, block, heap } = hca
  const capacity = i32[(block + HCA_REGION_CAPACITY) >>> 2]!
  const chunk = 31 - Math.clz32((capacity >>> 4) + 1)
  if (chunk >= HCA_REGION_CHUNK_COUNT) throw new VerbsError('ENOMEM', 'the region table is full')
  const entries = REGION_FIRST_CHUNK_ENTRIES << chunk
  const address = heap.allocate(entries * REGION_BYTES)
  Atomics.store(i32, (block + HCA_REGION_CHUNKS + chunk * 4) >>> 2, address | 0) // zeroed before it is seen
  i32[(block + HCA_REGION_CAPACITY) >>> 2] = capacity + entries
}
