import { formatChoices, type ChoiceDeviation } from '@commworld/transport'
import type { RunTrial, Trial } from './trial.js'

/** Runs that finding a smaller deviation may take. */
const RUNS_MAX = 300

/** A failure by few deviations, and whether it comes again with them. */
export interface Minimum {
  readonly trial: Trial
  /** The same choices gave the same failure once more. */
  readonly reproduces: boolean
}

/**
 * The fewest and smallest deviations found that still give the same failure: pairs are taken away, half
 * of them first and then ever smaller pieces (Zeller's ddmin, 2002), and values are lowered.
 */
export async function minimize(
  run: RunTrial,
  failing: Trial,
  title: string,
  onRun: () => void = () => {},
): Promise<Minimum> {
  const minimizer = new Minimizer(run, failing, title, onRun)
  await minimizer.dropPairs()
  await minimizer.lowerValues()
  return await minimizer.confirmed()
}

class Minimizer {
  readonly #run: RunTrial
  readonly #title: string
  readonly #onRun: () => void
  #best: Trial
  #runs = 0

  constructor(run: RunTrial, failing: Trial, title: string, onRun: () => void) {
    this.#run = run
    this.#best = failing
    this.#title = title
    this.#onRun = onRun
  }

  async dropPairs(): Promise<void> {
    if (this.#count > 0) await this.#attempt([])
    let size = Math.ceil(this.#count / 2)
    let at = 0
    while (size >= 1 && this.#mayGoOn) {
      if (at >= this.#count) {
        size = Math.floor(size / 2)
        at = 0
        continue
      }
      const pairs = this.#pairs
      if (!(await this.#attempt([...pairs.slice(0, at), ...pairs.slice(at + size)]))) at += size
    }
  }

  async lowerValues(): Promise<void> {
    for (let at = 0; at < this.#count; at++) {
      for (let value = 1; value < this.#pairs[at]![1] && this.#mayGoOn; value++) {
        const lower = this.#pairs.with(at, [this.#pairs[at]![0], value])
        if (await this.#attempt(lower)) break
      }
    }
  }

  async confirmed(): Promise<Minimum> {
    const again = await this.#try(this.#pairs)
    return { trial: this.#best, reproduces: again.failure?.title === this.#title }
  }

  get #count(): number {
    return this.#best.deviations.length
  }

  get #pairs(): ChoiceDeviation[] {
    return this.#best.deviations.map(({ index, value }) => [index, value] as const)
  }

  get #mayGoOn(): boolean {
    return this.#runs < RUNS_MAX
  }

  async #attempt(pairs: readonly ChoiceDeviation[]): Promise<boolean> {
    const trial = await this.#try(pairs)
    if (trial.failure?.title !== this.#title || !isSmaller(trial, this.#best)) return false
    this.#best = trial
    return true
  }

  async #try(pairs: readonly ChoiceDeviation[]): Promise<Trial> {
    this.#runs++
    const trial = await this.#run({ choices: formatChoices(pairs) })
    this.#onRun()
    return trial
  }
}

/** By fewer deviations, or as many of smaller values. */
function isSmaller({ deviations }: Trial, other: Trial): boolean {
  if (deviations.length !== other.deviations.length) {
    return deviations.length < other.deviations.length
  }
  const sum = (trial: Pick<Trial, 'deviations'>): number =>
    trial.deviations.reduce((all, { value }) => all + value, 0)
  return sum({ deviations }) < sum(other)
}
