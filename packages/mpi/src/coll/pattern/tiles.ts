import type { Environment, Extents } from '../plan/algorithm.js'

/**
 * A vector in tiles, one a rank, each of several blocks. A rank folds its tile over all ranks block
 * by block, so that what is folded stays in cache.
 *
 * ```
 *   p = 3, 6 blocks     tile 0: blocks 0 1     tile 1: blocks 2 3     tile 2: blocks 4 5
 * ```
 */
export interface Tile {
  readonly first: number
  readonly count: number
}

/** Small enough to stay in the nearest cache beside the block that is folded into it. */
const BLOCK_BYTES = 16 * 1024
const TILE_BLOCKS_MAX = 64

/** How many blocks a vector is cut into: a multiple of the number of ranks. */
export function tiledCut({ size, bytes, elements }: Extents): number {
  const blocks = Math.min(bytes / BLOCK_BYTES, elements) / size
  return size * Math.max(1, Math.min(Math.ceil(blocks), TILE_BLOCKS_MAX))
}

export function tileOf(rank: number, size: number, blocks: number): Tile {
  const first = Math.floor((rank * blocks) / size)
  return { first, count: Math.floor(((rank + 1) * blocks) / size) - first }
}

/** Blocks of the longest tile. */
export function tileLength({ size, blocks }: Environment): number {
  return Math.ceil(blocks / size)
}

/** The blocks of this rank's tile. */
export function tileBlocks({ rank, size, blocks }: Environment): readonly number[] {
  const { first, count } = tileOf(rank, size, blocks)
  return Array.from({ length: count }, (_, k) => first + k)
}
