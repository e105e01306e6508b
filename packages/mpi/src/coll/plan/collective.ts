/**
 * What each collective computes, in blocks. A *vector* is cut into as many blocks as the algorithm
 * likes, the same on all ranks; *each* is one block for every rank; *one* is a rank's own block.
 */
export type Extent = 'none' | 'vector' | 'one' | 'each'

export interface CollectiveShape {
  readonly rooted: boolean
  readonly reduces: boolean
  readonly input: Extent
  readonly inputAt: 'all' | 'root'
  readonly output: Extent
  readonly outputAt: 'all' | 'root'
}

function shape(
  input: Extent,
  output: Extent,
  rest: Partial<Omit<CollectiveShape, 'input' | 'output'>> = {},
): CollectiveShape {
  const everywhere = { rooted: false, reduces: false, inputAt: 'all', outputAt: 'all' } as const
  return { input, output, ...everywhere, ...rest }
}

/** The collectives of MPI 4.1, chapter 6, by the names that algorithms and rules use. */
export const collectives = {
  barrier: shape('none', 'none'),
  bcast: shape('none', 'vector', { rooted: true }),
  gather: shape('one', 'each', { rooted: true, outputAt: 'root' }),
  scatter: shape('each', 'one', { rooted: true, inputAt: 'root' }),
  allgather: shape('one', 'each'),
  alltoall: shape('each', 'each'),
  reduce: shape('vector', 'vector', { rooted: true, reduces: true, outputAt: 'root' }),
  allreduce: shape('vector', 'vector', { reduces: true }),
  reduceScatter: shape('each', 'one', { reduces: true }),
  scan: shape('vector', 'vector', { reduces: true }),
  exscan: shape('vector', 'vector', { reduces: true }),
} as const satisfies Readonly<Record<string, CollectiveShape>>

export type CollectiveName = keyof typeof collectives

export const COLLECTIVE_KINDS: readonly CollectiveName[] = Object.keys(
  collectives,
) as CollectiveName[]

/** Blocks of a buffer of this extent. */
export function blocksOf(extent: Extent, size: number, cut: number): number {
  switch (extent) {
    case 'none':
      return 0
    case 'one':
      return 1
    case 'each':
      return size
    case 'vector':
      return cut
  }
}
