import type { PowerOfTwo } from './power-of-two.js'

/** Consecutive blocks or positions. */
export interface Range {
  readonly first: number
  readonly count: number
}

/**
 * What is left to a position, of as many parts as there are positions, when it has halved with
 * those at the distances 1, 2, 4, ... Each folds what neighbours have folded before, so the order
 * of ranks is kept; but the part that is left in the end is that of the *mirrored* position (its
 * bits backwards).
 *
 * ```
 *   positions    0        1        2        3
 *   distance 1   0 1      2 3      0 1      2 3
 *   distance 2   0        2        1        3
 * ```
 */
export function nearestFirst(position: number, halvings: number, rounds: number): Range {
  let first = 0
  for (let j = 0; j < halvings; j++) first += ((position >> j) & 1) << (rounds - 1 - j)
  return { first, count: 2 ** (rounds - halvings) }
}

/**
 * The same when it has halved with those at the distances p/2, p/4, ..., 1: its own part is left,
 * but the order of ranks is lost.
 */
export function farthestFirst(position: number, halvings: number, rounds: number): Range {
  const count = 2 ** (rounds - halvings)
  return { first: position - (position % count), count }
}

/** The bits of a position backwards. */
export function mirrored(position: number, rounds: number): number {
  return nearestFirst(position, rounds, rounds).first
}

/**
 * Of one block for each rank those of the ranks that stand, or are stood for, at some positions.
 */
export function blocksAt({ first, count }: Range, fold: PowerOfTwo): Range {
  const start = firstBlock(first, fold)
  return { first: start, count: firstBlock(first + count, fold) - start }
}

/** Position at which a rank stands, or its proxy. */
export function seatOf(rank: number, { extra }: PowerOfTwo): number {
  return rank < 2 * extra ? rank >> 1 : rank - extra
}

function firstBlock(position: number, { extra }: PowerOfTwo): number {
  return position + Math.min(position, extra)
}
