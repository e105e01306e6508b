import type { ChoiceStream } from './choice-stream.js'
import { formatChoices } from './replay.js'

/** A choice that was not first come. */
export interface RecordedDeviation {
  readonly index: number
  readonly label: string
  readonly alternatives: number
  readonly value: number
}

/**
 * A stream that remembers where another one deviated from first come. Threads that share a stream
 * have a recorder each; the lists of all of them together are those of the run.
 *
 * @example
 * const choices = new ChoiceRecorder(startChoices(seeded(7)))
 * // ... run, then replay with: mpiexec --serial --choices
 * console.log(choices.replay())
 */
export class ChoiceRecorder implements ChoiceStream {
  readonly #stream: ChoiceStream
  readonly #deviations: RecordedDeviation[] = []

  constructor(stream: ChoiceStream) {
    this.#stream = stream
  }

  choose(alternatives: number, label: string): number {
    const index = this.#stream.nextIndex
    const value = this.#stream.choose(alternatives, label)
    if (value !== 0) this.#deviations.push({ index, label, alternatives, value })
    return value
  }

  get nextIndex(): number {
    return this.#stream.nextIndex
  }

  /** The deviations so far, in order. */
  get deviations(): readonly RecordedDeviation[] {
    return this.#deviations
  }

  /** The replay string of the deviations so far. */
  replay(): string {
    return replayOf(this.#deviations)
  }
}

/** The replay string of recorded deviations, in any order. */
export function replayOf(deviations: Iterable<RecordedDeviation>): string {
  return formatChoices(Array.from(deviations, ({ index, value }) => [index, value] as const))
}

/** A line for reports: `deviate at choice 14 (deliver): took 1 of 3`. */
export function describeDeviation({
  index,
  label,
  alternatives,
  value,
}: RecordedDeviation): string {
  return `deviate at choice ${index} (${label}): took ${value} of ${alternatives}`
}
