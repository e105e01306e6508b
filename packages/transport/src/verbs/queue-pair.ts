import { demandAcknowledged } from '../hca/requester/acknowledgement.js'
import type { Hca } from '../hca/hca.js'
import { readAtOnce } from '../hca/requester/immediate-read.js'
import { modifyQueuePair, queryAttributes, serviceOf } from '../hca/queue-pair/modify-queue-pair.js'
import type { QueuePairChange } from '../hca/queue-pair/modify-queue-pair.js'
import {
  admitSend,
  beginSend,
  finishSend,
  INVALID,
  POSTED,
  postInline,
} from '../hca/requester/post.js'
import { attach, detach } from '../hca/datagram/multicast.js'
import { postOne, postReceiveTo, sendCapacity, writeSegment } from '../hca/requester/post.js'
import { flush } from '../hca/requester/progress.js'
import { createQueuePair, destroyQueuePair } from '../hca/queue-pair/queue-pair-life.js'
import type { QueuePairAttributes } from '../hca/queue-pair/transitions.js'
import { demand, demandOffered, demandUnused, VerbsError } from '../hca/verbs-error.js'
import { lock, unlock } from '../ring/spin-lock.js'
import { completionStatusName } from '../wire/completion-status.js'
import type { CompletionStatus } from '../wire/completion-status.js'
import { errorCauseText } from '../wire/error-cause.js'
import type { ErrorCause } from '../wire/error-cause.js'
import { GID_BYTES } from '../wire/address-handle.js'
import { HCA_LOCK } from '../wire/hca-block.js'
import { RDMA_READ, RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, SEND } from '../wire/opcode.js'
import { SEND_WITH_IMMEDIATE } from '../wire/opcode.js'
import type { Opcode } from '../wire/opcode.js'
import { QP_ERROR_CAUSE, QP_ERROR_REQUEST, QP_ERROR_STATUS, QP_NUMBER } from '../wire/queue-pair.js'
import {
  PORT_DOWN_MARK,
  QP_GROUPS,
  QP_INLINE_BYTES_MAX,
  QP_PEER_INDEX,
  QP_RECEIVE_RING,
} from '../wire/queue-pair.js'
import { QP_SEGMENTS_MAX, QP_SRQ, QP_STATE } from '../wire/queue-pair.js'
import { ERROR, queuePairStateName, RESET } from '../wire/queue-pair-state.js'
import type { QueuePairState } from '../wire/queue-pair-state.js'
import { RECEIVE_MASK } from '../wire/receive-ring.js'
import { serviceNumbers, servicesNotOffered } from '../wire/service-type.js'
import type { ServiceNotOffered, ServiceType } from '../wire/service-type.js'
import { SEGMENT_BYTES, WQE_SEGMENTS } from '../wire/work-queue-entry.js'
import { isMulticast } from './address-handle.js'
import type { CompletionQueue } from './completion-queue.js'
import type { DataInOrder } from './device-attributes.js'
import { DEVICE_LIMITS } from './device-limits.js'
import { RequestBuilder } from './request-builder.js'
import { checkSendCapacities } from './send-capacities.js'
import type { SendCapacities } from './send-capacities.js'
import { checkReceiveCapacities, postReceiveRequest } from './shared-receive-queue.js'
import type { SharedReceiveQueue } from './shared-receive-queue.js'
import { postSendRequest } from './post-send-request.js'
import type {
  BindRequest,
  PostCode,
  PostStatus,
  ReceiveRequest,
  SendRequest,
} from './work-request.js'

/** What a queue pair is created from. */
export interface QueuePairOptions extends SendCapacities {
  sendQueue: CompletionQueue
  receiveQueue: CompletionQueue
  /** Where it takes receives from; it has a receive queue of its own when left out. */
  sharedReceiveQueue?: SharedReceiveQueue
  /** Receives its own receive queue holds. Default 64. */
  receiveEntries?: number
  /** Transport service. Default `reliableConnected`; those not offered are `EOPNOTSUPP`. */
  service?: ServiceType | ServiceNotOffered
  /** Operations that batches (`start`) may use; all of the service when left out. */
  operations?: readonly Opcode[]
}

