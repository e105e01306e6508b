import { AsyncLocalStorage } from 'node:async_hooks'
import { WorldMemory } from '@commworld/transport'
import { createMpi, type Program } from '../../api/index.js'
import { CoroutineWorld } from '../../engine/world/coroutine-world.js'
import type { RankRuntime } from '../../engine/world/rank-runtime.js'
import { defaultMemoryBytes } from '../../engine/world/world-options.js'
import { packError } from '../../errors/index.js'
import type { Bundle } from '../program/bundle.js'
import type { CarriedRanks } from './carried-ranks.js'
import { failureMessage } from './failure-message.js'
import { virtualMemoryBytes } from '../job/limits.js'
import { legacyOf, serialized } from './last-words.js'
import type { RankMessage, RankStart } from './rank-message.js'
import { setCommandLine } from './rank-process.js'
import { importMain } from '../program/rank-program.js'

/** All ranks of a job, as coroutines of one thread. */
export class CoroutineRanks implements CarriedRanks {
  readonly #start: RankStart
  /** Follows each rank's tasks, which has its price: only where output is told apart. */
  readonly #rankOfTask: AsyncLocalStorage<number> | undefined
  readonly #runtimes: RankRuntime[] = []

  constructor(start: RankStart) {
    this.#start = start
    this.#rankOfTask = start.labels ? new AsyncLocalStorage() : undefined
  }

  /** The rank whose task runs, where that is known. */
  get writer(): number | undefined {
    return this.#rankOfTask?.getStore()
  }

  attach(): void {
    // The world is made by `run`: its ranks begin at once.
  }

  async run(bundles: readonly Bundle[]): Promise<RankMessage> {
    const { options, programs, returns, fabric } = this.#start
    // Loaded only here: most jobs run in the time of the machine.
    const virtual =
      fabric &&
      (await import('../job/fabric-run.js')).openFabric(fabric, options.ranks, (text) =>
        process.stderr.write(`${text}\n`),
      )
    setCommandLine(bundles[0]!.sourceFile, programs[0]!.args)
    const mains: Program[] = []
    for (const bundle of bundles) mains.push(await importMain<Program>(bundle))
    const appNumbers = programs.flatMap(({ ranks }, appNumber) =>
      new Array<number>(ranks).fill(appNumber),
    )
    const usual =
      virtual === undefined
        ? defaultMemoryBytes('coroutine', options.ranks)
        : virtualMemoryBytes(options.ranks)
    const bytes = options.memoryBytes ?? usual
    const start = (runtime: RankRuntime): unknown => {
      const { rank } = runtime.rank
      const appNumber = appNumbers[rank]!
      this.#runtimes[rank] = runtime
      const mpi = createMpi(runtime, { args: programs[appNumber]!.args, appNumber })
      const main = mains[appNumber]!
      return this.#rankOfTask ? this.#rankOfTask.run(rank, main, mpi) : main(mpi)
    }
    const memory = WorldMemory.create({ bytes })
    const world = new CoroutineWorld(memory, options, start, {
      settles: true,
      virtual: virtual?.world,
    })
    const outcome = await world.run()
    switch (outcome.kind) {
      case 'finished': {
        const values = outcome.values.map((value) => (returns ? serialized(value) : undefined))
        const choices = { deviations: world.deviations, made: world.choicesMade }
        const [first, ...others] = this.#runtimes.map(legacyOf)
        const legacies = [{ ...first!, choices }, ...others]
        return { type: 'all finished', values, legacies, summary: virtual?.finish() }
      }
      case 'failed': {
        const { error, rank, others } = outcome
        if (others === undefined) return failureMessage(error, rank)
        const failures = others.failures.map((one) => ({ ...one, error: packError(one.error) }))
        return failureMessage(error, rank, { ...others, failures })
      }
      case 'stalled':
        return failureMessage(outcome.error, undefined)
      case 'deadlock':
        return { type: 'deadlock', waits: outcome.waits, snapshots: outcome.snapshots }
    }
  }

  snapshot(): undefined {
    // Nobody asks: it is told with what ends the world.
  }

  legacy(): undefined {
    // `run` has told it: it ends when all ranks have finished.
  }

  fail(): void {
    // Nobody else is left on this thread to be told.
  }
}
