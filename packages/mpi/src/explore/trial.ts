import type { PrioritySchedule, RecordedDeviation } from '@commworld/transport'
import type { RankTrace } from '../record/trace.js'

/** One run of the program that is explored. */
export interface Trial {
  /** What went wrong: a line that tells failures apart, and all of the text. */
  readonly failure: { readonly title: string; readonly text: string } | undefined
  readonly deviations: readonly RecordedDeviation[]
  /** Of the ranks that could tell; empty when the run failed before. */
  readonly traces: readonly RankTrace[]
  readonly choicesMade: number
}

/** How a run's choices are made: by a replay string, or by a plan. */
export type Plan = { readonly choices: string } | { readonly priorities: PrioritySchedule }

/** Runs the program once. */
export type RunTrial = (plan: Plan) => Promise<Trial>
