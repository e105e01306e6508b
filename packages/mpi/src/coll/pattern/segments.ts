/** Bytes of one segment of a pipeline: enough that a message costs more by its length than by itself. */
const SEGMENT_BYTES = 8192
const SEGMENTS_MAX = 256

/** How many segments a pipeline cuts a vector into; longer ones when there would be very many. */
export function segmentsOf(bytes: number): number {
  return Math.min(Math.max(Math.ceil(bytes / SEGMENT_BYTES), 1), SEGMENTS_MAX)
}
