import { MAX, type Mpi } from '@commworld/mpi'
import { problemClassFrom, type ProblemClass } from '../problem.js'
import { report } from '../report.js'
import { scale, solve, steps } from './conjugate-gradient.js'
import { DistributedMatrix } from './distributed-matrix.js'
import type { MatrixShape } from './matrix.js'

type Problem = MatrixShape & { zeta: number }

const problems: Record<ProblemClass, Problem> = {
  S: { order: 1400, nonzeros: 7, shift: 10, zeta: 8.5971775078648 },
  W: { order: 7000, nonzeros: 8, shift: 12, zeta: 10.362595087124 },
  A: { order: 14000, nonzeros: 11, shift: 20, zeta: 17.130235054029 },
}
const iterations = 15

// Inverse iteration: solve A z = x, make z the next x, and so on. Each solution is stretched by one
// over an eigenvalue of A. The matrix is A plus the shift, and zeta is an eigenvalue of that.
export default function main(mpi: Mpi) {
  const { world, args, wtime } = mpi
  const problemClass = problemClassFrom(args)
  const problem = problems[problemClass]
  if (world.rank === 0) {
    console.log(`CG class ${problemClass}: ${problem.order} rows, ${world.size} ranks\n`)
  }

  const matrix = new DistributedMatrix(mpi, problem)
  const x = matrix.newVector().fill(1)
  const z = matrix.newVector()

  function iterate() {
    const distance = solve(matrix, x, z)
    const zeta = problem.shift + 1 / matrix.dot(x, z)
    x.set(z)
    scale(x, 1 / Math.sqrt(matrix.dot(z, z)))
    return { zeta, distance }
  }

  // Once for the compiler's sake, as the benchmark allows.
  iterate()
  x.fill(1)

  world.barrier()
  const start = wtime()
  let zeta = 0
  for (let iteration = 1; iteration <= iterations; iteration++) {
    const next = iterate()
    zeta = next.zeta
    if (world.rank === 0) {
      const distance = next.distance.toExponential(1)
      console.log(`iteration ${iteration}: zeta ${zeta.toFixed(10)}, |A z - x| ${distance}`)
    }
  }
  const seconds = world.allreduce(wtime() - start, MAX)

  if (world.rank === 0) {
    const checks = [{ name: 'zeta', computed: zeta, published: problem.zeta, tolerance: 1e-10 }]
    console.log()
    report(checks, { operations: operationsOf(problem), seconds })
  }
}

/** As the benchmark counts them. */
function operationsOf({ order, nonzeros }: MatrixShape): number {
  const perRow = nonzeros * (nonzeros + 1)
  return 2 * iterations * order * (3 + perRow + steps * (5 + perRow) + 3)
}
