import { QP_ACCESS, QP_DOMAIN, QP_HCA } from '../../wire/queue-pair.js'
import { WQE_REMOTE_ADDRESS, WQE_REMOTE_KEY } from '../../wire/work-queue-entry.js'
import type { Hca } from '../hca.js'
import { checkRegion, findValidRegion } from './region-table.js'
import { lookCloser } from './translation.js'

/**
 * Checks the range at the peer that a request names; 0 with its memory address in `hca.translated`,
 * or which check failed. The peer's HCA is entered.
 */
export function checkRemoteRange(
  hca: Hca,
  peer: number,
  entry: number,
  bytes: number,
  right: number,
): number {
  const { u32 } = hca
  const key = u32[(entry + WQE_REMOTE_KEY) >>> 2]!
  const address = u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!
  return checkPeerRange(hca, peer, key, address, bytes, right)
}

/** The same for a range given by itself. */
export function checkPeerRange(
  hca: Hca,
  peer: number,
  key: number,
  address: number,
  bytes: number,
  right: number,
): number {
  const { u32 } = hca
  const region = findValidRegion(hca.i32, u32[(peer + QP_HCA) >>> 2]!, key)
  const failed = checkRegion(hca, region, u32[(peer + QP_DOMAIN) >>> 2]!, address, bytes, right)
  hca.translated = address
  return failed === 0 ? 0 : lookCloser(hca, region, failed, peer, address, bytes, right)
}

/** Whether the peer's queue pair grants an operation. */
export function grants(hca: Hca, peer: number, right: number): boolean {
  return (hca.i32[(peer + QP_ACCESS) >>> 2]! & right) === right
}
