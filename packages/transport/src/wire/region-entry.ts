/**
 * A region entry: one registered range. Offsets are bytes from its address. Entries lie in chunks
 * of an HCA's region table; chunk k holds 16 << k entries and never moves.
 *
 * | bytes | word                                                             | written by            |
 * | ----- | ---------------------------------------------------------------- | --------------------- |
 * | 0     | key while the region is valid, else 0                            | owner, last and first |
 * | 4     | address                                                          | owner                 |
 * | 8     | bytes                                                            | owner                 |
 * | 12    | access (wire/access.ts)                                          | owner                 |
 * | 16    | protection domain                                                | owner                 |
 * | 20    | key it had last: (index << 8) or variant                         | owner                 |
 * | 24    | next free entry                                                  | owner                 |
 * | 28    | spare                                                            | nobody                |
 */

/** Length of an entry. */
export const REGION_BYTES = 32
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

/** Index of a key. */
export function regionIndex(key: number): number {
  return key >>> 8
}

/** The key that follows `key` in the same entry: only its variant, the low 8 bits, changes. */
export function nextVariant(key: number): number {
  return ((key & 0xffffff00) | ((key + 1) & 0xff)) >>> 0
}
