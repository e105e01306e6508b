import type { Program } from '../api/index.js'
import type { WorldOptions } from '../engine/world/world-options.js'
import { EndlessLoopError, guarded } from './endless-guard.js'
import { runLocal, type LocalRun, type Observation, type OpenRun } from './local-run.js'

/** As `runLocal`, and ends a rank that has not awaited anything for `endlessMs`. Never rejects. */
export async function runGuarded<R>(
  ranks: number,
  main: Program<R>,
  options: Omit<WorldOptions, 'ranks' | 'mode'>,
  { endlessMs, ...observation }: Observation & { readonly endlessMs: number },
): Promise<LocalRun> {
  let open: OpenRun
  const watch = (run: OpenRun): void => void (open = run)
  const start = (): Promise<LocalRun> => runLocal(ranks, main, options, { ...observation, watch })
  try {
    return await guarded(endlessMs, start)
  } catch (error) {
    if (error instanceof EndlessLoopError) return stopped(error, open!)
    throw error
  }
}

function stopped(thrown: EndlessLoopError, run: OpenRun): LocalRun {
  const { deviations, replay, choicesMade, faults, ways, traces } = run
  const failure = { thrown, rank: undefined }
  return { values: [], leaks: [], failure, deviations, replay, choicesMade, faults, ways, traces }
}
