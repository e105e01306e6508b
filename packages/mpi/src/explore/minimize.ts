import { formatChoices, type ChoiceDeviation } from '@commworld/transport'
import type { RunTrial, Trial } from './trial.js'

/** Runs that finding a smaller deviation may take. */
const RUNS_MAX = 300

/** The fewest deviations found that still give the same failure, one taken away at a time. */
export async function minimize(
  run: RunTrial,
  failing: Trial,
  title: string,
): Promise<{ readonly trial: Trial; readonly runs: number }> {
  let best = failing
  let runs = 0
  const attempt = async (pairs: readonly ChoiceDeviation[]): Promise<boolean> => {
    runs++
    const trial = await run({ choices: formatChoices(pairs) })
    if (trial.failure?.title !== title) return false
    if (trial.deviations.length >= best.deviations.length) return false
    best = trial
    return true
  }
  if (best.deviations.length > 0) await attempt([])
  // Halves first, then ever smaller pieces (Zeller's ddmin, 2002).
  let size = Math.ceil(best.deviations.length / 2)
  let at = 0
  const mayGoOn = (): boolean => size >= 1 && runs < RUNS_MAX
  while (mayGoOn()) {
    if (at >= best.deviations.length) {
      size = Math.floor(size / 2)
      at = 0
      continue
    }
    const pairs = best.deviations.map(({ index, value }): ChoiceDeviation => [index, value])
    if (!(await attempt([...pairs.slice(0, at), ...pairs.slice(at + size)]))) at += size
  }
  return { trial: best, runs }
}
