import { LOCAL_WRITE } from '../../wire/access.js'
import { QP_HCA } from '../../wire/queue-pair.js'
import { RECEIVE_DOMAIN } from '../../wire/receive-ring.js'
import type { Hca } from '../hca.js'
import { gather } from '../memory/move-bytes.js'
import { checkRegion, findValidRegion } from '../memory/region-table.js'

/** Moves the message into the segments of the receive taken; false when one cannot be written. */
export function fillReceive(
  hca: Hca,
  peer: number,
  ring: number,
  entry: number,
  bytes: number,
): boolean {
  const { u32, taken } = hca
  const block = u32[(peer + QP_HCA) >>> 2]!
  const domain = u32[(ring + RECEIVE_DOMAIN) >>> 2]!
  let moved = 0
  for (let segment = 4; moved < bytes; segment += 4) {
    const address = taken[segment]!
    const key = taken[segment + 2]!
    const part = Math.min(taken[segment + 1]!, bytes - moved)
    if (part === 0) continue
    const region = findValidRegion(hca.i32, block, key)
    if (checkRegion(hca, region, domain, address, part, LOCAL_WRITE) !== 0) return false
    gather(hca, entry, moved, part, address)
    moved += part
  }
  return true
}