/** A request of a list that was not posted, and why; those before it were. */
export interface BadRequest<Request> {
  readonly request: Request
  readonly index: number
  readonly reason: VerbsError | 'queueFull'
}

/** Why a queue pair is in the error state. */
export interface FirstError {
  status: CompletionStatus
  workRequestId: number
  cause: ErrorCause
}

const TWO_SEGMENTS = 2 << 16

/**
 * A queue pair, as its owner's thread holds it.
 *
 * The numeric forms (`send`, `write`, `read`, ...) write the request straight into the send queue
 * and allocate nothing; they return a code of `Post`. `flags` are those of `Send`: a request
 * without `Send.signaled` gives no completion unless it fails. Entries of the send queue are free
 * again when a completion at or behind them has been polled, as with hardware: signal at least one
 * request in every `sendEntries`.
 *
 * On the direct fabric the message has arrived, or the request waits for a receive, when the call
 * returns.
 */
export class QueuePair {
  readonly #hca: Hca
  /** Address in world memory; 0, where nothing is, once it is destroyed. */
  #address: number
  /** 24-bit number. */
  readonly number: number
  #operations: readonly Opcode[] | undefined

  /** Made by `ProtectionDomain.createQueuePair` or `Device.connect`. */
  constructor(hca: Hca, address: number) {
    this.#hca = hca
    this.#address = address
    this.number = hca.i32[(address + QP_NUMBER) >>> 2]!
  }

  /** Creates one in state `reset`. */
  static create(hca: Hca, domain: number, options: QueuePairOptions): QueuePair {
    const { receiveEntries = 64, service = 'reliableConnected' } = options
    demandService(service)
    const capacities = checkSendCapacities(options)
    checkReceiveCapacities(receiveEntries, capacities.segmentsMax)
    demand(
      receiveEntries <= DEVICE_LIMITS.maxWorkRequests,
      `${receiveEntries} receives are too many`,
    )
    demandOwn(hca, 'send queue', options.sendQueue)
    demandOwn(hca, 'receive queue', options.receiveQueue)
    const shared = options.sharedReceiveQueue !== undefined
    if (shared) demandOwn(hca, 'shared receive queue', options.sharedReceiveQueue)
    demand(!shared || service !== 'unreliableConnected', `${service} takes no shared receive queue`)
    lock(hca.i32, hca.block + HCA_LOCK)
    try {
      const address = createQueuePair(hca.i32, hca.heap, hca.block, {
        ...capacities,
        domain,
        sendCq: options.sendQueue.address,
        receiveCq: options.receiveQueue.address,
        srq: options.sharedReceiveQueue?.address ?? 0,
        receiveEntries,
        managed: false,
        service: serviceNumbers[service],
      })
      const queuePair = new QueuePair(hca, address)
      queuePair.#operations = options.operations
      hca.objects.set(address, queuePair)
      return queuePair
    } finally {
      unlock(hca.i32, hca.block + HCA_LOCK)
    }
  }

  /** Address in world memory, 0 once it is destroyed. */
  get address(): number {
    return this.#address
  }

