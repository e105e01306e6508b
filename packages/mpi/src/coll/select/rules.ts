import type { CollectiveName } from '../plan/collective.js'

/** One line of the table: used when all it asks for holds, and the algorithm can be used at all. */
export interface Rule {
  /** Name of the algorithm. */
  readonly use: string
  /** Only where the ranks share memory, or only where they do not. */
  readonly shared?: boolean
  readonly commutative?: true
  /** Fewer ranks than this. */
  readonly ranksBelow?: number
  /** Fewer bytes than this: of the vector, of a block for gather, scatter, allgather and alltoall. */
  readonly bytesBelow?: number
}

const KIB = 1024

/**
 * Which algorithm serves which call: the first line that fits. It asks only for what is equal on all
 * ranks. Ranks that share memory reach into each other's; the other lines are for ranks that do not,
 * and for worlds so large that everybody looking at everybody costs more. Values count as short.
 *
 * Their thresholds are those of `node benchmarks/coll/rules.mjs`, which asks the simulated fabric: of
 * algorithms that are about as quick the one that depends least on the fabric stands here.
 */
export const rules: Readonly<Record<CollectiveName, readonly Rule[]>> = {
  barrier: [{ use: 'direct', shared: true }, { use: 'dissemination' }],
  bcast: [
    { use: 'direct', shared: true },
    { use: 'binomial-tree', bytesBelow: 8 * KIB },
    { use: 'linear', ranksBelow: 9, bytesBelow: 64 * KIB },
    { use: 'binomial-tree', bytesBelow: 12 * KIB },
    { use: 'circulant' },
    { use: 'binomial-tree' },
  ],
  gather: [
    { use: 'direct', shared: true },
    { use: 'linear', ranksBelow: 17 },
    { use: 'binomial-tree', bytesBelow: 2 * KIB },
    { use: 'linear' },
  ],
  scatter: [
    { use: 'direct', shared: true },
    { use: 'linear', ranksBelow: 17 },
    { use: 'binomial-tree', bytesBelow: 2 * KIB },
    { use: 'linear' },
  ],
  allgather: [
    { use: 'direct', shared: true },
    { use: 'linear', ranksBelow: 9 },
    { use: 'circulant', bytesBelow: 64 * KIB },
    { use: 'ring' },
  ],
  alltoall: [
    { use: 'direct', shared: true },
    { use: 'linear', ranksBelow: 9 },
    { use: 'bruck', bytesBelow: 256 },
    { use: 'linear', bytesBelow: 64 * KIB },
    { use: 'pairwise' },
  ],
  reduce: [
    { use: 'direct', shared: true },
    { use: 'binomial-tree', bytesBelow: 16 * KIB },
    { use: 'rabenseifner', commutative: true, bytesBelow: 128 * KIB },
    { use: 'pipelined-chain', ranksBelow: 32 },
    { use: 'rabenseifner', commutative: true },
    { use: 'binomial-tree' },
  ],
  allreduce: [
    { use: 'direct', shared: true },
    { use: 'recursive-doubling', bytesBelow: 8 * KIB },
    { use: 'circulant', commutative: true, bytesBelow: 4096 * KIB },
    { use: 'ring', commutative: true, ranksBelow: 64 },
    { use: 'circulant', commutative: true },
    { use: 'recursive-doubling' },
  ],
  reduceScatter: [
    { use: 'direct', shared: true },
    { use: 'linear', ranksBelow: 9, bytesBelow: 512 * KIB },
    { use: 'circulant', commutative: true },
    { use: 'butterfly' },
    { use: 'linear' },
  ],
  scan: [{ use: 'direct', shared: true }, { use: 'recursive-doubling' }],
  exscan: [
    { use: 'direct', shared: true },
    { use: 'linear', ranksBelow: 3 },
    { use: 'one-two-three-doubling' },
  ],
}
