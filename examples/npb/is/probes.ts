// What the benchmark publishes for IS: the ranks of five keys, in each iteration.

import type { ProblemClass } from '../problem.js'

/**
 * The key at `index` has the rank `rank + drift * iteration`: each iteration puts a small key and a
 * large one in place of two others.
 */
export type Probe = { index: number; rank: number; drift: 1 | -1 }

export type Problem = { keys: number; keyRange: number; buckets: number; probes: readonly Probe[] }

export const problems: Record<ProblemClass, Problem> = {
  S: {
    keys: 2 ** 16,
    keyRange: 2 ** 11,
    buckets: 2 ** 9,
    probes: [
      { index: 48427, rank: 0, drift: 1 },
      { index: 17148, rank: 18, drift: 1 },
      { index: 23627, rank: 346, drift: 1 },
      { index: 62548, rank: 64917, drift: -1 },
      { index: 4431, rank: 65463, drift: -1 },
    ],
  },
  W: {
    keys: 2 ** 20,
    keyRange: 2 ** 16,
    buckets: 2 ** 10,
    probes: [
      { index: 357773, rank: 1247, drift: 1 },
      { index: 934767, rank: 11696, drift: 1 },
      { index: 875723, rank: 1039987, drift: -1 },
      { index: 898999, rank: 1043896, drift: -1 },
      { index: 404505, rank: 1048018, drift: -1 },
    ],
  },
  A: {
    keys: 2 ** 23,
    keyRange: 2 ** 19,
    buckets: 2 ** 10,
    probes: [
      { index: 2112377, rank: 103, drift: 1 },
      { index: 662041, rank: 17522, drift: 1 },
      { index: 5336171, rank: 123927, drift: 1 },
      { index: 3642833, rank: 8288933, drift: -1 },
      { index: 4250760, rank: 8388265, drift: -1 },
    ],
  },
}

export const rankOf = ({ rank, drift }: Probe, iteration: number) => rank + drift * iteration