  get state(): QueuePairState {
    return queuePairStateName(Atomics.load(this.#hca.i32, (this.#address + QP_STATE) >>> 2)) // peers set ERR
  }

  /** HCA index of the peer. */
  get peerIndex(): number {
    return this.#hca.i32[(this.#address + QP_PEER_INDEX) >>> 2]! & ~PORT_DOWN_MARK
  }

  get service(): ServiceType {
    return serviceOf(this.#hca.i32, this.#address)
  }

  /** Segments a request or a receive may have. */
  get segmentsMax(): number {
    return this.#hca.i32[(this.#address + QP_SEGMENTS_MAX) >>> 2]!
  }

  /** Receives its own receive queue holds, 0 when it takes from a shared one. */
  get receiveEntries(): number {
    if (this.#hca.i32[(this.#address + QP_SRQ) >>> 2] !== 0) return 0
    const ring = this.#hca.u32[(this.#address + QP_RECEIVE_RING) >>> 2]!
    return this.#hca.i32[(ring + RECEIVE_MASK) >>> 2]! + 1
  }

  /**
   * What may be relied upon about the order in which the bytes of one message appear
   * (ibv_query_qp_data_in_order.3): `wholeMessage` means that its last byte comes last, so that a
   * program may poll it in place of a completion.
   */
  queryDataInOrder(operation: 'send' | 'rdmaWrite' | 'rdmaRead'): DataInOrder {
    demand(
      operation === 'send' || operation === 'rdmaWrite' || operation === 'rdmaRead',
      'no such operation',
    )
    return operation === 'rdmaWrite' && (this.#hca.fabric.dataInOrder ?? false)
      ? 'wholeMessage'
      : 'none'
  }

  /** Requests the send queue holds. */
  get sendEntries(): number {
    return sendCapacity(this.#hca, this.#address)
  }

  /** Bytes a request may carry inline. */
  get inlineBytesMax(): number {
    return this.#hca.i32[(this.#address + QP_INLINE_BYTES_MAX) >>> 2]!
  }

  /** The first error, `undefined` while there was none. */
  get firstError(): FirstError | undefined {
    const at = (offset: number): number => this.#hca.u32[(this.#address + offset) >>> 2]!
    if (at(QP_ERROR_STATUS) === 0) return undefined
    return {
      status: completionStatusName(at(QP_ERROR_STATUS)),
      workRequestId: at(QP_ERROR_REQUEST),
      cause: errorCauseText(at(QP_ERROR_CAUSE)),
    }
  }

  /**
   * Changes the state, attributes, or both, or nothing at all.
   *
   * @throws {VerbsError} EINVAL: the transition is not legal, an attribute is missing or out of place
   */
  modify(change: QueuePairChange): void {
    this.#demandAlive()
    modifyQueuePair(this.#hca, this.#address, change)
  }

  /** The attributes as they are now. */
  query(): QueuePairAttributes {
    this.#demandAlive()
    return queryAttributes(this.#hca.i32, this.#address)
  }

  // ---- posting, numeric forms ---------------------------------------------------------------

  /** Sends one segment of registered memory. */
  send(
    address: number,
    bytes: number,
    localKey: number,
    workRequestId: number,
    flags: number,
  ): PostCode {
    const control = SEND | (flags << 8)
    return postOne(
      this.#hca,
      this.#address,
      control,
      address,
      bytes,
      localKey,
      0,
      0,
      0,
      workRequestId,
    )
  }

  /** Sends one segment, and 32 bits that come out in the receiver's completion. */
  sendWithImmediate(
    address: number,
    bytes: number,
    localKey: number,
    immediate: number,
    workRequestId: number,
    flags: number,
  ): PostCode {
    const control = SEND_WITH_IMMEDIATE | (flags << 8)
    return postOne(
      this.#hca,
      this.#address,
      control,
      address,
      bytes,
      localKey,
      immediate,
      0,
      0,
      workRequestId,
    )
  }

  /** Sends one message gathered from two segments; needs `segmentsMax` of 2 at least. */
  sendTwo(
    address: number,
    bytes: number,
    localKey: number,
    address2: number,
    bytes2: number,
    localKey2: number,
    workRequestId: number,
    flags: number,
  ): PostCode {
    const hca = this.#hca
    const queuePair = this.#address
    const admitted = admitSend(hca, queuePair)
    if (admitted !== POSTED) return admitted
    if (hca.i32[(queuePair + QP_SEGMENTS_MAX) >>> 2]! < 2) return INVALID
    const control = SEND | (flags << 8) | TWO_SEGMENTS
    const entry = beginSend(hca, queuePair, control, bytes + bytes2, workRequestId)
    writeSegment(hca, entry + WQE_SEGMENTS, address, bytes, localKey)
    writeSegment(hca, entry + WQE_SEGMENTS + SEGMENT_BYTES, address2, bytes2, localKey2)
    return finishSend(hca, queuePair)
  }

  /**
   * Sends one message of up to `inlineBytesMax` bytes, taken now from one or two places (`bytes2`
   * may be 0), which need not be registered.
   */
  sendInline(
    address: number,
    bytes: number,
    address2: number,
    bytes2: number,
    workRequestId: number,
    flags: number,
  ): PostCode {
    const control = SEND | (flags << 8)
    const { address: queuePair } = this
    return postInline(
      this.#hca,
      queuePair,
      control,
      address,
      bytes,
      address2,
      bytes2,
      0,
      0,
      0,
      workRequestId,
    )
  }

  /** RDMA WRITE: writes one segment to the peer's memory; its thread sees no completion. */
  write(
    address: number,
    bytes: number,
    localKey: number,
    remoteAddress: number,
    remoteKey: number,
    workRequestId: number,
    flags: number,
  ): PostCode {
    const control = RDMA_WRITE | (flags << 8)
    return postOne(
      this.#hca,
      this.#address,
      control,
      address,
      bytes,
      localKey,
      0,
      remoteAddress,
      remoteKey,
      workRequestId,
    )
  }

  /** RDMA WRITE that also takes a receive of the peer's, whose completion brings `immediate`. */
  writeWithImmediate(
    address: number,
    bytes: number,
    localKey: number,
    remoteAddress: number,
    remoteKey: number,
    immediate: number,
    workRequestId: number,
    flags: number,
  ): PostCode {
    const control = RDMA_WRITE_WITH_IMMEDIATE | (flags << 8)
    return postOne(
      this.#hca,
      this.#address,
      control,
      address,
      bytes,
      localKey,
      immediate,
      remoteAddress,
      remoteKey,
      workRequestId,
    )
  }

  /** RDMA READ: reads the peer's memory into one segment. */
  read(
    address: number,
    bytes: number,
    localKey: number,
    remoteAddress: number,
    remoteKey: number,
    workRequestId: number,
    flags: number,
  ): PostCode {
    const control = RDMA_READ | (flags << 8)
    return postOne(
      this.#hca,
      this.#address,
      control,
      address,
      bytes,
      localKey,
      0,
      remoteAddress,
      remoteKey,
      workRequestId,
    )
  }

  /**
   * RDMA READ that is done when the call returns, and gives no completion. Possible where nothing
   * is outstanding and the fabric carries requests out at once.
   *
   * @returns whether it was carried out; if not, post it with `read`
   */
  readAtOnce(
    address: number,
    bytes: number,
    localKey: number,
    remoteAddress: number,
    remoteKey: number,
  ): boolean {
    const { address: queuePair } = this
    return readAtOnce(this.#hca, queuePair, address, bytes, localKey, remoteAddress, remoteKey)
  }

  /** Posts a receive of one segment to the queue pair's own receive queue. */
  receive(address: number, bytes: number, localKey: number, workRequestId: number): PostCode {
    const hca = this.#hca
    if (!this.#takesReceives()) return INVALID
    const ring = hca.u32[(this.#address + QP_RECEIVE_RING) >>> 2]!
    const posted = postReceiveTo(hca, ring, address, bytes, localKey, workRequestId)
    this.#flushInError()
    return posted
  }

  // ---- posting, object forms ----------------------------------------------------------------

  /**
   * Posts a request.
   *
   * @throws {VerbsError} EINVAL: the state does not allow it, too many segments, too many inline
   * bytes, or inline data with `rdmaRead`
   */
  postSend(request: SendRequest): PostStatus {
    this.#demandAlive()
    return postSendRequest(this.#hca, this.#address, request)
  }

  /**
   * Posts a receive to the queue pair's own receive queue.
   *
   * @throws {VerbsError} EINVAL: in state `reset`, too many segments, or it has a shared receive queue
   */
  postReceive(request: ReceiveRequest): PostStatus {
    this.#demandAlive()
    demand(this.#takesReceives(), 'no receive queue of its own, or in state reset')
    const ring = this.#hca.u32[(this.#address + QP_RECEIVE_RING) >>> 2]!
    const status = postReceiveRequest(this.#hca, ring, request)
    this.#flushInError()
    return status
  }

  /** Posts requests until one cannot be posted, which is given back (ibv_post_send.3, `bad_wr`). */
  postSendList(requests: readonly SendRequest[]): BadRequest<SendRequest> | undefined {
    return postList(requests, (request) => this.postSend(request))
  }

  /** The same for receives. */
  postReceiveList(requests: readonly ReceiveRequest[]): BadRequest<ReceiveRequest> | undefined {
    return postList(requests, (request) => this.postReceive(request))
  }

  /** Begins a batch of requests (ibv_wr_start.3). */
  start(): RequestBuilder {
    this.#demandAlive()
    return new RequestBuilder(this.#hca, this.#address, this.#operations)
  }

  /**
   * Binds a memory window of type 1 in the order of the send queue, or with 0 bytes takes it off
   * (ibv_bind_mw.3). The key is known at once and holds for requests behind the bind.
   *
   * @returns the window's new remote key, or `queueFull`
   * @throws {VerbsError} EINVAL: the window is of type 2, or the queue pair has no such operation
   */
  bindWindow(
    bind: BindRequest,
    options: { workRequestId?: number; signaled?: boolean } = {},
  ): number | 'queueFull' {
    demand(bind.window.type === 1, 'a window of type 2 is bound by a request')
    const key = bind.window.nextKey
    const posted = this.postSend({ opcode: 'bindWindow', bind: { ...bind, key }, ...options })
    return posted === 'ok' ? key : 'queueFull'
  }

  /**
   * Joins a multicast group; twice is once (ibv_attach_mcast.3).
   *
   * @throws {VerbsError} EINVAL: not an unreliable datagram queue pair, or not a group's GID
   */
  attachMulticast(gid: Uint8Array, localIdentifier: number): void {
    this.#demandGroup(gid)
    attach(this.#hca.i32, this.#hca.heap, this.#address, gid, localIdentifier)
  }

  /** Leaves a multicast group. @throws {VerbsError} EINVAL: it is not in it */
  detachMulticast(gid: Uint8Array, localIdentifier: number): void {
    this.#demandGroup(gid)
    const was = detach(this.#hca.i32, this.#hca.heap, this.#address, gid, localIdentifier)
    demand(was, 'the queue pair is not in that group')
  }

  #demandGroup(gid: Uint8Array): void {
    this.#demandAlive()
    demand(this.service === 'unreliableDatagram', `${this.service} knows no multicast`)
    demand(gid.length === GID_BYTES && isMulticast(gid), 'not the GID of a multicast group')
  }

  /**
   * Destroys it, whatever its state; its requests and unpolled completions vanish.
   *
   * @throws {VerbsError} EBUSY while it is in a multicast group, or an event about it is not acknowledged
   */
  destroy(): void {
    if (this.#address === 0) return
    const groups = this.#hca.i32[(this.#address + QP_GROUPS) >>> 2]!
    demandUnused(groups, 'the queue pair', 'multicast groups it is in')
    demandAcknowledged(this.#hca, this.#address)
    this.#hca.objects.delete(this.#address)
    destroyQueuePair(this.#hca, this.#address)
    this.#address = 0
  }

  get destroyed(): boolean {
    return this.#address === 0
  }

  #takesReceives(): boolean {
    const { i32 } = this.#hca
    if (i32[(this.#address + QP_SRQ) >>> 2] !== 0) return false
    return i32[(this.#address + QP_STATE) >>> 2] !== RESET // plain: only the owner leaves RESET
  }

  /** What is posted in the error state is flushed; the state is looked at after posting. */
  #flushInError(): void {
    const hca = this.#hca
    const state = Atomics.load(hca.i32, (this.#address + QP_STATE) >>> 2) // the peer may have set it
    if (state === ERROR) flush(hca, this.#address)
  }

  #demandAlive(): void {
    demand(this.#address !== 0, 'the queue pair was destroyed')
  }
}

/** Its queues are the same device's, and are there. */
function demandOwn(
  hca: Hca,
  what: string,
  queue: CompletionQueue | SharedReceiveQueue | undefined,
): void {
  const own = queue !== undefined && hca.objects.get(queue.address) === queue
  demand(own, `the ${what} was destroyed, or is no such queue of this device`)
}

function demandService(service: ServiceType | ServiceNotOffered): asserts service is ServiceType {
  demandOffered(!servicesNotOffered.includes(service), service)
  const number = serviceNumbers[service as ServiceType]
  demand(number !== undefined, `there is no service ${String(service)}`)
}

function postList<Request>(
  requests: readonly Request[],
  post: (request: Request) => PostStatus,
): BadRequest<Request> | undefined {
  for (const [index, request] of requests.entries()) {
    try {
      if (post(request) !== 'ok') return { request, index, reason: 'queueFull' }
    } catch (reason) {
      if (reason instanceof VerbsError) return { request, index, reason }
      throw reason
    }
  }
  return undefined
}
