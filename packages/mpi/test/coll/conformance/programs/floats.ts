import type { Mpi } from '@commworld/mpi'
import { floatResult, type FloatCase } from '../float-run.js'

/** Reductions of floats, one after the other; gives the results by case. */
export default async function main(mpi: Mpi): Promise<unknown[]> {
  const results: unknown[] = []
  for (const one of JSON.parse(mpi.args[0]) as FloatCase[]) {
    results.push(await floatResult(mpi, one, 'registered'))
  }
  return results
}
