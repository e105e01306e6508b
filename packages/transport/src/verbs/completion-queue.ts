import { demandAcknowledged } from '../hca/requester/acknowledgement.js'
import {
  createCompletionQueue,
  moveCompletionQueue,
} from '../hca/queue-pair/completion-queue-life.js'
import type { Hca } from '../hca/hca.js'
import { progress } from '../hca/requester/progress.js'
import { demand, demandUnused } from '../hca/verbs-error.js'
import { completionCount, passCompletion, peekCompletion } from '../ring/completion-ring.js'
import { RELEASE_BATCH } from '../ring/completion-ring.js'
import { retireSends } from '../ring/work-queue.js'
import {
  COMPLETION_SCRUBBED,
  COMPLETION_SOLICITED,
  CQ_ATTACHED,
  CQ_MASK,
  CQ_OVERRUN,
} from '../wire/completion-queue.js'
import { CQE_CONTROL, CQE_IMMEDIATE, CQE_LENGTH, CQE_NUMBER } from '../wire/completion-queue.js'
import { CQE_ORIGIN, CQE_QUEUE_PAIR, CQE_REQUEST_ID } from '../wire/completion-queue.js'
import { COMPLETED_RECEIVE } from '../wire/opcode.js'
import { QP_NUMBER } from '../wire/queue-pair.js'
import { CompletionArming } from './completion-arming.js'
import type { CompletionChannel } from './completion-channel.js'
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
  /** Where it is polled: the ring of before a resize until that is empty. */
  #polled: number
  #address: number
  #destroyed = false
  readonly #arming: CompletionArming

  /** Made by `Device.createCompletionQueue`. */
  constructor(hca: Hca, entries: number, channel?: CompletionChannel) {
    checkEntries(entries)
    this.#hca = hca
    this.#address = createCompletionQueue(hca.i32, hca.heap, hca.block, entries)
    this.#polled = this.#address
    this.#arming = new CompletionArming(hca.i32)
    this.channel = channel
    channel?.attach(this, this.#arming)
    hca.objects.set(this.#address, this)
  }

  /** Where its events go, `undefined` when it was created without. */
  readonly channel: CompletionChannel | undefined

  /** Address in world memory. */
  get address(): number {
    return this.#address
  }

  /**
   * Asks for one event on the channel, when the next completion comes: any, or only one that is
   * solicited or an error. What is there already does not count, so: arm, poll once more, then wait
   * (ibv_req_notify_cq.3). Of two arms the wider holds.
   *
   * @throws {VerbsError} EINVAL: it has no channel
   */
  arm(options: { solicitedOnly?: boolean } = {}): void {
    demand(!this.#destroyed, 'the completion queue was destroyed')
    demand(this.channel !== undefined, 'the completion queue has no channel')
    this.#arming.arm(this.#address, options.solicitedOnly ?? false)
  }

  /** Says that events taken from the channel have been dealt with (ibv_ack_cq_events.3). */
  acknowledge(count = 1): void {
    demand(count <= this.#arming.unacknowledged, `${count} events, fewer were taken`)
    this.#arming.unacknowledged -= count
  }

  /**
   * Gives it room for `entries` completions; those not polled are kept (ibv_resize_cq.3).
   *
   * @throws {VerbsError} EINVAL: impossible size, or less than there are to poll
   */
  resize(entries: number): void {
    demand(!this.#destroyed, 'the completion queue was destroyed')
    checkEntries(entries)
    const hca = this.#hca
    const waiting = completionCount(hca.i32, this.#address)
    demand(this.#polled === this.#address, 'completions of before the last resize are not polled')
    demand(entries >= waiting, `${entries} entries, with ${waiting} completions to poll`)
    const larger = createCompletionQueue(hca.i32, hca.heap, hca.block, entries)
    moveCompletionQueue(hca, this.#address, larger)
    this.#arming.move(larger)
    hca.objects.delete(this.#address)
    hca.objects.set(larger, this)
    this.#address = larger
    this.#turnOver()
  }

  /** Goes on to the ring of after a resize, once the one of before is empty. */
  #turnOver(): boolean {
    if (this.#polled === this.#address) return false
    if (peekCompletion(this.#hca.i32, this.#polled) !== 0) return false
    this.#hca.heap.free(this.#polled)
    this.#polled = this.#address
    return true
  }

  /** Completions it holds: at least what was asked for. */
  get entries(): number {
    return this.#hca.i32[(this.address + CQ_MASK) >>> 2]! + 1 - RELEASE_BATCH
  }

  /** Whether there is nothing to poll. */
  get empty(): boolean {
    return peekCompletion(this.#hca.i32, this.#polled) === 0 && this.#polled === this.#address
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
      const ring = this.#polled
      let entry = peekCompletion(i32, ring)
      if (entry === 0) {
        if (this.#turnOver()) continue
        progress(hca)
        entry = peekCompletion(i32, ring)
        if (entry === 0) return false
      }
      const counts = read(hca, entry, into)
      passCompletion(i32, ring)
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
    demandUnused(this.#arming.unacknowledged, 'the completion queue', 'events not acknowledged')
    demandAcknowledged(this.#hca, this.#address)
    this.#destroyed = true
    this.channel?.detach(this)
    this.#hca.objects.delete(this.#address)
    if (this.#polled !== this.#address) this.#hca.heap.free(this.#polled)
    this.#hca.heap.free(this.#address)
  }
}

function checkEntries(entries: number): void {
  const fits = Number.isInteger(entries) && entries > 0 && entries <= COMPLETION_QUEUE_ENTRIES_MAX
  demand(fits, `a completion queue cannot have ${entries} entries`)
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
  into.detail = flags & ~COMPLETION_SOLICITED
  into.bytes = u32[base + (CQE_LENGTH >> 2)]!
  into.immediate = u32[base + (CQE_IMMEDIATE >> 2)]!
  into.queuePairNumber = number
  const queuePair = u32[base + (CQE_QUEUE_PAIR >> 2)]!
  if (opcode >= COMPLETED_RECEIVE) {
    into.source = origin
    into.sourceQueuePairNumber = queuePair
  } else {
    into.source = -1
    if (i32[(queuePair + QP_NUMBER) >>> 2] === number) retireSends(i32, queuePair, origin)
  }
  return true
}
