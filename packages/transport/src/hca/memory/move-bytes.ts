import {
  INLINE,
  SEGMENT_ADDRESS,
  SEGMENT_BYTES,
  SEGMENT_LENGTH,
} from '../../wire/work-queue-entry.js'
import { WQE_CONTROL, WQE_SEGMENTS } from '../../wire/work-queue-entry.js'
import type { Hca } from '../hca.js'

/**
 * Copies `bytes` bytes of the message in send queue entry `entry`, from byte `skip` of it on, to
 * `target`: once, from where they lie. The message is that long.
 */
export function gather(hca: Hca, entry: number, skip: number, bytes: number, target: number): void {
  const control = hca.i32[(entry + WQE_CONTROL) >>> 2]!
  if ((control & (INLINE << 8)) !== 0) {
    hca.kernels.copy(target, entry + WQE_SEGMENTS + skip, bytes)
  } else if (skip === 0 && control >>> 16 === 1) {
    hca.kernels.copy(target, hca.i32[(entry + WQE_SEGMENTS + SEGMENT_ADDRESS) >>> 2]!, bytes)
  } else {
    gatherSegments(hca, entry, skip, bytes, target)
  }
}

function gatherSegments(
  hca: Hca,
  entry: number,
  skip: number,
  bytes: number,
  target: number,
): void {
  const { u32, kernels } = hca
  let segment = entry + WQE_SEGMENTS
  while (bytes > 0) {
    const length = u32[(segment + SEGMENT_LENGTH) >>> 2]!
    if (skip < length) {
      const part = Math.min(length - skip, bytes)
      kernels.copy(target, u32[(segment + SEGMENT_ADDRESS) >>> 2]! + skip, part)
      target += part
      bytes -= part
      skip = 0
    } else {
      skip -= length
    }
    segment += SEGMENT_BYTES
  }
}

/** Copies `bytes` bytes from `source` into the segments of `entry`, which have room for them. */
export function scatter(hca: Hca, entry: number, source: number, bytes: number): void {
  const { u32, kernels } = hca
  let segment = entry + WQE_SEGMENTS
  while (bytes > 0) {
    const part = Math.min(u32[(segment + SEGMENT_LENGTH) >>> 2]!, bytes)
    kernels.copy(u32[(segment + SEGMENT_ADDRESS) >>> 2]!, source, part)
    source += part
    bytes -= part
    segment += SEGMENT_BYTES
  }
}
