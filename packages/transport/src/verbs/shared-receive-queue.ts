import type { Hca } from '../hca/hca.js'
import { demandAcknowledged } from '../hca/requester/acknowledgement.js'
import { finishReceive, INVALID, postReceiveTo, QUEUE_FULL } from '../hca/requester/post.js'
import { createReceiveRing, destroyReceiveRing } from '../hca/queue-pair/receive-ring-life.js'
import { announceLimit } from '../hca/requester/receiver-not-ready.js'
import { demand, demandUnused } from '../hca/verbs-error.js'
import { nextReceiveEntry, receiveCount } from '../ring/receive-queue.js'
import {
  RECEIVE_ATTACHED,
  RECEIVE_LIMIT,
  RECEIVE_MASK,
  RECEIVE_SEGMENTS,
} from '../wire/receive-ring.js'
import { RECEIVE_SEGMENTS_MAX } from '../wire/receive-ring.js'
import { writeSegments } from './post-send-request.js'
import { bytesOf, checkWords } from './work-request.js'
import type { PostCode, PostStatus, ReceiveRequest } from './work-request.js'

/** Largest receive queue. */
export const RECEIVE_ENTRIES_MAX = 1 << 20
/** Most segments of a receive. */
export const RECEIVE_SEGMENTS_LIMIT = 16

/**
 * Receives that many queue pairs take from, in the order they were posted. Posted by the device's
 * thread, taken by whoever sends. A sender that finds none waits, and goes on when one is posted.
 */
export class SharedReceiveQueue {
  readonly #hca: Hca
  /** Address of its receive ring in world memory. */
  readonly address: number
  #entries: number
  #destroyed = false

  /** Made by `ProtectionDomain.createSharedReceiveQueue`. */
  constructor(
    hca: Hca,
    domain: number,
    entries: number,
    segmentsMax: number,
    entriesMax: number = entries,
  ) {
    checkReceiveCapacities(entries, segmentsMax)
    checkReceiveCapacities(entriesMax, segmentsMax)
    demand(entriesMax >= entries, `entriesMax ${entriesMax} is less than entries ${entries}`)
    this.#hca = hca
    this.address = createReceiveRing(hca.i32, hca.heap, domain, entriesMax, segmentsMax)
    this.#entries = entriesMax === entries ? this.#capacity : entries
    hca.objects.set(this.address, this)
  }

  /** Receives it holds: at least what was asked for. */
  get entries(): number {
    return this.#entries
  }

  get #capacity(): number {
    return this.#hca.i32[(this.address + RECEIVE_MASK) >>> 2]! + 1
  }

  /** The armed limit, 0 when no event is due (ibv_query_srq.3). */
  get limit(): number {
    return Atomics.load(this.#hca.i32, (this.address + RECEIVE_LIMIT) >>> 2) // disarmed by takers
  }

  /**
   * Changes the size, arms the limit, or both (ibv_modify_srq.3). Once fewer receives are left than
   * the limit, one event `sharedReceiveQueueLimitReached` is raised and the limit is 0 again.
   *
   * @throws {VerbsError} EINVAL: more than `entriesMax` at its creation, or fewer than are posted
   */
  modify(change: { entries?: number; limit?: number }): void {
    demand(!this.#destroyed, 'the shared receive queue was destroyed')
    const { entries, limit } = change
    if (entries !== undefined) {
      const fits = Number.isInteger(entries) && entries > 0 && entries <= this.#capacity
      demand(fits, `a size of ${entries}; the queue was created for up to ${this.#capacity}`)
      demand(entries >= this.available, `a size of ${entries}, with ${this.available} posted`)
    }
    const size = entries ?? this.#entries
    if (limit !== undefined) {
      const fits = Number.isInteger(limit) && limit >= 0 && limit <= size
      demand(fits, `a limit of ${limit} for a queue of ${size}`)
    }
    this.#entries = size
    if (limit === undefined) return
    Atomics.store(this.#hca.i32, (this.address + RECEIVE_LIMIT) >>> 2, limit) // read by takers
    // Below it already: no taker would notice before the next message.
    if (limit > 0 && this.available < limit) announceLimit(this.#hca, this.address)
  }

  /** Receives posted and not yet taken. */
  get available(): number {
    return receiveCount(this.#hca.i32, this.address)
  }

  /** Posts a receive of one segment; the hot form of `postReceive`. */
  receive(address: number, bytes: number, localKey: number, workRequestId: number): PostCode {
    if (this.#destroyed) return INVALID
    return postReceiveTo(this.#hca, this.address, address, bytes, localKey, workRequestId)
  }

  /**
   * Posts a receive.
   *
   * @throws {VerbsError} EINVAL: more segments than the queue was created for
   */
  postReceive(request: ReceiveRequest): PostStatus {
    demand(!this.#destroyed, 'the shared receive queue was destroyed')
    return postReceiveRequest(this.#hca, this.address, request, this.#entries)
  }

  /** @throws {VerbsError} EBUSY while a queue pair takes from it */
  destroy(): void {
    if (this.#destroyed) return
    const attached = Atomics.load(this.#hca.i32, (this.address + RECEIVE_ATTACHED) >>> 2) // peers attach too
    demandUnused(attached, 'the shared receive queue', 'queue pairs attached')
    demandAcknowledged(this.#hca, this.address)
    this.#destroyed = true
    this.#hca.objects.delete(this.address)
    destroyReceiveRing(this.#hca.i32, this.#hca.heap, this.address)
  }
}

/** @throws {VerbsError} EINVAL */
export function checkReceiveCapacities(entries: number, segmentsMax: number): void {
  const entriesFit = Number.isInteger(entries) && entries > 0 && entries <= RECEIVE_ENTRIES_MAX
  demand(entriesFit, `a receive queue cannot have ${entries} entries`)
  const segmentsFit =
    Number.isInteger(segmentsMax) && segmentsMax > 0 && segmentsMax <= RECEIVE_SEGMENTS_LIMIT
  demand(segmentsFit, `a receive cannot have ${segmentsMax} segments`)
}

/**
 * Posts a receive of any number of segments to a ring that is to hold `entries` at most.
 *
 * @throws {VerbsError} EINVAL: more segments than the ring has room for, or impossible ones
 */
export function postReceiveRequest(
  hca: Hca,
  ring: number,
  { segments = [], workRequestId = 0 }: ReceiveRequest,
  entries = Infinity,
): PostStatus {
  const most = hca.i32[(ring + RECEIVE_SEGMENTS_MAX) >>> 2]!
  demand(segments.length <= most, `${segments.length} segments, at most ${most} here`)
  checkWords(workRequestId, segments)
  if (receiveCount(hca.i32, ring) >= entries) return 'queueFull'
  const entry = nextReceiveEntry(hca.i32, ring)
  if (entry === 0) return 'queueFull'
  writeSegments(hca, entry + RECEIVE_SEGMENTS, segments)
  const room = bytesOf(segments)
  return finishReceive(hca, ring, entry, workRequestId, segments.length, room) === QUEUE_FULL
    ? 'queueFull'
    : 'ok'
}
