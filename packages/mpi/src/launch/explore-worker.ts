import { parentPort, workerData } from 'node:worker_threads'
import type { Program } from '../api/index.js'
import { SharedThreadError } from '../errors/index.js'
import { explore } from '../explore/explore.js'
import type { RunTrial, Trial } from '../explore/trial.js'
import type { ExploreStart, FromExplorer } from './explore-message.js'
import { runLocal, type LocalRun } from './local-run.js'
import { setCommandLine } from './rank-process.js'
import { importMain } from './rank-program.js'
import { mapStacks, SourcePositions } from './source-positions.js'

// The thread that runs a program under many schedules, for `mpiexec explore`.

const QUIET_MS = 20
const PROGRESS_MS = 100

const { bundle, args, ranks, options, timeoutMs } = workerData as ExploreStart
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
    post({ type: 'refused', text: (error as Error).message })
  }
}

function post(message: FromExplorer): void {
  parentPort!.postMessage(message)
}

function trialOf(program: Program): RunTrial {
  return async (source) => {
    const run = await runLocal(ranks, program, {}, { source, quietMs: QUIET_MS, timeoutMs })
    return { ...resultOf(run), deviations: run.deviations, choicesMade: run.choicesMade }
  }
}

function resultOf(run: LocalRun): Pick<Trial, 'failure' | 'traces'> {
  const { failure } = run
  if (failure === undefined) return { failure: undefined, traces: run.traces() }
  const { thrown, rank } = failure
  if (thrown instanceof SharedThreadError) throw thrown
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const where = rank === undefined ? '' : ` at rank ${rank}`
  // Numbers differ from run to run where the fault is the same.
  const firstLine = error.message.split('\n', 1)[0]!
  const title = `${error.name}${where}: ${firstLine}`
  const text = rank === undefined ? error.message : (error.stack ?? error.message)
  return { failure: { title, text }, traces: run.traces() }
}
