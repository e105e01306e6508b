import type { Mpi } from '@commworld/mpi'
import { floatResult, type FloatCase } from '../float-run.js'

/** Reductions of floats, one after the other; gives the results by case. */
export default async function main(
  mpi: Mpi,
  cases: readonly FloatCase[],
): Promise<Awaited<ReturnType<typeof floatResult>>[]> {
  const results = []
  for (const one of cases) results.push(await floatResult(mpi, one, 'registered'))
  return results
}
