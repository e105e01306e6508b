import type { WorldMemory } from '@commworld/transport'
import type { Endpoint } from './endpoint.js'

/**
 * What the ranks of a communicator show each other in the world's memory. Each word has one writer,
 * but for those before the shared rooms, which are exchanged.
 *
 * | bytes | written by | meaning |
 * | --- | --- | --- |
 * | 0..511 | who comes first | what collective n is (kernel `agree`), for the last 64 |
 * | 512.. | who runs `once` | for each of the last `KEPT`: claim, done, address of what it wrote, who |
 * | 576 | any rank, atomically | ranks that wait until they may take an entry again |
 * | 580 | any rank, atomically | ranks that are through with the board: the last one gives it back |
 * | 640.. | who runs `once` | `KEPT` shared rooms |
 * | then for each rank a line | the rank | collectives completed: the number of its oldest open one; begun |
 * | `KEPT` lines | the rank | its entries as they will be published; nobody else looks there |
 * | and `KEPT` entries | the rank | stage, where its buffers lie, what it called, and a slot |
 * | | | (neither where ranks are many: those publish nothing) |
 *
 * An entry and a slot may be read by others from the stage they are published with until their reader
 * has completed that collective: a rank takes an entry again only when all ranks have completed the
 * collective that had it. So nobody waits for slow readers at the end of a collective.
 */
const AGREEMENT_ENTRIES = 64
const CLAIMS = AGREEMENT_ENTRIES * 8
const LINE_BYTES = 64
const WAITERS = CLAIMS + LINE_BYTES
const THROUGH = WAITERS + 4
const SHARED = WAITERS + LINE_BYTES
/** Collectives of a communicator that may be under way with published data. */
const KEPT = 4

/** Ranks up to which everybody looking at everybody in shared memory is the quickest: others publish nothing. */
export const SHARING_RANKS_MAX = 128

/** Of a rank's part of the board: drafts, entries. */
const DRAFTS = LINE_BYTES
const ENTRIES = DRAFTS + KEPT * LINE_BYTES

/** Word of a rank's line behind the one that counts completed collectives. */
const BEGUN = 1

/** Words of an entry; the slot follows behind its line. */
export const Entry = {
  stage: 0,
  inAddress: 1,
  inTable: 2,
  outAddress: 3,
  outTable: 4,
  slotAddress: 5,
  bytes: 6,
  /** What the rank says of its call, as for the kernel `agree`, and how many it has completed. */
  facts: 7,
  extra: 8,
  completed: 9,
} as const

/** A slot of so few bytes lies behind the words of its entry: it comes with the same cache line. */
export const SHORT_SLOT_BYTES = 24
const SHORT_SLOT = LINE_BYTES - SHORT_SLOT_BYTES

const CLAIM_WORDS = 4
const CLAIM = 0
const DONE = 1
const RESULT = 2
const CLAIMER = 3
/** Stages of a collective are below that. */
const STAGE_BITS = 8
const STAGE_LAST = 2 ** STAGE_BITS - 2
/** Far fewer than the 2^15 that the kernel `agree` tells apart. */
const SAID_AT_LEAST_EVERY = 4096
/** Collectives after which entries are brought up to date. */
const RENEWAL = 2 ** 20

/** Bytes of the board of a communicator, which are zero at first. */
export function boardBytes(size: number, slotBytes: number): number {
  return SHARED + KEPT * slotBytes + size * rankBytes(size, slotBytes)
}

function rankBytes(size: number, slotBytes: number): number {
  return size > SHARING_RANKS_MAX ? LINE_BYTES : ENTRIES + KEPT * (LINE_BYTES + slotBytes)
}

/** A call in numbers: 32 bits of facts, 16 of what else must agree. */
export interface Saying {
  readonly facts: number
  readonly extra: number
}

/** The board of one communicator, as one of its ranks sees it. */
export class Board {
  readonly slotBytes: number
  readonly #memory: WorldMemory
  readonly #endpoint: Endpoint
  readonly #address: number
  readonly #ranks: number
  readonly #rank: number
  readonly #size: number
  /** Bytes of the line of a rank and its entries. */
  readonly #rankBytes: number
  /** World ranks of the members; `undefined` where they are equal. */
  readonly #members: readonly number[] | undefined
  /** All ranks are known to have completed the collectives before this one. */
  #completedByAll = 0
  /** Memory that must stay as long as the entry that names it. */
  #kept: (number[] | undefined)[] | undefined
  /** Collectives of this rank that were completed out of order, and the number of the oldest open one. */
  readonly #completedEarly = new Set<number>()
  #oldest = 0
  /** Of a collective in which this rank hears all others: how many it has heard, and the least they have completed. */
  #heard = 0
  #leastCompleted = 0
  /** Collectives that were begun in all, once no more will be. */
  #end = -1

