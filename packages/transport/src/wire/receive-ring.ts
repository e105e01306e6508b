/**
 * The receive ring: receives that wait for messages, of one queue pair or shared by many. Offsets
 * are bytes from its address, a multiple of 64; entries follow the header.
 *
 * | bytes    | line   | words                                                | written by                     |
 * | -------- | ------ | ---------------------------------------------------- | ------------------------------ |
 * | 0..63    | set-up | mask, entry length, domain, attached queue pairs     | creator; count atomically      |
 * | 64..127  | poster | receives posted, receives taken as last seen         | owner                          |
 * | 128..191 | taker  | receives taken                                       | compare-and-exchange by takers |
 * | 192..255 | waiter | lock, head and tail of the list of waiting senders   | holder of the lock             |
 * | 256..    |        | entries                                              | owner                          |
 *
 * | entry bytes | words                                              |
 * | ----------- | -------------------------------------------------- |
 * | 0           | work request id                                    |
 * | 4           | number of segments                                 |
 * | 8           | sum of the segments' lengths                       |
 * | 12          | spare                                              |
 * | 16..        | segments of 16 bytes { address, bytes, local key, 0 } |
 */

/** Length of the header. */
export const RECEIVE_RING_BYTES = 256

/** Number of entries, a power of two, less one. */
export const RECEIVE_MASK = 0
/** Length of an entry in bytes. */
export const RECEIVE_ENTRY_BYTES = 4
/** Segments a receive may have. */
export const RECEIVE_SEGMENTS_MAX = 8
/** Protection domain. */
export const RECEIVE_DOMAIN = 12
/** Queue pairs that take from it. */
export const RECEIVE_ATTACHED = 16
/** Limit below which an event is due, 0 when not armed. */
export const RECEIVE_LIMIT = 20

/** Receives posted so far. */
export const RECEIVE_POSTED = 64
/** Receives taken, as the owner last saw them. */
export const RECEIVE_TAKEN_SEEN = 68

/** Receives taken so far. */
export const RECEIVE_TAKEN = 128

/** Spin lock of the waiter list: 0 free, 1 held. */
export const RECEIVE_WAIT_LOCK = 192
/** Queue pair that has waited longest, 0 when none. */
export const RECEIVE_WAIT_HEAD = 196
/** Queue pair that came last. */
export const RECEIVE_WAIT_TAIL = 200

/** Entry: work request id. */
export const RECEIVE_REQUEST_ID = 0
/** Entry: number of segments. */
export const RECEIVE_SEGMENT_COUNT = 4
/** Entry: sum of the segments' lengths. */
export const RECEIVE_ROOM_BYTES = 8
/** Entry: first segment. */
export const RECEIVE_SEGMENTS = 16
