/**
 * The HCA block: what one host channel adapter shows to the threads of a world. One a rank, in an
 * array that the world header names; all offsets are bytes from the block's address.
 *
 * | bytes    | line     | words                                                  | written by                |
 * | -------- | -------- | ------------------------------------------------------ | ------------------------- |
 * | 0..63    | doorbell | count, sleeper mark                                    | ring/doorbell.ts          |
 * | 64..127  | slot     | HCA whose objects its thread is touching               | owner                     |
 * | 128..191 | shared   | lock, ready list, queue pair list, free list, numbers  | as said at each word      |
 * | 192..255 | owner    | index, state, domains, region allocator                | owner                     |
 * | 256..319 | listen   | template for queue pairs that peers create here        | owner, `LISTEN_DOMAIN` last |
 * | 320..383 | regions  | addresses of the region table's chunks                 | owner                     |
 * | 384..447 | events   | lock and ring of asynchronous events, mailbox, management queue pair | under the lock |
 * | 448..511 | port     | state, counters, partition keys                        | owner; counters atomically |
 */

/** Length of a block, and its alignment: the low bits of its address are free (hca/access-slot.ts). */
export const HCA_BYTES = 512

/** Doorbell of the owner: count at +0, sleeper mark at +4. */
export const HCA_DOORBELL = 0

/** Address of the HCA block whose objects the owner's thread is touching, and a count; 0 when none. */
export const HCA_SLOT = 64

/** Spin lock of the queue pair list and of creating queue pairs here: 0 free, 1 held. */
export const HCA_LOCK = 128
/** Top of the stack of queue pairs the owner has to drive on (ring/ready-list.ts). */
export const HCA_READY_HEAD = 132
/** First queue pair of the list of all; written under the lock. */
export const HCA_QUEUE_PAIR_HEAD = 136
/** First queue pair block to be used again; written under the lock. */
export const HCA_QUEUE_PAIR_FREE = 140
/** Next queue pair number; written under the lock. */
export const HCA_NEXT_NUMBER = 144

/** Place of this HCA in the world, from 0. */
export const HCA_INDEX = 192
/** 1 while a device is open on it. */
export const HCA_OPEN = 196
/** Regions registered now. */
export const HCA_REGION_COUNT = 200
/** Region indices handed out at least once; index 0 is never used. */
export const HCA_REGION_FRESH = 204
/** Oldest region entry that may be used again, 0 when none. */
export const HCA_REGION_FREE_HEAD = 208
/** Newest region entry that may be used again. */
export const HCA_REGION_FREE_TAIL = 212
/** Region indices that the chunks have room for. */
export const HCA_REGION_CAPACITY = 216

/** Protection domain of queue pairs created by peers; 0 until the owner listens. */
export const HCA_LISTEN_DOMAIN = 256
/** Completion queue of their send queues. */
export const HCA_LISTEN_SEND_CQ = 260
/** Completion queue of their receives. */
export const HCA_LISTEN_RECEIVE_CQ = 264
/** Shared receive queue they take receives from. */
export const HCA_LISTEN_SRQ = 268
/** What peers may do through them (wire/access.ts). */
export const HCA_LISTEN_ACCESS = 272
/** Entries of their send queues. */
export const HCA_LISTEN_SEND_ENTRIES = 276
/** Segments a request may have. */
export const HCA_LISTEN_SEGMENTS = 280
/** Bytes a request may carry inline. */
export const HCA_LISTEN_INLINE_BYTES = 284
/** 1 when every request of theirs gets a completion. */
export const HCA_LISTEN_SIGNAL_ALL = 288

/** Sixteen words: addresses of the chunks of the region table, each twice as long as the one before. */
export const HCA_REGION_CHUNKS = 320
/** Number of those words. */
export const HCA_REGION_CHUNK_COUNT = 16

/** Spin lock of the event ring and the mailbox: 0 free, 1 held. */
export const HCA_EVENT_LOCK = 384
/** Address of the ring of asynchronous events, 0 before a device is opened. */
export const HCA_EVENT_RING = 388
/** Events raised so far. */
export const HCA_EVENTS_RAISED = 392
/** Events taken so far. */
export const HCA_EVENTS_TAKEN = 396
/** Address of the management queue pair's block: it stands in the ready list when events are due. */
export const HCA_MANAGEMENT_QP = 400
/** Oldest management message that waits, 0 when none. */
export const HCA_MAIL_HEAD = 404
/** Newest management message. */
export const HCA_MAIL_TAIL = 408
/** Memory windows allocated now. */
export const HCA_WINDOW_COUNT = 412
/** Address handles there are now. */
export const HCA_ADDRESS_HANDLE_COUNT = 416

/** State of the port, numbered as `ibv_port_state`; 0 before a device is opened. */
export const HCA_PORT_STATE = 448
/** LID of the port. */
export const HCA_PORT_LID = 452
/** Path bits: the port answers to 2 to this many LIDs. */
export const HCA_PORT_LMC = 456
/** Active MTU in bytes. */
export const HCA_PORT_MTU_BYTES = 460
/** Packets refused for their partition key; atomically. */
export const HCA_PORT_BAD_PARTITION_KEYS = 464
/** Datagrams refused for their queue key; atomically. */
export const HCA_PORT_BAD_QUEUE_KEYS = 468
/** Eight partition keys of 16 bits, 0 where there is none. */
export const HCA_PARTITION_KEYS = 472
/** Number of those keys. */
export const HCA_PARTITION_KEY_COUNT = 8
/** 1 once the HCA has failed. */
export const HCA_FAILED = 504
