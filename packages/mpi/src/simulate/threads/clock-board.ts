/**
 * The memory by which ranks on threads and the thread of the virtual clock talk. One of them has the
 * turn, and only who has it reads and writes here; giving it on is an atomic store, so whoever takes it
 * sees all that was written before. Exceptions: WANTS and GONE, which others set at any time.
 *
 * | word | written by | meaning |
 * | --- | --- | --- |
 * | 0 | who has the turn | the rank that has it now, or CLOCK |
 * | 1 | clock | kind of turn: TAKE or GO |
 * | 2 | rank | how it gave the turn back |
 * | 3 | rank | commands that it wrote |
 * | 4 | anybody | rings so far: the clock sleeps on it |
 * | 5 | clock | 1 when the fabric is open and the numbers of it stand here |
 * | 6 | clock | 1 while nothing is under way and no rank can go on |
 * | 7 | anybody | 1 when some rank WANTS a turn |
 * | 16.. | | eight words a rank: see below |
 *
 * Behind them stand the hosts of ranks, then numbers of 64 bits: facts of the fabric, the flight that a
 * rank is to take in, and its commands.
 */
const HOLDER = 0
const TURN = 1
const REPLY = 2
const COMMANDS = 3
const RINGS = 4
const OPENED = 5
const IDLE = 6
const WANTED = 7
const RANKS = 16

/** Of each rank: it wants a turn on its own account. */
const WANTS = 0
/** Its thread has gone. */
const GONE = 1
/** Longest list of messages without a receive. */
const UNEXPECTED = 2
/** What it sent and has been taken in since its last turn. */
const LANDED = 3
/** Whether it waits until all has been taken in that it sent. */
const LEAVES = 4
/** Whether it waits for what others write into the world's memory. */
const WATCHES = 5
const RANK_WORDS = 8

const SECONDS = 0
const COPY_PS = 1
const FOLD_PS = 2
const EAGER_LIMIT = 3
const MAIL = 4
const FIRST_COMMAND = 16

/** Numbers of one command, and most commands in a turn before the clock carries them out. */
export const COMMAND_NUMBERS = 10
export const COMMANDS_MAX = 1000

/** Nobody's rank: the thread of the clock has the turn. */
const CLOCK = -1
/** Who had the turn has gone. */
const LOST = -2

/** A rank is to take in what has come, and to say whether that lets its program go on. */
export const TAKE = 1
/** Its program goes on. */
export const GO = 2

/** The rank waits. */
export const BLOCKED = 1
/** What it has taken in lets it go on. */
export const SETTLED = 2
/** It looks again and again whether something has come. */
export const POLLING = 3
/** It wants its commands carried out, and goes on. */
export const ASKS = 4
/** It has ended. */
export const OVER = 5

/** What the clock's thread says of its fabric. */
export interface FabricFacts {
  readonly hostOf: Int32Array
  readonly copyPs: number
  readonly foldPs: number
  readonly eagerLimitBytes: number
}

export class ClockBoard {
  readonly ranks: number
  readonly buffer: SharedArrayBuffer
  readonly #words: Int32Array
  readonly #numbers: Float64Array
  readonly hostOf: Int32Array
  /** The flight that a rank is to take in. */
  readonly mail: Float64Array
  readonly commands: Float64Array

  constructor(ranks: number, buffer = new SharedArrayBuffer(bytesFor(ranks))) {
    this.ranks = ranks
    this.buffer = buffer
    const words = RANKS + ranks * RANK_WORDS
    this.#words = new Int32Array(buffer, 0, words)
    this.hostOf = new Int32Array(buffer, words * 4, ranks)
    this.#numbers = new Float64Array(buffer, numbersAt(ranks))
    this.mail = this.#numbers.subarray(MAIL, FIRST_COMMAND)
    this.commands = this.#numbers.subarray(FIRST_COMMAND)
  }

