import type { Arc, RankState, RankWait, Wait } from './rank-snapshot.js'
import type { OperationRecord } from './operation.js'

/**
 * What every thread may know of a rank at any time, in the world's memory: its state and, while it
 * sleeps, what it waits for. A rank writes it only when it leaves or enters the running state of the
 * wait loop's slow part, so it costs nothing on the hot path.
 *
 * | word | written by | meaning |
 * | --- | --- | --- |
 * | 0 | rank | state, index into STATES |
 * | 1 | rank | transitions so far: odd while the record is being written |
 * | 2 | watcher | report requests so far |
 * | 3 | rank | doorbell count seen before it slept: any other count means it will move |
 * | 4 | rank | wait mode: 0 and, 1 or |
 * | 5 | rank | length of the arcs in words, -1 when they did not fit |
 * | 6 | whoever hands it the baton | turns it was given so far (serial worlds) |
 * | 7 | rank | 1 while it waits for the baton on its own account |
 * | 16.. | rank | arcs: peer, or -1 any, -2 all; number of members, -1 for the whole world; the members |
 */
const STATE = 0
const TRANSITIONS = 1
const REPORTS = 2
const DOORBELL_SEEN = 3
const MODE = 4
const ARC_WORDS = 5
const TURNS = 6
const WANTS = 7
const FIRST_ARC = 16

const ANY_MEMBER = -1
const ALL_MEMBERS = -2
const WHOLE_WORLD = -1

const STATES: readonly RankState[] = [
  'starting',
  'running',
  'blocked',
  'awaiting',
  'outside',
  'finished',
  'failed',
]

/** Bytes of one rank's record: room for 64 plain arcs, or a few with many members. */
export function rankRecordBytes(ranks: number): number {
  return Math.ceil((FIRST_ARC + 128 + 4 * ranks) / 16) * 64
}

/** One rank's record, seen from any thread. */
export class RankRecord {
  readonly #i32: Int32Array
  readonly #base: number
  readonly #wordsMax: number

  constructor(i32: Int32Array, address: number, ranks: number) {
    this.#i32 = i32
    this.#base = address >>> 2
    this.#wordsMax = rankRecordBytes(ranks) / 4 - FIRST_ARC
  }

  get state(): RankState {
    return STATES[Atomics.load(this.#i32, this.#base + STATE)]!
  }

  /** Changes whenever anything in the record does. */
  get transitions(): number {
    return Atomics.load(this.#i32, this.#base + TRANSITIONS)
  }

  get doorbellSeen(): number {
    return Atomics.load(this.#i32, this.#base + DOORBELL_SEEN)
  }

  /** Report requests so far; a sleeper compares with the number it has answered. */
  get reportRequests(): number {
    return Atomics.load(this.#i32, this.#base + REPORTS)
  }

  requestReport(): void {
    Atomics.add(this.#i32, this.#base + REPORTS, 1)
  }

  /** Index of the word that counts the turns given to this rank; it sleeps on it. */
  get turnsIndex(): number {
    return this.#base + TURNS
  }

  /** Whether it waits for the baton although nothing has come for it. */
  get wants(): boolean {
    return Atomics.load(this.#i32, this.#base + WANTS) === 1
  }

  set wants(wants: boolean) {
    Atomics.store(this.#i32, this.#base + WANTS, wants ? 1 : 0)
  }

  /** By the rank itself. */
  enter(state: RankState): void {
    this.#begin()
    Atomics.store(this.#i32, this.#base + STATE, STATES.indexOf(state))
    this.#end()
  }

  /** By the rank itself, before it sleeps: what it waits for, and the rings it has seen. */
  sleep(state: 'blocked' | 'awaiting' | 'outside', wait: Wait, doorbellSeen: number): void {
    this.#begin()
    const i32 = this.#i32
    const base = this.#base
    i32[base + DOORBELL_SEEN] = doorbellSeen
    i32[base + MODE] = wait.mode === 'or' ? 1 : 0
    i32[base + ARC_WORDS] = this.#writeArcs(wait.arcs)
    Atomics.store(i32, base + STATE, STATES.indexOf(state))
    this.#end()
  }

  /** The rank as a node of the wait-for graph; `undefined` while the record is being written. */
  read(rank: number): RankWait | undefined {
    const before = this.transitions
    const state = this.state
    const mode = this.#i32[this.#base + MODE] === 1 ? 'or' : 'and'
    const words = this.#i32[this.#base + ARC_WORDS]!
    const asleep = state === 'blocked' || state === 'awaiting'
    const arcs = asleep && words >= 0 ? this.#readArcs(words) : []
    if ((before & 1) !== 0 || this.transitions !== before) return undefined
    // Arcs that did not fit are unknown: such a rank never counts as blocked.
    return { rank, state: asleep && words < 0 ? 'running' : state, mode, arcs }
  }

  #begin(): void {
    Atomics.add(this.#i32, this.#base + TRANSITIONS, 1) // odd: being written
  }

  #end(): void {
    Atomics.add(this.#i32, this.#base + TRANSITIONS, 1) // even: whole
  }

  #writeArcs(arcs: readonly Arc[]): number {
    const first = this.#base + FIRST_ARC
    let at = 0
    for (const { peer, members } of arcs) {
      const length = 2 + (members?.length ?? 0)
      if (at + length > this.#wordsMax) return -1
      this.#i32[first + at] = peer === 'any' ? ANY_MEMBER : peer === 'all' ? ALL_MEMBERS : peer
      this.#i32[first + at + 1] = members === undefined ? WHOLE_WORLD : members.length
      members?.forEach((member, index) => {
        this.#i32[first + at + 2 + index] = member
      })
      at += length
    }
    return at
  }

  #readArcs(words: number): Arc[] {
    const first = this.#base + FIRST_ARC
    const arcs: Arc[] = []
    for (let at = 0; at < words;) {
      const peer = this.#i32[first + at]!
      const count = this.#i32[first + at + 1]!
      const from = first + at + 2
      const arc: Arc = {
        peer: peer === ANY_MEMBER ? 'any' : peer === ALL_MEMBERS ? 'all' : peer,
        operation: UNTOLD,
      }
      if (count >= 0) arc.members = Array.from(this.#i32.subarray(from, from + count))
      arcs.push(arc)
      at += 2 + Math.max(0, count)
    }
    return arcs
  }
}

/** The record holds who waits for whom; the operation comes with the rank's snapshot. */
const UNTOLD: OperationRecord = { name: 'wait', communicator: '', sequence: 0 }
