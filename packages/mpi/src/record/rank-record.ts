import type { Arc, RankState, RankWait, Wait } from './rank-snapshot.js'
import { arcInto } from './waits.js'
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
 * | | | or -3: arcs to peers in one collective: how many, its number, its members; peers with their words |
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
const INTO_COLLECTIVE = -3
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

/** What is noted of a rank's state, wherever that lies. */
export interface StateRecord {
  readonly state: RankState
  enter(state: RankState): void
}

/** The state of a rank that nobody but its own thread asks for. */
export class OwnStateRecord implements StateRecord {
  state: RankState = 'starting'

  enter(state: RankState): void {
    this.state = state
  }
}

/** One rank's record, seen from any thread. */
export class RankRecord implements StateRecord {
  readonly #i32: Int32Array
  readonly #base: number
  readonly #wordsMax: number
  readonly #ranks: number

  constructor(i32: Int32Array, address: number, ranks: number) {
    this.#i32 = i32
    this.#ranks = ranks
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
    for (let next = 0; next < arcs.length;) {
      const words = wordsOf(arcs, next)
      if (at + words.length > this.#wordsMax) return -1
      this.#i32.set(words, first + at)
      at += words.length
      next += words[0] === INTO_COLLECTIVE ? words[1]! : 1
    }
    return at
  }

  #readArcs(words: number): Arc[] {
    const i32 = this.#i32
    const first = this.#base + FIRST_ARC
    const arcs: Arc[] = []
    let everybody: readonly number[] | undefined
    const membersAt = (at: number): readonly number[] | undefined => {
      const count = i32[at]!
      return count < 0 ? undefined : Array.from(i32.subarray(at + 1, at + 1 + count))
    }
    for (let at = first; at < first + words;) {
      const peer = i32[at]!
      if (peer === INTO_COLLECTIVE) {
        const peers = i32[at + 1]!
        const number = i32[at + 2]!
        const members = membersAt(at + 3)
        at += 4 + (members?.length ?? 0)
        everybody ??= Array.from({ length: this.#ranks }, (_, rank) => rank)
        for (const end = at + 2 * peers; at < end; at += 2) {
          const begun = { word: i32[at + 1]!, number, members }
          arcs.push(arcInto({ peer: i32[at]!, operation: UNTOLD }, begun, i32, everybody))
        }
        continue
      }
      const members = membersAt(at + 1)
      const who = peer === ANY_MEMBER ? 'any' : peer === ALL_MEMBERS ? 'all' : peer
      arcs.push({ peer: who, operation: UNTOLD, ...(members === undefined ? {} : { members }) })
      at += 2 + (members?.length ?? 0)
    }
    return arcs
  }
}

/** The words of an arc, or of all that follow it into the same collective. */
function wordsOf(arcs: readonly Arc[], first: number): number[] {
  const { peer, members, begun } = arcs[first]!
  const listed = (list: readonly number[] | undefined): number[] =>
    list === undefined ? [WHOLE_WORLD] : [list.length, ...list]
  if (begun === undefined || typeof peer !== 'number') {
    const who = peer === 'any' ? ANY_MEMBER : peer === 'all' ? ALL_MEMBERS : peer
    return [who, ...listed(members)]
  }
  const peers: number[] = []
  for (const arc of arcs.slice(first)) {
    const same = arc.begun?.number === begun.number && arc.begun.members === begun.members
    if (!same || typeof arc.peer !== 'number') break
    peers.push(arc.peer, arc.begun!.word)
  }
  return [INTO_COLLECTIVE, peers.length / 2, begun.number, ...listed(begun.members), ...peers]
}

/** The record holds who waits for whom; the operation comes with the rank's snapshot. */
const UNTOLD: OperationRecord = { name: 'wait', communicator: '', sequence: 0 }
