import { MAX, SUM, type Mpi } from '@commworld/mpi'
import { problemClassFrom, shareOf, type ProblemClass } from '../problem.js'
import { report, type Check } from '../report.js'
import { addBatch, annulusCount, batchPairs, sumNames } from './gaussian-pairs.js'

type Problem = { exponent: number; sums: readonly number[]; counts?: readonly number[] }

// 2^exponent pairs. The published sums are those of x and y, for class S of |x| and |y| as well.
const problems: Record<ProblemClass, Problem> = {
  S: {
    exponent: 24,
    sums: [-3247.83465203474, -6958.407078382297, 10512994.20395306, 10515171.31857535],
    counts: [6140517, 5865300, 1100361, 68546, 1648, 17, 0, 0, 0, 0],
  },
  W: { exponent: 25, sums: [-2863.319731645753, -6320.053679109499] },
  A: { exponent: 28, sums: [-4295.875165629892, -15807.32573678431] },
}

// Embarrassingly parallel: nobody needs anything from anybody until the results are added up.
export default function main({ world, args, alloc, wtime }: Mpi) {
  const problemClass = problemClassFrom(args)
  const problem = problems[problemClass]
  const pairs = 2 ** problem.exponent
  if (world.rank === 0) {
    console.log(`EP class ${problemClass}: 2^${problem.exponent} pairs, ${world.size} ranks\n`)
  }

  const mySums = alloc(Float64Array, sumNames.length)
  const myCounts = alloc(Int32Array, annulusCount)
  const mySeconds = alloc(Float64Array, 1)
  const sums = alloc(Float64Array, sumNames.length)
  const counts = alloc(Int32Array, annulusCount)
  const seconds = alloc(Float64Array, 1)

  world.barrier()
  const start = wtime()
  const { first, end } = shareOf(pairs / batchPairs, world)
  for (let batch = first; batch < end; batch++) addBatch(batch, mySums, myCounts)

  // All the communication there is: 32 bytes, 40 bytes, and 8 for how long the slowest rank took.
  world.allreduceInto(mySums, sums, SUM)
  world.allreduceInto(myCounts, counts, SUM)
  mySeconds[0] = wtime() - start
  world.allreduceInto(mySeconds, seconds, MAX)

  if (world.rank === 0) {
    const checks = [...checksOfSums(problem, sums), ...checksOfCounts(problem, counts)]
    report(checks, { operations: 2 * pairs, seconds: seconds[0] })
  }
}

function checksOfSums(problem: Problem, sums: Float64Array): Check[] {
  return sumNames.map((name, index) => ({
    name: `sum of ${name}`,
    computed: sums[index],
    published: problem.sums[index],
    tolerance: 1e-8,
  }))
}

/** Annulus n has the pairs with n <= max(|x|, |y|) < n + 1. */
function checksOfCounts(problem: Problem, counts: Int32Array): Check[] {
  const all = (given: ArrayLike<number>) => Array.from(given).reduce((sum, count) => sum + count)
  const checks = Array.from(counts, (computed, annulus): Check => {
    return { name: `pairs in annulus ${annulus}`, computed, published: problem.counts?.[annulus] }
  })
  const published = problem.counts && all(problem.counts)
  return [...checks, { name: 'pairs in all', computed: all(counts), published }]
}
