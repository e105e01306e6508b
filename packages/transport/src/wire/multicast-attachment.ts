/**
 * A multicast attachment: one queue pair in one group. Linked in a list of the whole world, whose
 * head and lock are words of the world header; read and changed under that lock.
 *
 * | bytes | word                                   |
 * | ----- | -------------------------------------- |
 * | 0     | next attachment, 0 at the end          |
 * | 4     | queue pair                             |
 * | 8     | number of the queue pair               |
 * | 12    | multicast LID                          |
 * | 16    | GID of the group, 16 bytes             |
 */

/** Length of an attachment. */
export const ATTACHMENT_BYTES = 32
/** Next attachment. */
export const ATTACHMENT_NEXT = 0
/** Queue pair. */
export const ATTACHMENT_QP = 4
/** Number of the queue pair. */
export const ATTACHMENT_NUMBER = 8
/** Multicast LID. */
export const ATTACHMENT_LID = 12
/** GID of the group. */
export const ATTACHMENT_GID = 16

/** Number that datagrams to a group name as their destination. */
export const MULTICAST_NUMBER = 0xffffff
