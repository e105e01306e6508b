import { MemoryPool } from '@commworld/transport'
import { createMpi, type Program } from '../api/index.js'
import {
  deadlockReport,
  formatReport,
  lifecycleReports,
  locateFacts,
  locateSnapshot,
  locateWait,
} from '../diagnose/index.js'
import {
  copyOut,
  CoroutineWorld,
  defaultMemoryBytes,
  type CoroutineOutcome,
} from '../engine/index.js'
import { DeadlockError, InternalError } from '../errors/index.js'
import { LeftoverError } from './launch-errors.js'
import { checkLocal, type LocalOptions } from './local-options.js'
import { locate } from './report-style.js'

/** Memories of worlds that have ended, for those to come: a test makes thousands. */
const memories = new MemoryPool()

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
  const bytes = options.memoryBytes ?? defaultMemoryBytes('coroutine')
  const memory = memories.acquire(bytes)
  const outcome = await new CoroutineWorld(
    memory,
    { ...options, ranks, mode: 'coroutine' },
    (runtime) => main(createMpi(runtime, { args: [], appNumber: 0 })),
  ).run()
  const values =
    outcome.kind === 'finished' ? outcome.values.map((value) => copyOut(value, memory.buffer)) : []
  // Ranks of a world that did not finish may still hold on to its memory.
  if (outcome.kind === 'finished') memories.release(memory)
  throwFailure(outcome)
  return values as Awaited<R>[]
}

/** Throws what a run that did not end well is rejected with. */
function throwFailure(outcome: CoroutineOutcome): void {
  switch (outcome.kind) {
    case 'finished': {
      const reports = lifecycleReports(outcome.facts.map((facts) => locateFacts(facts, locate)))
      if (reports.length === 0) return
      const text = reports.map((report) => formatReport(report)).join('\n')
      throw new LeftoverError({ reports, text })
    }
    case 'failed':
      throw outcome.error
    case 'deadlock': {
      const snapshots = outcome.snapshots.map((snapshot) => locateSnapshot(snapshot, locate))
      const waits = outcome.waits.map((wait) => locateWait(wait, locate))
      const report = deadlockReport(waits, snapshots)
      if (report === undefined) {
        throw new InternalError('no rank can go on, and no rank waits for another')
      }
      throw new DeadlockError({ ranks: report.deadlocked, text: formatReport(report), report })
    }
  }
}
