/**
 * The header that every message between ranks begins with: 32 bytes, the same in a polled ring and
 * in a buffer of the shared receive queue. Word offsets (times 4 for bytes):
 *
 * | word | field | meaning |
 * | --- | --- | --- |
 * | 0 | head | type and kind; never 0 and never -1, as the ring demands |
 * | 1 | context | context id: keeps communicators apart |
 * | 2 | tag | |
 * | 3 | source | world rank of the sender, plus 1 |
 * | 4 | bytes | length of the message, whether or not its payload follows |
 * | 5 | request | the sender's request that a FINISH names, 0 when it needs none |
 * | 6 | address | READY_TO_SEND: where the payload lies; RING_OFFER: where the ring lies |
 * | 7 | key | remote key of that memory; CREDIT: bytes given back |
 *
 * Word 3 is never 0 to 4 in network order, which in captures keeps Wireshark from taking a message
 * without a payload for RPC over RDMA.
 */
export const HEAD = 0
export const CONTEXT = 1
export const TAG = 2
export const SOURCE = 3
export const BYTES = 4
export const REQUEST = 5
export const ADDRESS = 6
export const KEY = 7

export { MESSAGE_HEADER_BYTES } from '@commworld/transport'

/** The payload follows the header. */
export const EAGER = 1
/** The payload waits in the sender's memory, to be fetched by RDMA READ. */
export const READY_TO_SEND = 2
/** The receiver has matched a synchronous message, or fetched a payload: the request is done. */
export const FINISH = 3
/** Eager credit goes back to the sender. */
export const CREDIT = 4
/** The receiver of a hot pair offers a ring. */
export const RING_OFFER = 5
/** From the next message on the sender uses the offered ring. */
export const RING_SWITCH = 6

export function makeHead(type: number, kind: number): number {
  return type | (kind << 8)
}

export function headType(head: number): number {
  return head & 0xff
}

export function headKind(head: number): number {
  return (head >>> 8) & 0xff
}
