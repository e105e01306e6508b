/**
 * A region entry: one registered range, or a memory window. Offsets are bytes from its address.
 * Entries lie in chunks of an HCA's region table; chunk k holds 16 << k entries and never moves.
 *
 * | bytes | word                                                             | written by            |
 * | ----- | ---------------------------------------------------------------- | --------------------- |
 * | 0     | key while the range may be used, else 0                          | owner, last and first; to 0 by who invalidates |
 * | 4     | address, as requests name it                                     | owner                 |
 * | 8     | bytes; 0 when addresses must be translated                       | owner                 |
 * | 12    | access (wire/access.ts)                                          | owner                 |
 * | 16    | protection domain; of a window bound to a queue pair, that       | owner                 |
 * | 20    | key it had last: (index << 8) or variant                         | owner                 |
 * | 24    | next free entry                                                  | owner                 |
 * | 28    | kind: see below                                                  | owner                 |
 * | 32    | of a window, its region; of a region, windows bound to it        | owner, atomically     |
 * | 36    | of a window, its protection domain                               | owner                 |
 * | 40    | translated: bytes                                                | owner                 |
 * | 44    | translated: what to add to an address                            | owner                 |
 * | 48..  | spare                                                            | nobody                |
 *
 * Two tricks keep the check of a range short. A range whose addresses are not memory addresses (it is
 * zero-based, or has a base of its own) shows length 0, so that the check fails and the slow path,
 * hca/translation.ts, looks closer. A window of type 2B shows its queue pair in place of the
 * domain, with the same effect on all others.
 */

/** Length of an entry. */
export const REGION_BYTES = 64
/** Entries of the first chunk. */
export const REGION_FIRST_CHUNK_ENTRIES = 16

/** Key of the valid region, 0 while it is not valid. */
export const REGION_KEY = 0
/** First byte of the range. */
export const REGION_ADDRESS = 4
/** Length of the range. */
export const REGION_LENGTH = 8
/** Rights. */
export const REGION_ACCESS = 12
/** Protection domain. */
export const REGION_DOMAIN = 16
/** Key it had last. */
export const REGION_LAST_KEY = 20
/** Next free entry. */
export const REGION_NEXT_FREE = 24
/** What the entry is: 0 a region, else a kind of window. */
export const REGION_KIND = 28
/** Of a window, the region it is bound to; of a region, how many windows are bound to it. */
export const REGION_LINK = 32
/** Of a window, the protection domain it was allocated in. */
export const REGION_WINDOW_DOMAIN = 36
/** Length of a range whose addresses are translated. */
export const REGION_TRANSLATED_LENGTH = 40
/** What to add to an address of a translated range to get the memory's. */
export const REGION_TRANSLATION = 44

/** Kind: a memory region. */
export const KIND_REGION = 0
/** Kind: a memory window of type 1, bound by a verb, to a domain. */
export const KIND_WINDOW_1 = 1
/** Kind: a memory window of type 2B, bound by a request, to its queue pair. */
export const KIND_WINDOW_2 = 2

/** Index of a key. */
export function regionIndex(key: number): number {
  return key >>> 8
}

/** The key that follows `key` in the same entry: only its variant, the low 8 bits, changes. */
export function nextVariant(key: number): number {
  return ((key & 0xffffff00) | ((key + 1) & 0xff)) >>> 0
}
