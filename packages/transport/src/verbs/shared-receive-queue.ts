import type { Hca } from '../hca/hca.js'
import { finishReceive, postReceiveTo, QUEUE_FULL, writeSegment } from '../hca/post.js'
import { createReceiveRing, destroyReceiveRing } from '../hca/receive-ring-life.js'
import { demand, demandUnused } from '../hca/verbs-error.js'
import { nextReceiveEntry, receiveCount } from '../ring/receive-queue.js'
import { RECEIVE_ATTACHED, RECEIVE_MASK, RECEIVE_SEGMENTS } from '../wire/receive-ring.js'
import { RECEIVE_SEGMENTS_MAX } from '../wire/receive-ring.js'
import { SEGMENT_BYTES } from '../wire/work-queue-entry.js'
import { bytesOf } from './work-request.js'
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
  #destroyed = false

  /** Made by `ProtectionDomain.createSharedReceiveQueue`. */
  constructor(hca: Hca, domain: number, entries: number, segmentsMax: number) {
    checkReceiveCapacities(entries, segmentsMax)
    this.#hca = hca
    this.address = createReceiveRing(hca.i32, hca.heap, domain, entries, segmentsMax)
  }

  /** Receives it holds: at least what was asked for. */
  get entries(): number {
    return this.#hca.i32[(this.address + RECEIVE_MASK) >>> 2]! + 1
  }

  /** Receives posted and not yet taken. */
  get available(): number {
    return receiveCount(this.#hca.i32, this.address)
  }

  /** Posts a receive of one segment; the hot form of `postReceive`. */
  receive(address: number, bytes: number, localKey: number, workRequestId: number): PostCode {
    return postReceiveTo(this.#hca, this.address, address, bytes, localKey, workRequestId)
  }

  /**
   * Posts a receive.
   *
   * @throws {VerbsError} EINVAL: more segments than the queue was created for
   */
  postReceive(request: ReceiveRequest): PostStatus {
    return postReceiveRequest(this.#hca, this.address, request)
  }

  /** @throws {VerbsError} EBUSY while a queue pair takes from it */
  destroy(): void {
    if (this.#destroyed) return
    const attached = Atomics.load(this.#hca.i32, (this.address + RECEIVE_ATTACHED) >>> 2) // peers attach too
    demandUnused(attached, 'the shared receive queue', 'queue pairs attached')
    this.#destroyed = true
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

/** Posts a receive of any number of segments to a ring. */
export function postReceiveRequest(hca: Hca, ring: number, request: ReceiveRequest): PostStatus {
  const segments = request.segments ?? []
  const most = hca.i32[(ring + RECEIVE_SEGMENTS_MAX) >>> 2]!
  demand(segments.length <= most, `${segments.length} segments, at most ${most} here`)
  const entry = nextReceiveEntry(hca.i32, ring)
  if (entry === 0) return 'queueFull'
  segments.forEach(({ address, bytes, localKey }, index) =>
    writeSegment(hca, entry + RECEIVE_SEGMENTS + index * SEGMENT_BYTES, address, bytes, localKey),
  )
  const room = bytesOf(segments)
  const id = request.workRequestId ?? 0
  return finishReceive(hca, ring, entry, id, segments.length, room) === QUEUE_FULL
    ? 'queueFull'
    : 'ok'
}
