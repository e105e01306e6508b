import { FLUSH_GLOBAL, REMOTE_WRITE } from '../../wire/access.js'
import {
  REMOTE_ACCESS_ERROR,
  REMOTE_INVALID_REQUEST,
  SUCCESS,
} from '../../wire/completion-status.js'
import { CAUSE_MISALIGNED, CAUSE_REMOTE_KEY } from '../../wire/error-cause.js'
import { QP_HCA } from '../../wire/queue-pair.js'
import { REGION_ADDRESS } from '../../wire/region-entry.js'
import {
  INLINE,
  SEGMENT_ADDRESS,
  WQE_CONTROL,
  WQE_MESSAGE_BYTES,
} from '../../wire/work-queue-entry.js'
import { FLUSH_REGION, FLUSH_TYPES, WQE_IMMEDIATE } from '../../wire/work-queue-entry.js'
import { WQE_REMOTE_ADDRESS, WQE_REMOTE_KEY, WQE_SEGMENTS } from '../../wire/work-queue-entry.js'
import type { Hca } from '../hca.js'
import { findRegion } from '../memory/region-table.js'
import { checkPeerRange, checkRemoteRange, grants } from '../memory/remote-range.js'
import { ATOMIC_BYTES } from './atomic.js'
import { fail, refuse } from './deliver.js'

// The memory placement extensions (IBA vol. 1, annex A19): FLUSH and ATOMIC WRITE.

/** Rights that a FLUSH needs, by its word: the types it asks for are bits in the order of the rights. */
export function flushRights(word: number): number {
  return (word & FLUSH_TYPES) * FLUSH_GLOBAL
}

/** Checks what a FLUSH names: a range, or a region as a whole; 0, or which check failed. */
export function checkFlushed(
  hca: Hca,
  peer: number,
  { word, key, address, bytes }: { word: number; key: number; address: number; bytes: number },
): number {
  const rights = flushRights(word)
  if ((word & FLUSH_REGION) === 0) return checkPeerRange(hca, peer, key, address, bytes, rights)
  const region = findRegion(hca.i32, hca.u32[(peer + QP_HCA) >>> 2]!, key)
  const first = region === 0 ? 0 : hca.u32[(region + REGION_ADDRESS) >>> 2]!
  return checkPeerRange(hca, peer, key, first, 0, rights)
}

/**
 * FLUSH: everything written before is visible to all, and lasts as long as the world's memory does. In
 * this memory it is so already when a WRITE has been carried out: only the rights are checked.
 */
export function flushRemote(hca: Hca, peer: number, entry: number): number {
  const { u32 } = hca
  const word = u32[(entry + WQE_IMMEDIATE) >>> 2]!
  if (!grants(hca, peer, flushRights(word))) return refuse(hca, peer)
  const failed = checkFlushed(hca, peer, {
    word,
    key: u32[(entry + WQE_REMOTE_KEY) >>> 2]!,
    address: u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!,
    bytes: u32[(entry + WQE_MESSAGE_BYTES) >>> 2]!,
  })
  if (failed === 0) return SUCCESS
  hca.cause = CAUSE_REMOTE_KEY + failed - 1
  return fail(hca, peer, SUCCESS, REMOTE_ACCESS_ERROR)
}

/** ATOMIC WRITE: eight bytes that appear at once. As with atomics, its address is checked first. */
export function writeAtomically(hca: Hca, peer: number, entry: number): number {
  if (!grants(hca, peer, REMOTE_WRITE)) return refuse(hca, peer)
  if (hca.u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]! % ATOMIC_BYTES !== 0)
    return misaligned(hca, peer)
  const failed = checkRemoteRange(hca, peer, entry, ATOMIC_BYTES, REMOTE_WRITE)
  if (failed !== 0) {
    hca.cause = CAUSE_REMOTE_KEY + failed - 1
    return fail(hca, peer, SUCCESS, REMOTE_ACCESS_ERROR)
  }
  if (hca.translated % ATOMIC_BYTES !== 0) return misaligned(hca, peer)
  storeAtomically(hca, hca.translated, writtenValue(hca, entry))
  return SUCCESS
}

/** Stores eight bytes at once. */
export function storeAtomically(hca: Hca, address: number, value: bigint): void {
  Atomics.store(hca.i64, address / ATOMIC_BYTES, value) // the request itself
}

function misaligned(hca: Hca, peer: number): number {
  hca.cause = CAUSE_MISALIGNED
  return fail(hca, peer, SUCCESS, REMOTE_INVALID_REQUEST)
}

/** The eight bytes of the request: inline, or of its one segment. */
function writtenValue({ i32, u32 }: Hca, entry: number): bigint {
  const inline = (u32[(entry + WQE_CONTROL) >>> 2]! & (INLINE << 8)) !== 0
  const segment = entry + WQE_SEGMENTS
  const address = inline ? segment : u32[(segment + SEGMENT_ADDRESS) >>> 2]!
  return new DataView(i32.buffer).getBigInt64(address, true)
}
