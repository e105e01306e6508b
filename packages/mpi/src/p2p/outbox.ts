import type { WorldMemory } from '@commworld/transport'
import { ArgumentError, BufferSpaceError, StagedCopyError } from '../errors/index.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Endpoint } from '../device/endpoint.js'
import { EAGER, makeHead, MESSAGE_HEADER_BYTES, READY_TO_SEND } from '../device/message.js'
import type { Peer } from '../device/peer.js'
import type { OperationName } from '../record/operation.js'
import type { Payload } from './payload.js'
import type { Process } from './process.js'
import { BUFFERED, READY, STANDARD, SYNCHRONOUS } from './send-mode.js'
import { SendRequest, Transfer } from './send-request.js'

/** What an eager message counts against the credit besides its payload: the receiver's bookkeeping. */
export const EAGER_OVERHEAD_BYTES = 64

/**
 * The sending half of point-to-point. A message goes *eagerly*, payload behind the header, when
 * it is short and its peer has credit; otherwise, and in synchronous mode always, by *rendezvous*:
 * the header alone says where the payload lies, the receiver fetches it by RDMA READ and answers
 * FINISH. What finds no room waits in the peer's backlog, so that starting a send never blocks.
 */
export class Outbox {
  readonly #memory: WorldMemory
  readonly #endpoint: Endpoint
  readonly #eagerLimitBytes: number
  readonly #strictZeroCopy: boolean
  /** Sends that await a FINISH, by id; id 0 is never used. */
  readonly #awaiting: (SendRequest | undefined)[] = [undefined]
  readonly #freeIds: number[] = []
  #attachedBytes = 0
  #bufferedBytes = 0

  constructor(
    memory: WorldMemory,
    endpoint: Endpoint,
    options: { eagerLimitBytes: number; strictZeroCopy: boolean },
  ) {
    this.#memory = memory
    this.#endpoint = endpoint
    this.#eagerLimitBytes = options.eagerLimitBytes
    this.#strictZeroCopy = options.strictZeroCopy
  }

  /**
   * Sends contiguous registered memory eagerly, if that is possible now: the hot path.
   *
   * @returns whether it is gone; otherwise nothing has happened and `start` takes it
   */
  sendRegistered(
    peer: Peer,
    context: number,
    tag: number,
    kind: number,
    address: number,
    bytes: number,
  ): boolean {
    if (this.#reserveEager(peer, bytes) === 0) return false
    this.#postEager(peer, context, tag, kind, bytes, address)
    this.#endpoint.counters.registeredCopies++
    return true
  }

  /** The same for any payload. */
  sendEager(peer: Peer, context: number, tag: number, payload: Payload): boolean {
    const at = this.#reserveEager(peer, payload.bytes)
    if (at === 0) return false
    if (payload.address === 0) payload.write(this.#memory, at + MESSAGE_HEADER_BYTES)
    this.#countCopy(payload)
    this.#postEager(peer, context, tag, payload.kind, payload.bytes, payload.address)
    return true
  }

  /** Starts a send of any kind and mode. */
  start(
    process: Process,
    communicator: CommunicatorState,
    context: number,
    name: OperationName,
    mode: number,
    dest: number,
    tag: number,
    payload: Payload,
  ): SendRequest {
    const { kind, bytes } = payload
    const request = new SendRequest(process, communicator, context, name, dest, tag, kind, bytes)
    const peer = this.#endpoint.peer(dest)
    const buffered = mode === BUFFERED ? this.#bufferSpaceFor(bytes) : 0
    if (mode !== SYNCHRONOUS && this.sendEager(peer, context, tag, payload)) {
      request.complete()
      return request
    }
    if ((mode === STANDARD || mode === READY) && this.#isEager(peer, bytes)) {
      this.#queueEager(peer, context, request, payload)
      return request
    }
    this.#startRendezvous(peer, context, request, payload, buffered)
    if (mode === BUFFERED) request.complete()
    return request
  }

  /** The peer has matched a synchronous send or fetched a payload. */
  finished(id: number): void {
    const request = this.#awaiting[id]!
    this.#awaiting[id] = undefined
    this.#freeIds.push(id)
    this.#finish(request)
  }

  /** Credit came back. */
  credited(peer: Peer, bytes: number): void {
    peer.credit += bytes
  }

  /** Memory for buffered sends from here on (MPI 4.1, section 3.6). */
  attachBuffer(bytes: number): void {
    if (this.#attachedBytes > 0) {
      throw new ArgumentError({
        argument: 'attachBuffer',
        seen: bytes,
        expected: 'called once: a buffer is attached already',
        advice: 'Detach it first',
      })
    }
    this.#attachedBytes = bytes
  }

  /** Precondition: no buffered send is open. @returns the size that was attached */
  detachBuffer(): number {
    const bytes = this.#attachedBytes
    this.#attachedBytes = 0
    return bytes
  }

  /** Sends under way whose request the program let go of. */
  get detached(): number {
    let count = 0
    for (const request of this.#awaiting) if (request?.completesAlone === true) count++
    return count
  }

  get bufferedBytes(): number {
    return this.#bufferedBytes
  }

  /** Sends that are not complete. */
  *pending(): Iterable<SendRequest> {
    for (const request of this.#awaiting) if (request !== undefined) yield request
  }

  #reserveEager(peer: Peer, bytes: number): number {
    if (!this.#isEager(peer, bytes) || peer.backlog.length !== 0) return 0
    return this.#endpoint.reserve(peer, bytes)
  }

  #isEager(peer: Peer, bytes: number): boolean {
    return bytes <= this.#eagerLimitBytes && peer.credit >= bytes
  }

  /**
   * There is no room now, but soon there will be, as soon as the peer makes progress: whether a
   * short message waits for its receive must not depend on how fast others came before it.
   */
  #queueEager(peer: Peer, context: number, request: SendRequest, payload: Payload): void {
    const { kind, bytes, address } = payload
    const staged = address === 0 && bytes > 0 ? this.#stage(payload) : 0
    if (address !== 0) this.#countCopy(payload)
    request.transfer = new Transfer(0, staged, 0)
    peer.credit -= bytes + EAGER_OVERHEAD_BYTES
    this.#count(peer, bytes)
    this.#endpoint.send(peer, {
      head: makeHead(EAGER, kind),
      context,
      tag: request.tag,
      bytes,
      request: 0,
      address: 0,
      key: 0,
      payload: staged === 0 ? address : staged,
      onPosted: () => this.#finish(request),
    })
  }

