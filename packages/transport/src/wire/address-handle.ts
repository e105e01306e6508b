/**
 * The address handle: where datagrams go. Written by its creator, read by the thread that sends.
 * Offsets are bytes from its address.
 *
 * | bytes | word                                                  |
 * | ----- | ----------------------------------------------------- |
 * | 0     | protection domain                                     |
 * | 4     | LID of the destination                                |
 * | 8     | service level, source path bits << 8, port << 16      |
 * | 12    | 1 with a global route header                          |
 * | 16    | destination GID, 16 bytes in network order            |
 * | 32    | flow label                                            |
 * | 36    | hop limit, traffic class << 8, source GID index << 16 |
 */

/** Length of an address handle. */
export const AH_BYTES = 64
/** Protection domain. */
export const AH_DOMAIN = 0
/** LID of the destination. */
export const AH_LID = 4
/** Service level, source path bits, port. */
export const AH_PATH = 8
/** Whether a global route header is sent. */
export const AH_GLOBAL = 12
/** Destination GID. */
export const AH_GID = 16
/** Flow label, 20 bits. */
export const AH_FLOW_LABEL = 32
/** Hop limit, traffic class, source GID index. */
export const AH_HOPS = 36

/** Length of a GID. */
export const GID_BYTES = 16
/** Length of a global route header, for which datagram receives leave room. */
export const GRH_BYTES = 40
