import { replayOf } from '@commworld/transport'
import { divergenceOf, type Divergence } from './divergence.js'
import { minimize } from './minimize.js'
import type { Plan, RunTrial, Trial } from './trial.js'
import { matchingOf, wildcardsOf, type WildcardPoint } from './wildcards.js'

/** How long to explore. */
export interface ExploreOptions {
  /** Runs at most. Default 2000. */
  readonly runs?: number | undefined
  /** Milliseconds at most. Default 20 s. */
  readonly budgetMs?: number | undefined
  /** Orderings that a fault may need at once; default 3. */
  readonly depth?: number | undefined
  readonly seed?: number | undefined
  /** Told after every run. */
  readonly progress?: ((progress: Progress) => void) | undefined
}

export interface Progress {
  readonly phase: 'first run' | 'alternatives' | 'single deviations' | 'priorities' | 'minimizing'
  readonly runs: number
  readonly matchings: number
  readonly failures: number
}

/** A failure that some runs end with. */
export interface FoundFailure {
  readonly title: string
  readonly text: string
  /** Runs that ended like this. */
  readonly count: number
  /** The fewest deviations from first come that give it, and their replay string. */
  readonly deviations: Trial['deviations']
  readonly replay: string
  /** Whether the replay string gave the failure again; if not, the program is not a function of its choices. */
  readonly reproduces: boolean
}

export interface ExploredPoint extends WildcardPoint {
  /** Alternatives that some run took. */
  readonly tried: readonly number[]
}

/** What an exploration found. */
export interface Exploration {
  readonly runs: number
  readonly elapsedMs: number
  /** Different ways in which wildcards were matched. */
  readonly matchings: number
  /** Wildcards of the first run. */
  readonly points: readonly ExploredPoint[]
  /** Where two runs with the same choices differed: the program is not a function of them. */
  readonly divergence: Divergence | undefined
  /** Fewest deviations first. */
  readonly failures: readonly FoundFailure[]
}

const RUNS = 2000
const BUDGET_MS = 20_000
const DEPTH = 3
/** From how many places of the run on an alternative is forced. */
const PLACES = 6

/**
 * Runs a program under many schedules: first come; so that each wildcard takes each of its
 * alternatives; with single deviations; then by priorities (PCTCP) until the budget is used.
 */
export async function explore(run: RunTrial, options: ExploreOptions = {}): Promise<Exploration> {
  return await new Explorer(run, options).explore()
}

class Explorer {
  readonly #run: RunTrial
  readonly #options: ExploreOptions
  readonly #start = performance.now()
  readonly #matchings = new Set<string>()
  readonly #took = new Map<string, Set<number>>()
  readonly #failures = new Map<string, { trial: Trial; count: number }>()
  #runs = 0

  constructor(run: RunTrial, options: ExploreOptions) {
    this.#run = run
    this.#options = options
  }

  async explore(): Promise<Exploration> {
    const first = await this.#try('first run', { choices: '' })
    const again = await this.#try('first run', { choices: '' })
    const divergence = divergenceOf(first.traces, again.traces)
    const points = wildcardsOf(first.traces)
    await this.#forceAlternatives(points, first.choicesMade)
    await this.#deviateOnce(first.choicesMade)
    await this.#byPriorities(first.choicesMade)
    const failures = await this.#smallest()
    return {
      runs: this.#runs,
      elapsedMs: performance.now() - this.#start,
      matchings: this.#matchings.size,
      points: points.map((point) => ({
        ...point,
        tried: point.alternatives.filter((rank) => this.#took.get(keyOf(point))?.has(rank)),
      })),
      divergence,
      failures: failures.toSorted((a, b) => a.deviations.length - b.deviations.length),
    }
  }

  async #forceAlternatives(points: readonly WildcardPoint[], choices: number): Promise<void> {
    for (const point of points) {
      for (const sender of point.alternatives) {
        for (let place = 0; place < PLACES && this.#mayGoOn(0.4); place++) {
          if (this.#took.get(keyOf(point))?.has(sender)) break
          const from = Math.floor((choices * place) / PLACES)
          const wanted = { kind: 'prefer', receiver: point.rank, sender, from } as const
          await this.#try('alternatives', { priorities: wanted })
        }
      }
    }
  }

  async #deviateOnce(choices: number): Promise<void> {
    for (let index = 0; index < choices && this.#mayGoOn(0.7); index++) {
      await this.#try('single deviations', { choices: `${index}=1` })
    }
  }

  async #byPriorities(choices: number): Promise<void> {
    const { depth = DEPTH, seed = 0 } = this.#options
    if (choices === 0) return
    for (let turn = 0; this.#mayGoOn(1); turn++) {
      const drawn = { seed: seed + turn, depth: 1 + (turn % depth), events: choices }
      await this.#try('priorities', { priorities: { kind: 'pctcp', ...drawn } })
    }
  }

  async #smallest(): Promise<FoundFailure[]> {
    const found: FoundFailure[] = []
    for (const [title, { trial, count }] of this.#failures) {
      const { trial: small, reproduces } = await minimize(this.#run, trial, title, () => {
        this.#runs++
        this.#tell('minimizing')
      })
      const { deviations } = small
      const { text } = small.failure!
      found.push({ title, text, count, deviations, replay: replayOf(deviations), reproduces })
    }
    return found
  }

  async #try(phase: Progress['phase'], plan: Plan): Promise<Trial> {
    const trial = await this.#run(plan)
    this.#runs++
    this.#matchings.add(matchingOf(trial.traces))
    for (const point of wildcardsOf(trial.traces)) {
      const key = keyOf(point)
      const took = this.#took.get(key) ?? new Set()
      this.#took.set(key, took.add(point.took))
    }
    if (trial.failure !== undefined) this.#keep(trial, trial.failure.title)
    this.#tell(phase)
    return trial
  }

  #keep(trial: Trial, title: string): void {
    const known = this.#failures.get(title)
    if (known === undefined) {
      this.#failures.set(title, { trial, count: 1 })
      return
    }
    known.count++
    if (trial.deviations.length < known.trial.deviations.length) known.trial = trial
  }

  /** @param share of the budget that may be used up */
  #mayGoOn(share: number): boolean {
    const { runs = RUNS, budgetMs = BUDGET_MS } = this.#options
    return this.#runs < runs * share && performance.now() - this.#start < budgetMs * share
  }

  #tell(phase: Progress['phase']): void {
    this.#options.progress?.({
      phase,
      runs: this.#runs,
      matchings: this.#matchings.size,
      failures: this.#failures.size,
    })
  }
}

function keyOf({ rank, nth }: WildcardPoint): string {
  return `${rank} ${nth}`
}
