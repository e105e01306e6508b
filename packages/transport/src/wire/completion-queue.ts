/**
 * The completion queue. Offsets are bytes from its address, a multiple of 64; entries follow the
 * header.
 *
 * | bytes    | line     | words                                          | written by                        |
 * | -------- | -------- | ---------------------------------------------- | --------------------------------- |
 * | 0..63    | set-up   | mask, attached queues, overrun mark            | creator; the latter two atomically |
 * | 64..127  | producer | places claimed                                 | compare-and-exchange by producers |
 * | 128..191 | consumer | entries polled, entries given back             | owner                             |
 * | 192..    |          | entries of 32 bytes                            | producer that claimed             |
 *
 * | entry bytes | words                                                                  |
 * | ----------- | ---------------------------------------------------------------------- |
 * | 0           | turn: see ring/completion-ring.ts                                      |
 * | 4           | work request id                                                        |
 * | 8           | status, opcode << 8, flags << 16; of a datagram, service level << 24   |
 * | 12          | bytes                                                                  |
 * | 16          | immediate data                                                         |
 * | 20          | address of the queue pair; of a datagram, the number of its source      |
 * | 24          | number of the queue pair                                               |
 * | 28          | of a request: its place in the send queue; of a receive: the sender's HCA index |
 */

/** Length of the header. */
export const CQ_BYTES = 192

/** Number of entries, a power of two, less one. */
export const CQ_MASK = 0
/** Send and receive queues attached. */
export const CQ_ATTACHED = 4
/** 1 once a completion found no place. */
export const CQ_OVERRUN = 8
/** Address of the HCA block it belongs to. */
export const CQ_HCA = 12

/** Places claimed so far. */
export const CQ_CLAIMED = 64

/** Entries polled so far. */
export const CQ_POLLED = 128
/** Entries given back to the producers so far. */
export const CQ_RELEASED = 132

/** Length of an entry. */
export const CQE_BYTES = 32
/** Entry: whose turn it is. */
export const CQE_TURN = 0
/** Entry: work request id. */
export const CQE_REQUEST_ID = 4
/** Entry: status | opcode << 8 | flags << 16. */
export const CQE_CONTROL = 8
/** Entry: bytes received, read or written. */
export const CQE_LENGTH = 12
/** Entry: immediate data. */
export const CQE_IMMEDIATE = 16
/** Entry: address of the queue pair, or number of a datagram's source. */
export const CQE_QUEUE_PAIR = 20
/** Entry: number of the queue pair. */
export const CQE_NUMBER = 24
/** Entry: place in the send queue, or HCA index of the sender. */
export const CQE_ORIGIN = 28

/** Of a datagram, how far left of the flags its service level stands. */
export const COMPLETION_SERVICE_LEVEL_SHIFT = 8
/** The bits that are flags. */
export const COMPLETION_FLAGS = 0xff

/** Flag: the first 40 bytes of the receive hold a global route header. */
export const COMPLETION_GRH = 1
/** Flag: the message brought immediate data. */
export const COMPLETION_WITH_IMMEDIATE = 2
/** Flag: the message invalidated the key that stands in the place of immediate data. */
export const COMPLETION_WITH_INVALIDATE = 8
/** Flag, not shown to users: the message asked for a solicited event. */
export const COMPLETION_SOLICITED = 64
/** Flag: its queue pair was reset before it was polled; it is skipped. */
export const COMPLETION_SCRUBBED = 128