  constructor(
    memory: WorldMemory,
    endpoint: Endpoint,
    facts: {
      address: number
      slotBytes: number
      rank: number
      size: number
      members: readonly number[] | undefined
    },
  ) {
    const { address, slotBytes, rank, size, members } = facts
    this.slotBytes = slotBytes
    this.#memory = memory
    this.#endpoint = endpoint
    this.#address = address
    this.#ranks = address + SHARED + KEPT * slotBytes
    this.#rank = rank
    this.#size = size
    this.#rankBytes = rankBytes(size, slotBytes)
    this.#members = members
  }

  get address(): number {
    return this.#address
  }

  /**
   * Says that this rank begins a collective, for those who watch whether ranks wait in a circle, and what.
   *
   * @returns whether that is what was said first
   */
  say(number: number, { facts, extra }: Saying): boolean {
    this.#memory.i32[this.begunWord(this.#rank)] = number + 1
    const entry = this.#address + (number % AGREEMENT_ENTRIES) * 8
    return this.#memory.kernels.agree(entry, number, extra, facts) === 0
  }

  /** Whether all must say what a collective is: what was said must not grow too old to be told from what is new. */
  mustSay(number: number): boolean {
    return number % SAID_AT_LEAST_EVERY < AGREEMENT_ENTRIES
  }

