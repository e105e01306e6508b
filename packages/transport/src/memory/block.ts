// The header of a heap block: one granule in front of the payload.
//
// | word | meaning                                                                        |
// | ---- | ------------------------------------------------------------------------------ |
// | 0    | mark: state, mixed with the place of the block so that copied bytes never pass   |
// | 1    | size in granules, header included                                              |
// | 2    | size of the block below, 0 for the first                                       |
// | 3    | next block in the free list, 0 at the end                                      |
// | 4    | previous block in the free list, 0 at the head                                 |
// | 5    | bytes asked for                                                                |

/** Unit of sizes and places: a cache line. */
export const GRANULE_BYTES = 64
/** Smallest block: a header and one granule of payload. */
export const BLOCK_GRANULES_MIN = 2

export const BLOCK_MARK = 0
export const BLOCK_SIZE = 1
export const BLOCK_PREVIOUS_SIZE = 2
export const BLOCK_NEXT = 3
export const BLOCK_PREVIOUS = 4
export const BLOCK_REQUESTED = 5

/** The block belongs to a user. */
export const ALLOCATED_MARK = 0x5a10c8ed
/** The block is in a free list. */
export const FREE_MARK = 0x3f9ee571
/** The block was freed and has become part of a larger range; only tells double frees. */
export const MERGED_MARK = 0x6d3e86ed

/** Index of the first header word of the block at `granule` in an `Int32Array`. */
export function headerOf(granule: number): number {
  return granule << 4
}

export function hasMark(i32: Int32Array, granule: number, mark: number): boolean {
  return i32[headerOf(granule) + BLOCK_MARK] === (mark ^ granule)
}

export function setMark(i32: Int32Array, granule: number, mark: number): void {
  i32[headerOf(granule) + BLOCK_MARK] = mark ^ granule
}
