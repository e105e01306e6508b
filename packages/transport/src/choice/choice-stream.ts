// One stream of choices makes a run a pure function of the program and the choices: whatever is
// not determined by the program (which ready rank runs next, which deliverable message lands
// first, which message a wildcard takes) is one call of `choose`.

/** Number of words in the state of a stream: the next index, then the source's own four. */
export const CHOICE_STATE_WORDS = 5
const NEXT_INDEX = 0

/** Tells what the alternative at a place is. */
export type Identify = (place: number) => number

/** Answers every question that the program leaves open. */
export interface ChoiceStream {
  /**
   * Chooses one of `alternatives` alternatives, 0 being the one that came first. A choice among
   * one is none: it gives 0 and takes no index.
   *
   * @param alternatives how many there are, at least 1.
   * @param label what kind of choice it is, in one word for reports (`deliver`, `run`, `test`).
   * @param identify what an alternative is, for sources that prefer some and for reports: a number
   * that means the same throughout the run, such as the rank that would go on.
   */
  choose(alternatives: number, label: string, identify?: Identify): number
  /** Index that the next choice among several will have; counts from 0. */
  readonly nextIndex: number
}

/**
 * Where a stream's answers come from: first come, a seed, a script; a testing package adds its
 * own (priorities, arbitraries). A source that must go on in another thread keeps all that
 * changes in the four words it is given.
 */
export interface ChoiceSource {
  /** Writes the state before the first choice; the words are zero. */
  start(words: Int32Array): void
  /** The answer to choice `index`, from 0 to `alternatives` - 1; `alternatives` is at least 2. */
  pick(
    index: number,
    alternatives: number,
    label: string,
    words: Int32Array,
    identify: Identify | undefined,
  ): number
}

/**
 * Starts a stream.
 *
 * @param source where the answers come from.
 * @param state `CHOICE_STATE_WORDS` words for what changes: in the world's memory when serial
 * threads share the stream (only the holder of the baton may choose), else left out.
 *
 * @example
 * const choices = startChoices(seeded(7))
 * const next = ready[choices.choose(ready.length, 'run')]
 */
export function startChoices(
  source: ChoiceSource,
  state: Int32Array = new Int32Array(CHOICE_STATE_WORDS),
): ChoiceStream {
  state.fill(0)
  source.start(state.subarray(1, CHOICE_STATE_WORDS))
  return new IndexedStream(source, state)
}

/** Joins a stream that another thread started on the same state with an equal source. */
export function joinChoices(source: ChoiceSource, state: Int32Array): ChoiceStream {
  return new IndexedStream(source, state)
}

class IndexedStream implements ChoiceStream {
  readonly #source: ChoiceSource
  readonly #state: Int32Array
  readonly #words: Int32Array

  constructor(source: ChoiceSource, state: Int32Array) {
    if (state.length < CHOICE_STATE_WORDS) {
      throw new RangeError(`the state of a choice stream has ${CHOICE_STATE_WORDS} words`)
    }
    this.#source = source
    this.#state = state
    this.#words = state.subarray(1, CHOICE_STATE_WORDS)
  }

  choose(alternatives: number, label: string, identify?: Identify): number {
    if (alternatives === 1) return 0
    if (!(alternatives > 1)) throw new RangeError(`nothing to choose from (${label})`)
    // Plain accesses: in a shared state the handing over of the baton orders them.
    const index = this.#state[NEXT_INDEX]! >>> 0
    this.#state[NEXT_INDEX] = index + 1
    return this.#source.pick(index, alternatives, label, this.#words, identify)
  }

  get nextIndex(): number {
    return this.#state[NEXT_INDEX]! >>> 0
  }
}
