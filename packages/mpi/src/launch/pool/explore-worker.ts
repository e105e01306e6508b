import { parentPort, workerData } from 'node:worker_threads'
import type { Program } from '../../api/index.js'
import { SharedThreadError } from '../../errors/index.js'
import { explore } from '../../explore/explore.js'
import type { RunTrial } from '../../explore/trial.js'
import type { ExploreStart, FromExplorer } from './explore-message.js'
import { isEndedByFault } from '../ended-by-fault.js'
import { runLocal } from '../local-run.js'
import { trialOfRun } from './trial-of-run.js'
import { setCommandLine } from '../rank/rank-process.js'
import { importMain } from '../program/rank-program.js'
import { mapStacks, SourcePositions } from '../program/source-positions.js'

// The thread that runs a program under many schedules, for `mpiexec explore`.

const QUIET_MS = 20
const PROGRESS_MS = 100

const { bundle, args, ranks, options, faults, timeoutMs } = workerData as ExploreStart
await main()

async function main(): Promise<void> {
  mapStacks([new SourcePositions(bundle)])
  setCommandLine(bundle.sourceFile, args)
  try {
    const program = await importMain<Program>(bundle)
    let told = 0
    const exploration = await explore(trialOf(program), {
      ...options,
      progress(progress) {
        const now = performance.now()
        if (now - told < PROGRESS_MS) return
        told = now
        post({ type: 'progress', progress })
      },
    })
    post({ type: 'done', exploration })
  } catch (error) {
    const blocks = error instanceof SharedThreadError
    post({ type: 'refused', text: (error as Error).message, blocks })
  }
}

function post(message: FromExplorer): void {
  parentPort!.postMessage(message)
}

function trialOf(program: Program): RunTrial {
  return async (plan) => {
    const world = faults === undefined ? plan : { ...plan, faults }
    const run = await runLocal(ranks, program, world, { quietMs: QUIET_MS, timeoutMs, args })
    if (run.failure?.thrown instanceof SharedThreadError) throw run.failure.thrown
    // Ended as a job must that a fault ends.
    if (isEndedByFault(run)) return trialOfRun({ ...run, failure: undefined })
    return trialOfRun(run)
  }
}
