import { floorLog } from './logarithm.js'

/**
 * The fold of any number of ranks to a power of two. The first `2 * extra` ranks work in pairs: the
 * even one (*extra*) gives its part to the odd one (*proxy*) above it, which has a position among the
 * power of two; so positions keep the order of ranks.
 *
 * ```
 *   p = 6    ranks      0 1   2 3   4   5
 *            positions    0     1   2   3
 * ```
 */
export interface PowerOfTwo {
  /** Logarithm of the power. */
  readonly rounds: number
  readonly power: number
  /** Ranks beyond the power. */
  readonly extra: number
}

export function powerOfTwo(size: number): PowerOfTwo {
  const rounds = floorLog(size, 2)
  const power = 2 ** rounds
  return { rounds, power, extra: size - power }
}

/** Position of a rank among the power of two; -1 of those that are folded away. */
export function positionOf(rank: number, { extra }: PowerOfTwo): number {
  if (rank >= 2 * extra) return rank - extra
  return rank % 2 === 0 ? -1 : (rank - 1) / 2
}

export function rankAt(position: number, { extra }: PowerOfTwo): number {
  return position < extra ? 2 * position + 1 : position + extra
}

/** Whether a rank stands for the one below it as well. */
export function isProxy(rank: number, { extra }: PowerOfTwo): boolean {
  return rank < 2 * extra && rank % 2 === 1
}

export function isExtra(rank: number, { extra }: PowerOfTwo): boolean {
  return rank < 2 * extra && rank % 2 === 0
}
