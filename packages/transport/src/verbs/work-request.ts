import { INVALID, POSTED, QUEUE_FULL } from '../hca/requester/post.js'
import { demand } from '../hca/verbs-error.js'
import type { Opcode } from '../wire/opcode.js'
import type { AccessFlags } from './access.js'
import type { AddressHandle } from './address-handle.js'
import type { MemoryRegion } from './memory-region.js'
import type { MemoryWindow } from './memory-window.js'
import { FENCE, INLINE, SIGNALED, SOLICITED } from '../wire/work-queue-entry.js'

/** A piece of registered memory that a request gathers from, or scatters into. */
export interface ScatterGatherElement {
  address: number
  bytes: number
  localKey: number
}

/** A request for a send queue. */
export interface SendRequest {
  opcode: Opcode
  /** Comes back in the completion: an integer from 0 to 2^32 - 1; 0 when left out. */
  workRequestId?: number
  /** Pieces of the message, in order; none for an empty one. */
  segments?: readonly ScatterGatherElement[]
  /** 32 bits that come out in the receiver's completion, for the opcodes with immediate data. */
  immediate?: number
  /** For RDMA and atomics: where at the peer. A bigint may be any address of 64 bits. */
  remoteAddress?: number | bigint
  /** For RDMA: key of the peer's region. */
  remoteKey?: number
  /** Completes with an entry in the completion queue; errors always do. */
  signaled?: boolean
  /** The data are taken at the post call; local keys are not looked at. Not for `rdmaRead`. */
  inline?: boolean
  /** Waits until earlier READs and atomics are complete. */
  fence?: boolean
  /** Raises the receiver's solicited event. */
  solicited?: boolean
  /** For `compareAndSwap`: what to compare with; 64 bits. */
  compare?: bigint
  /** For `compareAndSwap` what to put, for `fetchAndAdd` what to add; 64 bits. */
  operand?: bigint
  /** For `sendWithInvalidate` the peer's key, for `localInvalidate` the own one, to invalidate. */
  invalidateKey?: number
  /** For `bindWindow`. */
  bind?: BindRequest
  /** For `flush`. */
  flush?: FlushRequest
  /** For datagrams: where to. */
  destination?: DatagramDestination
}

/** A datagram's destination. */
export interface DatagramDestination {
  addressHandle: AddressHandle
  /** 0xffffff for a multicast group. */
  queuePairNumber: number
  /** 32 bits; with the top bit set, the sending queue pair's own key is used. */
  queueKey: number
}

/** What a FLUSH is for and about (ibv_wr_flush). One of the two types at least. */
export interface FlushRequest {
  /** Everything written before is visible to all; needs the right `flushGlobal`. */
  global?: boolean
  /** Everything written before outlasts a loss of power; needs the right `flushPersistent`. */
  persistent?: boolean
  /** `range`, the default: from `remoteAddress` on; `region`: all of the region that `remoteKey` names. */
  level?: 'range' | 'region'
  /** Length of the range. */
  bytes?: number
}

/** What a memory window is bound to. */
export interface BindRequest {
  window: MemoryWindow
  region: MemoryRegion
  address: number
  /** 0 takes a window of type 1 off its region. */
  bytes: number
  /** `remoteWrite`, `remoteRead`, `remoteAtomic`, `zeroBased`. */
  access: AccessFlags
  /** Type 2: the window's next key, as the user picks it (`MemoryWindow.nextKey`). */
  key?: number
}

/** A request for a receive queue. */
export interface ReceiveRequest {
  /** Comes back in the completion: an integer from 0 to 2^32 - 1; 0 when left out. */
  workRequestId?: number
  segments?: readonly ScatterGatherElement[]
}

/** How a post call went; misuse is thrown. */
export type PostStatus = 'ok' | 'queueFull'

/** How a numeric post call went: the values of `Post`. */
export type PostCode = number

/** What the numeric post calls return. */
export const Post = {
  /** Posted. */
  ok: POSTED,
  /** Back-pressure: poll completions of this queue, then try again. */
  queueFull: QUEUE_FULL,
  /** Misuse: the state of the queue pair does not allow it, or the request is beyond its capacities. */
  invalid: INVALID,
} as const

/** Flags of the numeric post calls, to be combined with `|`. */
export const Send = {
  none: 0,
  fence: FENCE,
  signaled: SIGNALED,
  solicited: SOLICITED,
} as const

/** The flags of a request. */
export function flagsOf(request: SendRequest): number {
  return (
    (request.fence ? FENCE : 0) |
    (request.signaled ? SIGNALED : 0) |
    (request.solicited ? SOLICITED : 0) |
    (request.inline ? INLINE : 0)
  )
}

/**
 * Numbers that go into words of 32 bits.
 *
 * @throws {VerbsError} EINVAL: one does not fit
 */
export function checkWords(workRequestId: number, segments: readonly ScatterGatherElement[]): void {
  demand(isWord(workRequestId), `${workRequestId} is no work request id of 32 bits`)
  for (const { address, bytes, localKey } of segments) {
    const fits = isWord(address) && isWord(bytes) && isWord(localKey)
    demand(fits, `{ address: ${address}, bytes: ${bytes}, localKey: ${localKey} } is no segment`)
  }
}

function isWord(value: number): boolean {
  return value >>> 0 === value
}

/** Length of the message of a request. */
export function bytesOf(segments: readonly ScatterGatherElement[]): number {
  return segments.reduce((sum, segment) => sum + segment.bytes, 0)
}
