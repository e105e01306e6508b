/**
 * A protection domain: an identity (its address) and a count of what hangs off it. Offsets are
 * bytes from its address.
 *
 * | bytes | word                                          | written by |
 * | ----- | --------------------------------------------- | ---------- |
 * | 0     | regions, queue pairs and receive queues in it | atomically |
 * | 4     | address of its HCA block                      | creator    |
 */

/** Length of a protection domain. */
export const DOMAIN_BYTES = 64
/** Objects in it. */
export const DOMAIN_OBJECTS = 0
/** HCA block it belongs to. */
export const DOMAIN_HCA = 4
