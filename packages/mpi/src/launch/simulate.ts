import type { FabricModel } from '@commworld/transport/simulated'
import type { Program } from '../api/index.js'
import { type RunResult, resultOf } from '../simulate/virtual/run-result.js'
import { VirtualWorld } from '../simulate/virtual/virtual-world.js'
import { checkLocal, type LocalOptions } from './local-options.js'
import { virtualMemoryBytes } from './job/limits.js'
import { runLocal } from './local-run.js'

/** How `simulate` runs a program. */
export interface SimulateOptions extends LocalOptions {
  /** The cluster. */
  readonly model: FabricModel
  /** Hash the event log; default false. */
  readonly digest?: boolean
  /** Keep messages and computing for pictures; default false. */
  readonly record?: boolean
  /** Record what ranks do as a GOAL schedule; default false. */
  readonly goal?: boolean
  /** Typed arrays are not moved: what they are received into keeps what it had; default false. */
  readonly timingOnly?: boolean
  /** Called now and then with the virtual time that has come, in picoseconds. */
  readonly onProgress?: (nowPs: number) => void
}

/** A run in virtual time: what `main` returned on each rank, and what it took. */
export interface Simulation<R> extends RunResult {
  readonly values: Awaited<R>[]
  /** What ranks did as a GOAL schedule, where it was asked for. */
  readonly goal: string | undefined
}

/**
 * Runs a program on a simulated fabric, one coroutine per rank: as `local`, but messages take the time
 * that the model says, `wtime` is virtual, and ranks go on in the order of virtual time. The same program,
 * model and seed give the same run.
 *
 * @param ranks 1 to 16384
 * @param main called once for each rank; i-forms with await, `compute(seconds)` for what computing takes
 * @throws SimulationError when ranks do not fit on the hosts; all that `local` throws
 * @example
 * const { timePs } = await simulate(64, ({ world }) => world.iallreduce(world.rank, SUM), { model })
 */
export async function simulate<R>(
  ranks: number,
  main: Program<R>,
  options: SimulateOptions,
): Promise<Simulation<R>> {
  const { model, digest = false, record = false, goal = false, ...others } = options
  const { timingOnly = false, onProgress, ...rest } = others
  checkLocal(ranks, main, rest)
  const virtual = new VirtualWorld({ model, ranks, digest, record, goal, timingOnly, onProgress })
  const settings = { memoryBytes: virtualMemoryBytes(ranks), ...rest }
  const { failure, values } = await runLocal(ranks, main, settings, { virtual })
  if (failure !== undefined) throw failure.thrown
  const text = virtual.kernel.goal?.text
  return { ...resultOf(virtual), values: values as Awaited<R>[], goal: text }
}