  /** By the clock's thread, once. */
  open({ hostOf, copyPs, foldPs, eagerLimitBytes }: FabricFacts): void {
    this.hostOf.set(hostOf)
    this.#numbers[COPY_PS] = copyPs
    this.#numbers[FOLD_PS] = foldPs
    this.#numbers[EAGER_LIMIT] = eagerLimitBytes
    Atomics.store(this.#words, HOLDER, CLOCK)
    Atomics.store(this.#words, OPENED, 1) // after all that it says
    Atomics.notify(this.#words, OPENED)
  }

  /** Blocks until the fabric is open. */
  awaitOpen(): FabricFacts {
    while (Atomics.load(this.#words, OPENED) === 0) Atomics.wait(this.#words, OPENED, 0)
    const [, copyPs, foldPs, eagerLimitBytes] = this.#numbers as unknown as number[]
    return {
      hostOf: this.hostOf,
      copyPs: copyPs!,
      foldPs: foldPs!,
      eagerLimitBytes: eagerLimitBytes!,
    }
  }

  get holder(): number {
    return Atomics.load(this.#words, HOLDER)
  }

  get turn(): number {
    return this.#words[TURN]!
  }

  get reply(): number {
    return this.#words[REPLY]!
  }

  /** By the clock's thread: whether it has the turn. */
  get isBack(): boolean {
    const { holder } = this
    if (holder === LOST) {
      this.#words[REPLY] = OVER
      this.#words[COMMANDS] = 0
      Atomics.store(this.#words, HOLDER, CLOCK)
    }
    return holder < 0
  }

  get commandCount(): number {
    return this.#words[COMMANDS]!
  }

  get seconds(): number {
    return this.#numbers[SECONDS]!
  }

  set seconds(seconds: number) {
    this.#numbers[SECONDS] = seconds
  }

  /** By the clock's thread; whoever rings the rank's doorbell comes after. */
  give(rank: number, turn: number): void {
    this.#words[TURN] = turn
    Atomics.store(this.#words, HOLDER, rank) // after all that the rank is to see
  }

  /** By the rank that has the turn. */
  giveBack(reply: number, commands: number): void {
    this.#words[REPLY] = reply
    this.#words[COMMANDS] = commands
    Atomics.store(this.#words, HOLDER, CLOCK) // after the commands
    this.ring()
  }

  /** Wakes the clock's thread. */
  ring(): void {
    Atomics.add(this.#words, RINGS, 1) // before the notify, so that a wait about to begin returns
    Atomics.notify(this.#words, RINGS)
  }

  /** Rings so far, to be read before the last look. */
  get rings(): number {
    return Atomics.load(this.#words, RINGS)
  }

  sleepUntilRung(seen: number, timeoutMs = Infinity): void {
    Atomics.wait(this.#words, RINGS, seen, timeoutMs)
  }

  /** Whether nothing is under way and no rank can go on, unless something comes from outside. */
  get idle(): boolean {
    return Atomics.load(this.#words, IDLE) === 1
  }

  set idle(idle: boolean) {
    Atomics.store(this.#words, IDLE, idle ? 1 : 0)
  }

  /** A rank whose program came back from outside asks for a turn. */
  want(rank: number): void {
    Atomics.store(this.#words, wordOf(rank, WANTS), 1)
    Atomics.store(this.#words, WANTED, 1) // after which rank it is
    this.ring()
  }

  /** Whether any did since it was asked. */
  get wanted(): boolean {
    return Atomics.load(this.#words, WANTED) === 1 && Atomics.exchange(this.#words, WANTED, 0) === 1
  }

  /** @returns whether it did, which is taken back */
  tookWant(rank: number): boolean {
    return Atomics.exchange(this.#words, wordOf(rank, WANTS), 0) === 1
  }

  /** The thread of a rank has gone; if it had the turn, the clock gets it. */
  lose(rank: number): void {
    Atomics.store(this.#words, wordOf(rank, GONE), 1)
    Atomics.compareExchange(this.#words, HOLDER, rank, LOST)
    this.ring()
  }

  isGone(rank: number): boolean {
    return Atomics.load(this.#words, wordOf(rank, GONE)) === 1
  }

  addLanded(rank: number): void {
    this.#words[wordOf(rank, LANDED)]!++
  }

  tookLanded(rank: number): number {
    const word = wordOf(rank, LANDED)
    const landed = this.#words[word]!
    this.#words[word] = 0
    return landed
  }

  /** What a rank says of itself whenever it gives the turn back. */
  tell(rank: number, state: { leaves: boolean; watches: boolean; unexpectedMax: number }): void {
    this.#words[wordOf(rank, LEAVES)] = state.leaves ? 1 : 0
    this.#words[wordOf(rank, WATCHES)] = state.watches ? 1 : 0
    this.#words[wordOf(rank, UNEXPECTED)] = state.unexpectedMax
  }

  leaves(rank: number): boolean {
    return this.#words[wordOf(rank, LEAVES)] === 1
  }

  watches(rank: number): boolean {
    return this.#words[wordOf(rank, WATCHES)] === 1
  }

  unexpectedMax(rank: number): number {
    return this.#words[wordOf(rank, UNEXPECTED)]!
  }
}

function wordOf(rank: number, word: number): number {
  return RANKS + rank * RANK_WORDS + word
}

function numbersAt(ranks: number): number {
  return Math.ceil((RANKS + ranks * (RANK_WORDS + 1)) / 2) * 8
}

function bytesFor(ranks: number): number {
  return numbersAt(ranks) + (FIRST_COMMAND + COMMANDS_MAX * COMMAND_NUMBERS) * 8
}
