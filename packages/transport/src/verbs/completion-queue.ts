import { createCompletionQueue } from '../hca/completion-queue-life.js'
import type { Hca } from '../hca/hca.js'
import { progress } from '../hca/progress.js'
import { demand, demandUnused } from '../hca/verbs-error.js'
import { passCompletion, peekCompletion, RELEASE_BATCH } from '../ring/completion-ring.js'
import { retireSends } from '../ring/work-queue.js'
import { COMPLETION_SCRUBBED, CQ_ATTACHED, CQ_MASK, CQ_OVERRUN } from '../wire/completion-queue.js'
import { CQE_CONTROL, CQE_IMMEDIATE, CQE_LENGTH, CQE_NUMBER } from '../wire/completion-queue.js'
import { CQE_ORIGIN, CQE_QUEUE_PAIR, CQE_REQUEST_ID } from '../wire/completion-queue.js'
import { COMPLETED_RECEIVE } from '../wire/opcode.js'
import { QP_NUMBER } from '../wire/queue-pair.js'
import type { WorkCompletion } from './work-completion.js'

/** Largest completion queue. */
export const COMPLETION_QUEUE_ENTRIES_MAX = 1 << 20

/**
 * Completions of send and receive queues, in the order they came. Polled by the device's thread.
 * Size it for everything that can be outstanding: a completion that finds no place breaks the queue
 * pair it belongs to, as with hardware.
 *
 * @example
 * const completion = new WorkCompletion()
 * while (cq.pollOne(completion)) handle(completion.workRequestId, completion.bytes)
 */
export class CompletionQueue {
  readonly #hca: Hca
  /** Address in world memory. */
  readonly address: number
  #destroyed = false

  /** Made by `Device.createCompletionQueue`. */
  constructor(hca: Hca, entries: number) {
    const fits = Number.isInteger(entries) && entries > 0 && entries <= COMPLETION_QUEUE_ENTRIES_MAX
    demand(fits, `a completion queue cannot have ${entries} entries`)
    this.#hca = hca
    this.address = createCompletionQueue(hca.i32, hca.heap, hca.block, entries)
  }

  /** Completions it holds: at least what was asked for. */
  get entries(): number {
    return this.#hca.i32[(this.address + CQ_MASK) >>> 2]! + 1 - RELEASE_BATCH
  }

  /** Whether there is nothing to poll. */
  get empty(): boolean {
    return peekCompletion(this.#hca.i32, this.address) === 0
  }

  /** Whether a completion was lost because there was no room. */
  get overrun(): boolean {
    return Atomics.load(this.#hca.i32, (this.address + CQ_OVERRUN) >>> 2) !== 0 // set by any thread
  }

  /**
   * Takes the oldest completion; false when there is none. Also does what other threads left for
   * this device (`Device.progress`), when there is no completion. Allocates nothing.
   */
  pollOne(into: WorkCompletion): boolean {
    const hca = this.#hca
    const { i32 } = hca
    for (;;) {
      let entry = peekCompletion(i32, this.address)
      if (entry === 0) {
        progress(hca)
        entry = peekCompletion(i32, this.address)
        if (entry === 0) return false
      }
      const counts = read(hca, entry, into)
      passCompletion(i32, this.address)
      if (counts) return true
    }
  }

  /** Fills `into` from its start with completions, as many as there are; how many. */
  poll(into: readonly WorkCompletion[]): number {
    let count = 0
    while (count < into.length && this.pollOne(into[count]!)) count++
    return count
  }

  /** @throws {VerbsError} EBUSY while a queue is attached */
  destroy(): void {
    if (this.#destroyed) return
    const attached = Atomics.load(this.#hca.i32, (this.address + CQ_ATTACHED) >>> 2) // peers attach too
    demandUnused(attached, 'the completion queue', 'queues attached')
    this.#destroyed = true
    this.#hca.heap.free(this.address)
  }
}

/** Copies an entry out; false when its queue pair was reset meanwhile. */
function read(hca: Hca, entry: number, into: WorkCompletion): boolean {
  const { i32, u32 } = hca
  const base = entry >>> 2
  const control = u32[base + (CQE_CONTROL >> 2)]!
  const flags = control >>> 16
  if ((flags & COMPLETION_SCRUBBED) !== 0) return false
  const opcode = (control >>> 8) & 0xff
  const number = i32[base + (CQE_NUMBER >> 2)]!
  const origin = i32[base + (CQE_ORIGIN >> 2)]!
  into.workRequestId = u32[base + (CQE_REQUEST_ID >> 2)]!
  into.status = control & 0xff
  into.opcode = opcode
  into.flags = flags
  into.bytes = u32[base + (CQE_LENGTH >> 2)]!
  into.immediate = u32[base + (CQE_IMMEDIATE >> 2)]!
  into.queuePairNumber = number
  if (opcode >= COMPLETED_RECEIVE) {
    into.source = origin
  } else {
    into.source = -1
    const queuePair = u32[base + (CQE_QUEUE_PAIR >> 2)]!
    if (i32[(queuePair + QP_NUMBER) >>> 2] === number) retireSends(i32, queuePair, origin)
  }
  return true
}
