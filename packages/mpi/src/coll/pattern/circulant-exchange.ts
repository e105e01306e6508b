import { ceilLog } from './logarithm.js'

/**
 * What one rank gives and takes in one round: blocks counted from `given` and `taken` on, wrapping
 * around.
 */
export interface CirculantExchange {
  readonly to: number
  readonly given: number
  readonly from: number
  readonly taken: number
  readonly count: number
}

/** Rounds of a circulant algorithm. */
export function circulantRounds(size: number): number {
  return ceilLog(size, 2)
}

/**
 * Round k of a reduce-scatter over the skips ceil(p/2), ceil(p/4), ..., 1 (Träff 2024). A rank has
 * partial results for those at the distances 0 to s - 1 above it; those from the skip on it gives
 * to the rank there, so that it is left with s = skip of them, in the end with its own.
 *
 * ```
 *   p = 5     round 0: r -> r + 3     round 1: r -> r + 2     round 2: r -> r + 1      (modulo 5)
 *             blocks r + 3, r + 4     block r + 2             block r + 1
 * ```
 */
export function circulantScatter(k: number, size: number, rank: number): CirculantExchange {
  const skip = skipAfter(k + 1, size)
  return {
    to: (rank + skip) % size,
    given: (rank + skip) % size,
    from: (rank + size - skip) % size,
    taken: rank,
    count: skipAfter(k, size) - skip,
  }
}

/** Round k of an allgather: the reduce-scatter backwards. */
export function circulantGather(k: number, size: number, rank: number): CirculantExchange {
  const back = circulantScatter(circulantRounds(size) - 1 - k, size, rank)
  return { to: back.from, given: back.taken, from: back.to, taken: back.given, count: back.count }
}

/** ceil(p / 2^k), which is what halving k times and rounding up each time gives. */
function skipAfter(k: number, size: number): number {
  return Math.ceil(size / 2 ** k)
}
