import { misfitOf } from '@commworld/transport'
import type { Program } from '../api/index.js'
import { checkLocal, type LocalOptions } from './local-options.js'
import { runGuarded } from './guarded-run.js'

/** A rank that has not awaited anything for so long is in an endless loop, where nothing else is said. */
const ENDLESS_MS = 60_000

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
 * @throws {TimeoutError} the run has not ended within `timeoutMs`
 * @throws {EndlessLoopError} a rank has not awaited anything for `timeoutMs`, or 60 s when that is left
 * out; it is stopped, and the message says where. On the main thread of a process only: in a worker, or
 * under a debugger, nobody can stop it
 * @throws {ScriptError} `choices` name some that the run did not make: they are of another program
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
  const { timeoutMs, ...world } = options
  const observation = { timeoutMs, endlessMs: timeoutMs ?? ENDLESS_MS }
  const run = await runGuarded(ranks, main, world, observation)
  if (run.failure !== undefined) throw run.failure.thrown
  const misfit = misfitOf(options.choices, run)
  if (misfit !== undefined) throw misfit
  return run.values as Awaited<R>[]
}
