import type { CollectiveName } from '@commworld/mpi'
import { collectiveShapes } from '../arbitraries/collectives.js'

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
 * The blocks that a rank gets from a collective, in order, worked out on one thread straight from the
 * definitions (MPI 4.1, chapter 6); `undefined` where it gets nothing.
 *
 * @example
 * blocksOf('allgather', 0, { size: 2, given: (rank) => rank + 1 }) // [ 1, 2 ]
 */
export function blocksOf<T>(
  collective: CollectiveName,
  rank: number,
  { size, root = 0, given, fold }: Question<T>,
): T[] | undefined {
  const all = Array.from({ length: size }, (_, from) => from)
  const folded = (block: number, end = size): T => {
    if (fold === undefined) throw new TypeError(`a model of ${collective} needs \`fold\``)
    return all
      .slice(0, end)
      .map((from) => given(from, block))
      .reduce((lower, higher) => fold(lower, higher))
  }
  switch (collective) {
    case 'barrier':
      return undefined
    case 'bcast':
      return [given(root, 0)]
    case 'gather':
      return rank === root ? all.map((from) => given(from, 0)) : undefined
    case 'scatter':
      return [given(root, rank)]
    case 'allgather':
      return all.map((from) => given(from, 0))
    case 'alltoall':
      return all.map((from) => given(from, rank))
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

/**
 * What a collective of values gives to each rank, by rank; `undefined` where a rank gets nothing.
 *
 * @example
 * modelOf('scan', { size: 3, given: (rank) => rank + 1, fold: (a, b) => a + b }) // [ 1, 3, 6 ]
 */
export function modelOf<T>(
  collective: CollectiveName,
  question: Question<T>,
): (T | T[] | undefined)[] {
  return Array.from({ length: question.size }, (_, rank) => {
    const blocks = blocksOf(collective, rank, question)
    return collectiveShapes[collective].getsEach ? blocks : blocks?.[0]
  })
}
