import type { Algorithm } from '../coll/plan/algorithm.js'

/** Options of every collective. */
export interface AlgorithmOptions {
  /**
   * Algorithm for this call, the same on all ranks: by name (`ring`), with a radix (`bruck:4`), or one of
   * your own, made by `defineCollective`; what the table says when left out (`mpiexec --info coll`).
   *
   * @throws AlgorithmError when it is not there, or cannot do what is asked
   */
  algorithm?: string | Algorithm
}

/** Options of collectives that have a root. */
export interface RootOptions extends AlgorithmOptions {
  /** Rank of the root, the same on all ranks; 0 when left out. */
  root?: number
}
