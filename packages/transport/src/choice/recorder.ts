import type { ChoiceStream, Identify } from './choice-stream.js'
import { receiverOf, senderOf } from './priorities.js'
import { formatChoices } from './replay.js'

/** A choice that was not first come. */
export interface RecordedDeviation {
  readonly index: number
  readonly label: string
  readonly alternatives: number
  readonly value: number
  /** What was taken, and what came first and was not: ranks, of a delivery the senders. */
  readonly took?: number
  readonly first?: number
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

  choose(alternatives: number, label: string, identify?: Identify): number {
    const index = this.#stream.nextIndex
    const value = this.#stream.choose(alternatives, label, identify)
    if (value === 0) return value
    const known = identify && { took: identify(value), first: identify(0) }
    this.#deviations.push({ index, label, alternatives, value, ...known })
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

/**
 * A line for reports: `choice 14: rank 2 went on before rank 1, which was ready earlier`.
 * @example
 * const { deviations } = await replayWorld(3, main, '0=1')
 * deviations.map(describeDeviation)
 * // [ 'choice 0: rank 1 went on before rank 0, which was ready earlier' ]
 */
export function describeDeviation(deviation: RecordedDeviation): string {
  const { index, label, alternatives, value, took, first } = deviation
  const words = wordsOf(label, took, first) ?? faultWords(label, value, took)
  return `choice ${index}: ${words ?? `${label} took ${value} of ${alternatives}`}`
}

/** What becomes of a packet that a fault strikes, by the label of the choice. */
const FATES = new Map([
  ['delay', 'was late'],
  ['reorder', 'was late with all behind it of its pair'],
  ['duplicate', 'came twice'],
  ['loss', 'was lost'],
  ['queuePairError', 'was lost, and all behind it of its pair'],
])

function faultWords(label: string, value: number, took?: number): string | undefined {
  const fate = FATES.get(label)
  if (fate !== undefined) return `the packet number ${value} from there on ${fate}`
  if (label === 'slowRank') return `rank ${took} was slow`
  if (label === 'crash') return `rank ${took} crashed`
  return label === 'crashAt' ? `it crashed after ${value} packets more` : undefined
}

function wordsOf(label: string, took?: number, first?: number): string | undefined {
  if (label === 'test') return 'a test said no although it could have said yes'
  if (label === 'probe') return 'a probe said no although a message was there'
  if (took === undefined || first === undefined || first < 0) return undefined
  if (label === 'run' || label === 'poll')
    return `rank ${took} went on before rank ${first}, which was ready earlier`
  const [soon, late] = [senderOf(took), senderOf(first)]
  const where = `rank ${receiverOf(took)} got the message of rank ${soon}`
  return `${where} before that of rank ${late}, which had come first`
}
