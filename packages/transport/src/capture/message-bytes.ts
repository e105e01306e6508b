import type { Hca } from '../hca/hca.js'
import { INLINE, SEGMENT_ADDRESS, SEGMENT_BYTES, SEGMENT_LENGTH } from '../wire/work-queue-entry.js'
import { WQE_SEGMENTS } from '../wire/work-queue-entry.js'
import type { CapturedRequest } from './request.js'

/** A copy of the bytes that the segments of a request name, or that stand in its entry. */
export function messageBytes(hca: Hca, { entry, flags, bytes }: CapturedRequest): Uint8Array {
  const { buffer } = hca.i32
  const message = new Uint8Array(bytes)
  if ((flags & INLINE) !== 0) {
    message.set(new Uint8Array(buffer, entry + WQE_SEGMENTS, bytes))
    return message
  }
  let segment = entry + WQE_SEGMENTS
  for (let at = 0; at < bytes; segment += SEGMENT_BYTES) {
    const part = Math.min(hca.u32[(segment + SEGMENT_LENGTH) >>> 2]!, bytes - at)
    const address = hca.u32[(segment + SEGMENT_ADDRESS) >>> 2]!
    message.set(new Uint8Array(buffer, address, part), at)
    at += part
  }
  return message
}
