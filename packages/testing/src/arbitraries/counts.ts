import fc from 'fast-check'

/** What makes a count interesting. */
export interface CountConstraints {
  /** Ranks of the world: counts around it are cut unevenly. Default 4. */
  readonly ranks?: number
  readonly elementBytes?: number
  /** Default 1024, the eager limit of worlds of coroutines. */
  readonly eagerLimitBytes?: number
  readonly segmentBytes?: number
  readonly max?: number
}

/**
 * Numbers of elements: 0, 1, the number of ranks and its neighbours, those around the eager limit and
 * a segment. Shrinks toward 0, then 1.
 * @example
 * fc.assert(fc.property(counts({ ranks: 5, max: 40 }), (count) => count <= 40))
 */
export function counts({
  ranks = 4,
  elementBytes = 8,
  eagerLimitBytes = 1024,
  segmentBytes = 8192,
  max = 4096,
}: CountConstraints = {}): fc.Arbitrary<number> {
  const edges = [ranks, eagerLimitBytes / elementBytes, segmentBytes / elementBytes].map(Math.floor)
  const special = [0, 1, ...edges.flatMap((edge) => [edge - 1, edge, edge + 1]), 2 * ranks]
  const usual = [...new Set(special)]
    .filter((count) => count >= 0 && count <= max)
    .sort((a, b) => a - b)
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.nat(Math.min(max, 64)) },
    { weight: 3, arbitrary: fc.constantFrom(...usual) },
  )
}

/** Where the blocks of a v-form lie. */
export interface Layout {
  readonly counts: readonly number[]
  readonly displacements: readonly number[]
  /** Elements that a buffer needs for them. */
  readonly length: number
}

/**
 * Counts and displacements by rank: some zero, with gaps, and not in order of rank. Shrinks toward
 * equal blocks, packed.
 * @example
 * fc.assert(fc.property(layouts(4), ({ counts, length }) => counts.every((one) => one <= length)))
 */
export function layouts(ranks: number, countMax = 12): fc.Arbitrary<Layout> {
  return fc
    .record({
      extra: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: -countMax, max: countMax })), {
        minLength: ranks,
        maxLength: ranks,
      }),
      gaps: fc.array(fc.nat(3), { minLength: ranks, maxLength: ranks }),
      swaps: fc.array(fc.tuple(fc.nat(ranks - 1), fc.nat(ranks - 1)), { maxLength: 3 }),
      // Last, since the first is the first to shrink.
      equal: fc.nat(countMax),
    })
    .map(({ equal, extra, gaps, swaps }) => {
      const blocks = extra.map((more) => Math.max(0, equal + more))
      const order = blocks.map((_, rank) => rank)
      for (const [a, b] of swaps) [order[a], order[b]] = [order[b]!, order[a]!]
      return placed(blocks, order, (rank) => gaps[rank]!)
    })
}

/** Blocks one behind the other in some order, each after a gap. */
export function placed(
  blocks: readonly number[],
  order: readonly number[],
  gapBefore: (block: number) => number,
): Layout {
  const displacements = new Array<number>(blocks.length).fill(0)
  let end = 0
  for (const block of order) {
    displacements[block] = end + gapBefore(block)
    end = displacements[block] + blocks[block]!
  }
  return { counts: blocks, displacements, length: end }
}
