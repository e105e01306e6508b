import type { Program } from '../api/index.js'
import { checkLocal, type LocalOptions } from './local-options.js'
import { runLocal } from './local-run.js'

/**
 * Runs a program on coroutines of this thread, one per rank, and resolves with what `main` returned
 * on each rank, by rank. Ranks use the i-forms and await them. The run is deterministic: first come
 * unless a `seed` or `choices` say otherwise. Results are copied out of the world's memory.
 *
 * @param ranks 1 to 16384
 * @param main called once for each rank
 * @throws the error of the rank that failed first
 * @throws {DeadlockError} ranks can never continue; the message is the report
 * @throws {LeftoverError} all ranks returned, but a request or a message was left over
 * @throws {ArgumentError} an option is wrong
 * @throws {AlgorithmError} `algorithms` names one that is not there
 *
 * @example
 * const sums = await local(64, ({ world }) => world.iallreduce(world.rank, SUM), { seed: 7 })
 */
export async function local<R>(
  ranks: number,
  main: Program<R>,
  options: LocalOptions = {},
): Promise<Awaited<R>[]> {
  checkLocal(ranks, main, options)
  const { failure, values } = await runLocal(ranks, main, options)
  if (failure !== undefined) throw failure.thrown
  return values as Awaited<R>[]
}
