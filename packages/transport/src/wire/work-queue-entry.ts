/**
 * A send queue entry: one request as the HCA fetches it. Offsets are bytes from its address.
 *
 * | bytes | words                                                            |
 * | ----- | ---------------------------------------------------------------- |
 * | 0     | opcode, flags << 8, number of segments << 16                     |
 * | 4     | work request id (8 more bits of room than the API uses at +8)    |
 * | 12    | immediate data; the key to invalidate at the peer; of a FLUSH, what for |
 * | 16    | remote address; of a datagram, its address handle                |
 * | 20    | remote key; of a datagram, its queue key; the key to invalidate, or to bind |
 * | 24    | message length                                                   |
 * | 28    | of a datagram, the number of its destination                     |
 * | 32..  | segments of 16 bytes { address, bytes, local key, 0 }, or inline data |
 * | 48    | of an atomic: what to add or to put; of a bind: window, region   |
 * | 56    | of an atomic: what to compare with; of a bind: access            |
 *
 * An entry's length is a power of two, at least 64, chosen when the queue pair is created so that
 * its segments and its inline data fit. All words are written by the owner before it publishes the
 * entry, and read by whoever carries the request out.
 */

/** Shortest entry. */
export const WQE_BYTES_MIN = 64

/** Opcode | flags << 8 | number of segments << 16. */
export const WQE_CONTROL = 0
/** Work request id. */
export const WQE_REQUEST_ID = 4
/** High half of a 64-bit work request id, 0 for now. */
export const WQE_REQUEST_ID_HIGH = 8
/** Immediate data; of a FLUSH its types and level, laid out as in its extended transport header. */
export const WQE_IMMEDIATE = 12
/** Address in the peer's region. */
export const WQE_REMOTE_ADDRESS = 16
/** Key of the peer's region. */
export const WQE_REMOTE_KEY = 20
/** Length of the message: of the segments, or of the inline data. */
export const WQE_MESSAGE_BYTES = 24

/** Number of the queue pair that a datagram is for. */
export const WQE_DESTINATION = 28

/** First segment, or first byte of inline data. */
export const WQE_SEGMENTS = 32

/** Atomic: what to add, or to put; 64 bits. Beside the one segment. */
export const ATOMIC_OPERAND = 48
/** Atomic: what to compare with; 64 bits. */
export const ATOMIC_COMPARE = 56
/** Bind: entry of the window. */
export const BIND_WINDOW_ENTRY = 48
/** Bind: entry of the region. */
export const BIND_REGION_ENTRY = 52
/** Bind: rights that the window gives. */
export const BIND_ACCESS = 56

/** Length of a segment. */
export const SEGMENT_BYTES = 16
/** Segment: its address. */
export const SEGMENT_ADDRESS = 0
/** Segment: its length. */
export const SEGMENT_LENGTH = 4
/** Segment: local key of its region. */
export const SEGMENT_KEY = 8

/** FLUSH: bits of the types; the first is global visibility, the second persistence. */
export const FLUSH_TYPES = 3
/** FLUSH: of a region as a whole, not of a range. */
export const FLUSH_REGION = 16

/** Flag: waits for earlier READs and atomics. */
export const FENCE = 1
/** Flag: gets a completion. */
export const SIGNALED = 2
/** Flag: the receiver's solicited event. */
export const SOLICITED = 4
/** Flag: the data stand in the entry. */
export const INLINE = 8

/** Flag, set by the HCA's own code: the request sends no message. */
export const LOCAL_OPERATION = 32

/** log2 of the entry length that has room for so many segments and inline bytes. */
export function workQueueEntryShift(segments: number, inlineBytes: number): number {
  const bytes = WQE_SEGMENTS + Math.max(segments * SEGMENT_BYTES, inlineBytes, 32)
  return 32 - Math.clz32(bytes - 1)
}