  #postEager(
    peer: Peer,
    context: number,
    tag: number,
    kind: number,
    bytes: number,
    payload: number,
  ): void {
    peer.credit -= bytes + EAGER_OVERHEAD_BYTES
    const head = makeHead(EAGER, kind)
    this.#endpoint.post(peer, head, context, tag, bytes, 0, 0, 0, payload, bytes)
    peer.sent++
    this.#endpoint.counters.countSent(bytes)
  }

  #countCopy(payload: Payload): void {
    if (payload.bytes === 0) return
    if (payload.address === 0) this.#endpoint.counters.stagedCopies++
    else this.#endpoint.counters.registeredCopies++
  }

  #startRendezvous(
    peer: Peer,
    context: number,
    request: SendRequest,
    payload: Payload,
    buffered: number,
  ): void {
    const { bytes } = payload
    let address = buffered > 0 ? 0 : payload.address
    let key = address === 0 ? 0 : this.#keyOf(address, bytes)
    let staged = 0
    if (key === 0 && bytes > 0) {
      if (this.#strictZeroCopy && bytes > this.#eagerLimitBytes) {
        throw this.#copyRefused(request.name, bytes)
      }
      address = this.#stage(payload)
      staged = address
      key = this.#endpoint.staging.keyOf(address)
    }
    const id = this.#register(request, staged, buffered)
    const head = makeHead(READY_TO_SEND, payload.kind)
    this.#endpoint.announce(peer, head, context, request.tag, bytes, id, address, key)
    this.#count(peer, bytes)
  }

  /** Memory of the program, or of the library itself. */
  #keyOf(address: number, bytes: number): number {
    const { registered, staging } = this.#endpoint
    return registered.keyOf(address, bytes) || staging.keyOf(address)
  }

  #copyRefused(operation: string, bytes: number): StagedCopyError {
    return new StagedCopyError({ operation, bytes, limitBytes: this.#eagerLimitBytes })
  }

  #count(peer: Peer, bytes: number): void {
    peer.sent++
    this.#endpoint.counters.countSent(bytes)
  }

  #stage(payload: Payload): number {
    const at = this.#endpoint.staging.allocate(payload.bytes)
    payload.write(this.#memory, at)
    this.#countCopy(payload)
    return at
  }

  #register(request: SendRequest, staged: number, buffered: number): number {
    const id = this.#freeIds.pop() ?? this.#awaiting.length
    this.#awaiting[id] = request
    request.transfer = new Transfer(id, staged, buffered)
    this.#bufferedBytes += buffered
    return id
  }

  #bufferSpaceFor(messageBytes: number): number {
    const needed = messageBytes + BUFFERED_OVERHEAD_BYTES
    const freeBytes = this.#attachedBytes - this.#bufferedBytes
    if (needed > freeBytes) {
      throw new BufferSpaceError({
        messageBytes,
        overheadBytes: BUFFERED_OVERHEAD_BYTES,
        freeBytes,
        attachedBytes: this.#attachedBytes,
      })
    }
    return needed
  }

  #finish(request: SendRequest): void {
    const { staged, buffered } = request.transfer!
    this.#bufferedBytes -= buffered
    if (staged !== 0) this.#endpoint.staging.free(staged)
    if (!request.done) request.complete()
  }
}

/** What a buffered message takes besides its bytes (MPI_BSEND_OVERHEAD). */
export const BUFFERED_OVERHEAD_BYTES = 64
