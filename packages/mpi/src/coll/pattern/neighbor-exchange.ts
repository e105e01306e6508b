/**
 * With whom a rank exchanges in a round, and the first of the two blocks that it gives and takes.
 */
export interface NeighborExchange {
  readonly peer: number
  readonly given: number
  readonly taken: number
}

/**
 * Round k of an exchange with either neighbour in turn: even ranks with the one above first, odd
 * ones with the one below. Each gives the pair of blocks that it took in the round before, at first
 * those of its own pair. Precondition: `size` is even.
 *
 * ```
 *   p = 6   round 0   0 = 1   2 = 3   4 = 5        own pairs: 0 1, 2 3, 4 5
 *           round 1   1 = 2   3 = 4   5 = 0        0 takes 4 5 and 1 takes 2 3
 *           round 2   0 = 1   2 = 3   4 = 5        0 takes 2 3 and 1 takes 4 5
 * ```
 */
export function neighborExchange(k: number, size: number, rank: number): NeighborExchange {
  return {
    peer: (rank + directionOf(k, rank) + size) % size,
    given: pairTaken(k === 0 ? 0 : k - 1, size, rank),
    taken: pairTaken(k, size, rank),
  }
}

function pairTaken(k: number, size: number, rank: number): number {
  const own = rank - (rank % 2)
  return (own + directionOf(k, rank) * (k + (k % 2)) + size) % size
}

function directionOf(k: number, rank: number): 1 | -1 {
  return k % 2 === rank % 2 ? 1 : -1
}
