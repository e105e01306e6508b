/**
 * The queue pair, in shared memory so that the peer's thread can do the responder's half. Offsets
 * are bytes from its address, a multiple of 64. Its send queue entries lie in a block of their own.
 *
 * | bytes    | line       | words                                                      | written by                       |
 * | -------- | ---------- | ---------------------------------------------------------- | -------------------------------- |
 * | 0..63    | identity   | number, state, objects it belongs to, rights, peer         | creator; owner by `modify`       |
 * | 64..127  | send queue | entries, indices, capabilities                             | owner                            |
 * | 128..191 | links      | parked and ready marks, first error, early senders         | as said at each word             |
 * | 192..255 | attributes | what `modify` was told and `query` gives back              | creator; owner by `modify`       |
 *
 * A block is never returned to the heap: a destroyed queue pair's block keeps number 0 until its
 * HCA uses it again under another number, so that a late look at it finds a stranger, not garbage.
 */

/** Length of a queue pair. */
export const QP_BYTES = 256

/** 24-bit number, 0 in a block that is free. */
export const QP_NUMBER = 0
/** State, numbered as in wire/queue-pair-state.ts; to ERR also by the peer's thread. */
export const QP_STATE = 4
/** Address of the HCA block it belongs to. */
export const QP_HCA = 8
/** Protection domain. */
export const QP_DOMAIN = 12
/** Completion queue of requests. */
export const QP_SEND_CQ = 16
/** Completion queue of receives. */
export const QP_RECEIVE_CQ = 20
/** Receive ring it takes entries from: its shared receive queue's, or its own. */
export const QP_RECEIVE_RING = 24
/** Shared receive queue, 0 when the receive ring is its own. */
export const QP_SRQ = 28
/** What the peer may do through it (wire/access.ts). */
export const QP_ACCESS = 32
/** Address of the peer queue pair, 0 while there is none. */
export const QP_PEER = 36
/** Number of the peer queue pair. */
export const QP_PEER_NUMBER = 40
/** HCA index of the peer. */
export const QP_PEER_INDEX = 44
/** 1 when the connection manager made it. */
export const QP_MANAGED = 48
/** Next queue pair of its HCA, or next free block. */
export const QP_NEXT = 52

/** Transport service (wire/service-type.ts). */
export const QP_SERVICE = 56
/** Queue key that datagrams to it must bring. */
export const QP_QUEUE_KEY = 60

/** Address of the send queue's first entry. */
export const QP_SEND_ENTRIES = 64
/** log2 of an entry's length. */
export const QP_SEND_ENTRY_SHIFT = 68
/** Number of entries, a power of two, less one. */
export const QP_SEND_MASK = 72
/** Requests posted so far. */
export const QP_SEND_POSTED = 76
/** Requests carried out so far. */
export const QP_SEND_DONE = 80
/** Requests whose entries are free again: a completion at or behind them has been polled. */
export const QP_SEND_RETIRED = 84
/** Segments a request may have. */
export const QP_SEGMENTS_MAX = 88
/** Bytes a request may carry inline. */
export const QP_INLINE_BYTES_MAX = 92
/** 1 when every request gets a completion. */
export const QP_SIGNAL_ALL = 96
/** While drained: requests that had been started, which still run to completion. */
export const QP_STARTED = 100

/** 1 while it stands in a waiter list (ring/waiter-list.ts); written under that list's lock. */
export const QP_WAITING = 128
/** Next in the waiter list; written under that list's lock. */
export const QP_WAIT_NEXT = 132
/** 1 while it stands in its HCA's ready list; exchanged by who puts it there, cleared by the owner. */
export const QP_READY = 136
/** Next in the ready list; written by who puts it there. */
export const QP_READY_NEXT = 140
/** Status of the first error, 0 when none; compare-and-exchanged by who finds it. */
export const QP_ERROR_STATUS = 144
/** Work request id of the first error. */
export const QP_ERROR_REQUEST = 148
/** Cause of the first error (wire/error-cause.ts). */
export const QP_ERROR_CAUSE = 152
/** Events that were raised and are not raised again before a reset: bits below. */
export const QP_NOTICES = 156
/** Multicast groups it is attached to; written by the owner. */
export const QP_GROUPS = 160

/** Spin lock of the list of senders that wait for it to be connected: 0 free, 1 held. */
export const QP_EARLY_LOCK = 164
/** Sender that has waited longest, 0 when none. */
export const QP_EARLY_HEAD = 168
/** Sender that came last. */
export const QP_EARLY_TAIL = 172

/** Plane of the subnet that its path leads through, 0 or 1. */
export const QP_PLANE = 176

/** Port number. */
export const QP_PORT = 192
/** Index into the partition key table. */
export const QP_PARTITION_KEY_INDEX = 196
/** Path MTU in bytes. */
export const QP_PATH_MTU_BYTES = 200
/** First packet sequence number it sends. */
export const QP_SEND_PSN = 204
/** First packet sequence number it expects. */
export const QP_RECEIVE_PSN = 208
/** Acknowledge timeout, 4.096 us times 2 to this. */
export const QP_TIMEOUT = 212
/** Retransmissions, 0..7. */
export const QP_RETRY_COUNT = 216
/** Retries after receiver-not-ready, 7 for ever. */
export const QP_RNR_RETRY = 220
/** Code of the delay it asks of a sender that finds no receive. */
export const QP_MIN_RNR_TIMER = 224
/** READs and atomics it may have under way. */
export const QP_READS_MAX = 228
/** READs and atomics its peer may have under way. */
export const QP_PEER_READS_MAX = 232
/** What the peer may do, as `modify` was told; `QP_ACCESS` lacks what no request can use. */
export const QP_ACCESS_GIVEN = 236
/** 1 when an event is due once it is drained. */
export const QP_DRAIN_NOTIFY = 240
/** Service level of its path. */
export const QP_SERVICE_LEVEL = 244
/** LID of the alternate path, 0 when there is none. */
export const QP_ALTERNATE_LID = 248
/** State of path migration: 0 migrated, 1 rearm, 2 armed. */
export const QP_MIGRATION_STATE = 252

/** Notice: communication established. */
export const NOTICE_ESTABLISHED = 1
/** Notice: no further receive of the shared queue is taken. */
export const NOTICE_LAST_ENTRY = 2
/** Notice: the send queue is drained. */
export const NOTICE_DRAINED = 4
/** Notice: the send queue is full for good. */
export const NOTICE_UNSIGNALED = 8
/** Mark on `QP_PEER_INDEX`: the port is down, no message of the peer is taken. */
export const PORT_DOWN_MARK = 0x4000_0000
