/**
 * What each collective gives to each rank, written from the definitions in MPI 4.1, chapter 6, and on
 * one thread: the library takes no part in it.
 */
export type CollectiveName =
  | 'barrier'
  | 'bcast'
  | 'gather'
  | 'scatter'
  | 'allgather'
  | 'alltoall'
  | 'reduce'
  | 'allreduce'
  | 'reduceScatter'
  | 'scan'
  | 'exscan'

export interface Question<T> {
  readonly size: number
  readonly root: number
  /** What a rank gives: block `block` of those it has for the others, or its only one. */
  given(rank: number, block: number): T
  /** The operand that comes from the lower ranks is the first. */
  fold(lower: T, higher: T): T
}

/** The blocks that a rank gets, in order; `undefined` where nothing of its memory may change. */
export function expected<T>(
  collective: CollectiveName,
  rank: number,
  { size, root, given, fold }: Question<T>,
): readonly T[] | undefined {
  const ranks = [...Array(size).keys()]
  const folded = (block: number, count = size): T =>
    ranks
      .slice(0, count)
      .map((from) => given(from, block))
      .reduce(fold)
  switch (collective) {
    case 'barrier':
      return undefined
    case 'bcast':
      return [given(root, 0)]
    case 'gather':
      return rank === root ? ranks.map((from) => given(from, 0)) : undefined
    case 'scatter':
      return [given(root, rank)]
    case 'allgather':
      return ranks.map((from) => given(from, 0))
    case 'alltoall':
      return ranks.map((from) => given(from, rank))
    case 'reduce':
      return rank === root ? [folded(0)] : undefined
    case 'allreduce':
      return [folded(0)]
    case 'reduceScatter':
      return [folded(rank)]
    case 'scan':
      return [folded(0, rank + 1)]
    case 'exscan':
      return rank === 0 ? undefined : [folded(0, rank)]
  }
}

/** Where a collective has a root, and who gives or gets something for every rank. */
export const shapes: Readonly<
  Record<
    CollectiveName,
    { rooted: boolean; givesEach: boolean; getsEach: boolean; reduces: boolean }
  >
> = {
  barrier: shape(''),
  bcast: shape('rooted'),
  gather: shape('rooted getsEach'),
  scatter: shape('rooted givesEach'),
  allgather: shape('getsEach'),
  alltoall: shape('givesEach getsEach'),
  reduce: shape('rooted reduces'),
  allreduce: shape('reduces'),
  reduceScatter: shape('givesEach reduces'),
  scan: shape('reduces'),
  exscan: shape('reduces'),
}

function shape(words: string) {
  const has = (word: string): boolean => words.split(' ').includes(word)
  return {
    rooted: has('rooted'),
    givesEach: has('givesEach'),
    getsEach: has('getsEach'),
    reduces: has('reduces'),
  }
}
