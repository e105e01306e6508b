import type { ChoiceSource, RecordedDeviation } from '@commworld/transport'
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

/** Runs the program once, with its choices from a source. */
export type RunTrial = (source: ChoiceSource) => Promise<Trial>
