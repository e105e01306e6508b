import type { CollectiveName } from '@commworld/mpi'

/** What ranks give to a collective, and how what they give is folded. */
export interface Question<T> {
  readonly size: number
  /** 0 when left out. */
  readonly root?: number
  /** What a rank gives; of what it gives for each rank, block `block`. */
  readonly given: (rank: number, block: number) => T
  /** The first operand comes from the lower ranks. */
  readonly fold?: (lower: T, higher: T) => T
}

/**
 * What a collective gives to each rank (MPI 4.1, chapter 6), worked out on one thread straight from
 * the definitions; `undefined` where a rank gets nothing.
 *
 * @example
 * const sums = modelOf('scan', { size: 3, given: (rank) => rank + 1, fold: (a, b) => a + b })
 * // [1, 3, 6]
 */
export function modelOf<T>(
  collective: CollectiveName,
  { size, root = 0, given, fold }: Question<T>,
): (T | T[] | undefined)[] {
  const all = Array.from({ length: size }, (_, rank) => rank)
  const folded = (block: number, end = size): T => {
    if (fold === undefined) throw new TypeError(`a model of ${collective} needs \`fold\``)
    return all
      .slice(0, end)
      .map((rank) => given(rank, block))
      .reduce((lower, higher) => fold(lower, higher))
  }
  const ofEach = (block: number): T[] => all.map((rank) => given(rank, block))
  switch (collective) {
    case 'barrier':
      return all.map(() => undefined)
    case 'bcast':
      return all.map(() => given(root, 0))
    case 'gather':
      return all.map((rank) => (rank === root ? ofEach(0) : undefined))
    case 'scatter':
      return all.map((rank) => given(root, rank))
    case 'allgather':
      return all.map(() => ofEach(0))
    case 'alltoall':
      return all.map((rank) => ofEach(rank))
    case 'reduce':
      return all.map((rank) => (rank === root ? folded(0) : undefined))
    case 'allreduce':
      return all.map(() => folded(0))
    case 'reduceScatter':
      return all.map((rank) => folded(rank))
    case 'scan':
      return all.map((rank) => folded(0, rank + 1))
    case 'exscan':
      return all.map((rank) => (rank === 0 ? undefined : folded(0, rank)))
  }
}
