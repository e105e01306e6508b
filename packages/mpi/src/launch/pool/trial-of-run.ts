import type { Trial } from '../../explore/trial.js'
import type { LocalRun } from '../local-run.js'

/** A run that has ended, as an exploration sees it. */
export function trialOfRun(
  run: Pick<LocalRun, 'failure' | 'deviations' | 'choicesMade' | 'traces'>,
): Trial {
  const { failure, deviations, choicesMade } = run
  const traces = run.traces()
  if (failure === undefined) return { failure, deviations, choicesMade, traces }
  const { thrown, rank } = failure
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const where = rank === undefined ? '' : ` at rank ${rank}`
  const title = `${error.name}${where}: ${error.message.split('\n', 1)[0]!}`
  const text = rank === undefined ? error.message : (error.stack ?? error.message)
  return { failure: { title, text }, deviations, choicesMade, traces }
}
