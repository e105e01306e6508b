import { BATON_WORD, type ChoiceStream, doorbellCount, hcaAddress } from '@commworld/transport'
import type { RankRecord } from '../record/rank-record.js'

/** Value of the baton's word while no rank has it. */
export const NOBODY = -1
const SLICE_MS = 20
const BATON = BATON_WORD >> 2

/**
 * The right to run, in a world whose threads run one at a time. Who holds it hands it on when it
 * cannot go on itself, to a rank that can: one that has not begun, has been rung, or waits for it.
 * Which of them is a choice, so that a run is a function of the program and its choices.
 *
 * Only the holder writes the baton's word, unless nobody has it; then whoever exchanges it first.
 * The doorbells of all ranks are marked asleep all the time, so each message rings.
 */
export class Baton {
  readonly #i32: Int32Array
  readonly #rank: number
  readonly #records: readonly RankRecord[]
  readonly #choices: ChoiceStream

  constructor(
    i32: Int32Array,
    rank: number,
    records: readonly RankRecord[],
    choices: ChoiceStream,
  ) {
    this.#i32 = i32
    this.#rank = rank
    this.#records = records
    this.#choices = choices
  }

  get held(): boolean {
    return Atomics.load(this.#i32, BATON) === this.#rank
  }

  /** By one rank, once, when all have attached: chooses who begins. */
  begin(): void {
    this.#give(this.#choices.choose(this.#records.length, 'run', (rank) => rank))
  }

  /** Gives the baton to a rank that can go on, or to nobody. Precondition: held. */
  release(): void {
    const ready = this.#othersReady()
    if (this.#isReady(this.#rank)) ready.push(this.#rank)
    this.#giveOneOf(ready, 'run')
  }

  /** The same of a rank that polls in vain: any other that can go on does. */
  standAside(): void {
    const others = this.#othersReady()
    this.#giveOneOf(others.length === 0 ? [this.#rank] : others, 'poll')
  }

  /** Blocks until this rank has the baton. `look` is called now and then, and may throw. */
  acquire(look: () => void): void {
    const record = this.#records[this.#rank]!
    const turns = record.turnsIndex
    record.wants = true
    for (;;) {
      const seen = Atomics.load(this.#i32, turns)
      if (this.#take()) break
      look()
      Atomics.wait(this.#i32, turns, seen, SLICE_MS)
    }
    record.wants = false
  }

  /** Blocks until the baton comes back by itself, as it does when this rank can go on. */
  await(look: () => void): void {
    const turns = this.#records[this.#rank]!.turnsIndex
    for (;;) {
      const seen = Atomics.load(this.#i32, turns)
      if (this.held) return
      look()
      Atomics.wait(this.#i32, turns, seen, SLICE_MS)
    }
  }

  #take(): boolean {
    if (this.held) return true
    return Atomics.compareExchange(this.#i32, BATON, NOBODY, this.#rank) === NOBODY
  }

  /** Those above this rank first. */
  #othersReady(): number[] {
    const ready: number[] = []
    const ranks = this.#records.length
    for (let distance = 1; distance < ranks; distance++) {
      const rank = (this.#rank + distance) % ranks
      if (this.#isReady(rank)) ready.push(rank)
    }
    return ready
  }

  #giveOneOf(ready: readonly number[], label: string): void {
    if (ready.length === 0) Atomics.store(this.#i32, BATON, NOBODY)
    else this.#give(ready[this.#choices.choose(ready.length, label, (place) => ready[place]!)]!)
  }

  #give(rank: number): void {
    const turns = this.#records[rank]!.turnsIndex
    Atomics.store(this.#i32, BATON, rank)
    Atomics.add(this.#i32, turns, 1)
    Atomics.notify(this.#i32, turns)
  }

  #isReady(rank: number): boolean {
    const record = this.#records[rank]!
    const { state } = record
    if (state === 'starting' || record.wants) return true
    if (state === 'finished' || state === 'failed' || state === 'running') return false
    return doorbellCount(this.#i32, hcaAddress(this.#i32, rank)) !== record.doorbellSeen
  }
}