  /** What was said first of collective `number`. */
  said(number: number): Saying {
    const word = (this.#address + (number % AGREEMENT_ENTRIES) * 8) >>> 2
    const { i32 } = this.#memory
    return { extra: i32[word + 1]! & 0xffff, facts: i32[word]! }
  }

  /** Whether this rank may write its entry for collective `number`: nobody reads the one before. */
  mayPublish(number: number): boolean {
    const needed = number - KEPT + 1
    if (this.#completedByAll >= needed) return true
    const { kernels } = this.#memory
    let least = this.#oldest
    for (let rank = 0; rank < this.#size; rank++) {
      if (rank === this.#rank) continue
      // The difference of two counts that wrap around.
      const behind = (least - kernels.acquire(this.#lineOf(rank))) | 0
      if (behind > 0) least -= behind
    }
    this.#completedByAll = least
    return least >= needed
  }

  /**
   * Takes the entry for a collective, and says in it what this rank calls; precondition: `mayPublish`.
   * What the one before kept is given back.
   */
  enter(number: number, { facts, extra }: Saying): void {
    const word = this.draftOf(number) >>> 2
    const { i32 } = this.#memory
    i32[word + Entry.facts] = facts
    i32[word + Entry.extra] = extra
    i32[word + Entry.completed] = this.#oldest
    this.#heard = 0
    if (this.#kept !== undefined) this.#giveBackKept(this.#kept, number % KEPT)
  }

  #giveBackKept(kept: (number[] | undefined)[], entry: number): void {
    for (const address of kept[entry] ?? []) this.#endpoint.staging.free(address)
    kept[entry] = undefined
  }

  /** Blocks of staged memory that stay for others as long as no later collective takes their entry. */
  get keptBlocks(): number {
    return this.#kept?.reduce((sum, kept) => sum + (kept?.length ?? 0), 0) ?? 0
  }

  /** Has staged memory stay until nobody reads it any more. */
  keep(number: number, address: number): void {
    this.#kept ??= []
    ;(this.#kept[number % KEPT] ??= []).push(address)
  }

  /** From here on this rank is woken when another completes a collective; look again after it. */
  awaitRoom(): void {
    // Atomic: several ranks may wait. Before the look that follows, as `complete` loads it after its store.
    Atomics.add(this.#memory.i32, (this.#address + WAITERS) >>> 2, 1)
  }

  endAwaitRoom(): void {
    Atomics.sub(this.#memory.i32, (this.#address + WAITERS) >>> 2, 1) // as above
  }

  /** A rank that has not completed a collective whose entry is needed; for reports. */
  laggard(number: number): number {
    const needed = number - KEPT + 1
    for (let rank = 0; rank < this.#size; rank++) {
      const count = this.#memory.kernels.acquire(this.#lineOf(rank))
      if (rank !== this.#rank && ((needed - count) | 0) > 0) return rank
    }
    return -1
  }

  /** The collective that must be complete everywhere before this rank's entry for `number` is free. */
  hindering(number: number): number {
    return number - KEPT
  }

  /** Index of the word that says how many collectives a rank has begun. */
  begunWord(rank: number): number {
    return (this.#lineOf(rank) >>> 2) + BEGUN
  }

  /** Address of the entry of a rank for a collective. */
  entryOf(rank: number, number: number): number {
    return this.#lineOf(rank) + ENTRIES + (number % KEPT) * (LINE_BYTES + this.slotBytes)
  }

  /**
   * Address of this rank's entry before it is published: a line that peers poll is written at once, or
   * they take it back meanwhile.
   */
  draftOf(number: number): number {
    return this.#lineOf(this.#rank) + DRAFTS + (number % KEPT) * LINE_BYTES
  }

  /** Where this rank reads the entry of a rank that has published; its own at any time. */
  entrySeen(rank: number, number: number): number {
    return rank === this.#rank ? this.draftOf(number) : this.entryOf(rank, number)
  }

  slotOf(rank: number, number: number): number {
    return this.entryOf(rank, number) + LINE_BYTES
  }

  /** Where this rank writes what fits into `SHORT_SLOT_BYTES`; aligned to 8. */
  shortSlot(number: number): number {
    return this.draftOf(number) + SHORT_SLOT
  }

  shortSlotSeen(rank: number, number: number): number {
    return this.entrySeen(rank, number) + SHORT_SLOT
  }

  /** Says that this rank has come to a stage of a collective: after all that it has written. */
  publish(number: number, stage: number): void {
    const { kernels } = this.#memory
    // A release: whoever acquires it sees the entry, the slot and the buffers.
    const entry = this.entryOf(this.#rank, number)
    kernels.publish_line(entry, this.draftOf(number), stageWord(number, stage))
    this.#wakeOthers()
  }

  isPublished(rank: number, number: number, stage: number): boolean {
    const seen = this.#memory.kernels.acquire(this.entryOf(rank, number))
    return ((seen - stageWord(number, stage)) | 0) >= 0
  }

  /** The same, after so many looks at most. */
  becomesPublished(rank: number, number: number, stage: number, looks: number): boolean {
    const entry = this.entryOf(rank, number)
    return this.#memory.kernels.await_count(entry, stageWord(number, stage), looks) !== 0
  }

  /**
   * Whether a rank that has published calls the same. Once this rank has heard all others, it knows what
   * they have completed as well.
   */
  hear(rank: number, number: number, { facts, extra }: Saying): boolean {
    const word = this.entryOf(rank, number) >>> 2
    const { i32 } = this.#memory
    if (i32[word + Entry.facts] !== facts || i32[word + Entry.extra] !== extra) return false
    // The difference of two counts that wrap around.
    const behind = (this.#oldest - i32[word + Entry.completed]!) | 0
    // Counted now: while others are waited for, earlier collectives of this rank may be completed.
    const completed = this.#oldest - Math.max(behind, 0)
    if (this.#heard === 0 || completed < this.#leastCompleted) this.#leastCompleted = completed
    if (++this.#heard === this.#size - 1) this.#completedByAll = this.#leastCompleted
    return true
  }

  /** What a rank that has published says of its call. */
  heardFrom(rank: number, number: number): Saying {
    const word = this.entryOf(rank, number) >>> 2
    const { i32 } = this.#memory
    return { facts: i32[word + Entry.facts]!, extra: i32[word + Entry.extra]! }
  }

  /** Whether this rank is the one that runs `once`; precondition: all have published the stage. */
  claim(number: number, stage: number): boolean {
    const { i32 } = this.#memory
    const word = this.#claimWord(number) + CLAIM
    const mark = stageWord(number, stage)
    const seen = Atomics.load(i32, word)
    // Compare and exchange: several ranks may have seen that all are there.
    if (seen === mark || Atomics.compareExchange(i32, word, seen, mark) !== seen) return false
    i32[this.#claimWord(number) + CLAIMER] = this.#rank
    return true
  }

  /** The rank that runs `once` and has not finished, for reports; -1 when there is none. */
  claimer(number: number, stage: number): number {
    const { i32 } = this.#memory
    const word = this.#claimWord(number)
    const claimed = Atomics.load(i32, word + CLAIM) === stageWord(number, stage)
    return claimed && !this.isOnceDone(number, stage) ? i32[word + CLAIMER]! : -1
  }

  /** What `once` wrote lies at `address`. */
  finishOnce(number: number, stage: number, address: number): void {
    const { i32, kernels } = this.#memory
    const word = this.#claimWord(number)
    i32[word + RESULT] = address
    kernels.publish_word((word + DONE) << 2, stageWord(number, stage))
    this.#wakeOthers()
  }

  isOnceDone(number: number, stage: number): boolean {
    const word = this.#claimWord(number) + DONE
    return this.#memory.kernels.acquire(word << 2) === stageWord(number, stage)
  }

  /** Where what `once` wrote lies. */
  onceResult(number: number): number {
    return this.#memory.i32[this.#claimWord(number) + RESULT]! >>> 0
  }

  sharedRoom(number: number): number {
    return this.#address + SHARED + (number % KEPT) * this.slotBytes
  }

  /** This rank has completed a collective: what others published in it, it reads no more. */
  complete(number: number): void {
    if (number !== this.#oldest) {
      this.#completedEarly.add(number)
      return
    }
    do this.#oldest++
    while (this.#completedEarly.size > 0 && this.#completedEarly.delete(this.#oldest))
    this.#memory.kernels.publish_word(this.#lineOf(this.#rank), this.#oldest)
    if (this.#memory.kernels.acquire(this.#address + WAITERS) !== 0) {
      this.#wakeOthers()
      // A later collective of this rank may have looked before this one was complete.
      this.#endpoint.notify(this.#endpoint.rank)
    }
    if (this.#oldest % RENEWAL === 0 && this.#size <= SHARING_RANKS_MAX) this.#renew()
    if (this.#oldest === this.#end) this.#leave()
  }

  /**
   * Entries that nothing was published in for very long: stages are compared by their difference, and
   * after 2^23 collectives that use no entries an old one would seem to be a later one.
   */
  #renew(): void {
    const { kernels, i32 } = this.#memory
    for (let number = this.#oldest - KEPT; number < this.#oldest; number++) {
      const entry = this.entryOf(this.#rank, number)
      const last = stageWord(number, STAGE_LAST)
      // One that is in use already is ahead of that.
      if (((i32[entry >>> 2]! - last) | 0) < 0) kernels.publish_word(entry, last)
    }
  }

  /**
   * This rank begins no more collectives after the `begun` so far. The board goes back to the heap when
   * all ranks have said so and all that they began is complete.
   */
  close(begun: number): void {
    this.#end = begun
    if (this.#oldest === begun) this.#leave()
  }

  /** All is complete here. What this rank has kept for others stays until it is so there, too. */
  #leave(): void {
    const all = this.#kept
    if (all?.some((kept) => kept !== undefined) !== true) return this.#giveBack()
    const look = (): void => {
      if (!this.mayPublish(this.#end + KEPT - 1)) return
      this.#endpoint.unwatch(look)
      for (let entry = 0; entry < KEPT; entry++) this.#giveBackKept(all, entry)
      this.#giveBack()
    }
    this.#endpoint.watch(look)
    look()
  }

  #giveBack(): void {
    const { i32, heap } = this.#memory
    // Atomic: several ranks may leave. After all that they have read and written here.
    const through = Atomics.add(i32, (this.#address + THROUGH) >>> 2, 1) + 1
    if (through === this.#size) heap.free(this.#address)
  }

  #lineOf(rank: number): number {
    return this.#ranks + rank * this.#rankBytes
  }

  #claimWord(number: number): number {
    return ((this.#address + CLAIMS) >>> 2) + (number % KEPT) * CLAIM_WORDS
  }

  #wakeOthers(): void {
    const members = this.#members
    for (let rank = 0; rank < this.#size; rank++) {
      if (rank !== this.#rank) this.#endpoint.notify(members === undefined ? rank : members[rank]!)
    }
  }
}

function stageWord(number: number, stage: number): number {
  return (number << STAGE_BITS) | (stage + 1) | 0
}
