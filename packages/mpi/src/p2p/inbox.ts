import type { WorldMemory } from '@commworld/transport'
import type { Endpoint } from '../device/endpoint.js'
import {
  ADDRESS,
  BYTES,
  CONTEXT,
  CREDIT,
  EAGER,
  FINISH,
  HEAD,
  headKind,
  headType,
  KEY,
  makeHead,
  MESSAGE_HEADER_BYTES,
  READY_TO_SEND,
  REQUEST,
  TAG,
} from '../device/message.js'
import type { Peer } from '../device/peer.js'
import { InternalError, StagedCopyError } from '../errors/index.js'
import { Fetches } from './fetch.js'
import { PostedQueue } from './matching/posted-queue.js'
import { UnexpectedQueue } from './matching/unexpected-queue.js'
import { EAGER_OVERHEAD_BYTES, type Outbox } from './outbox.js'
import type { Withdrawals } from './process.js'
import type { ReceiveRequest } from './receive-request.js'
import { UnexpectedMessage } from './unexpected-message.js'

/**
 * The receiving half of point-to-point: brings receives and messages together, in the order that
 * MPI 4.1, section 3.5 demands, and takes the payload in.
 */
export class Inbox implements Withdrawals {
  readonly #memory: WorldMemory
  readonly #endpoint: Endpoint
  readonly #outbox: Outbox
  readonly #fetches: Fetches
  readonly #stagedBytesMax: number
  readonly posted = new PostedQueue<ReceiveRequest<unknown>>()
  readonly unexpected = new UnexpectedQueue<UnexpectedMessage>()
  /** Told of each match, for the trace of the buffering check. */
  onMatch: ((receive: ReceiveRequest<unknown>, source: number, number: number) => void) | undefined

  /** @param options.stagedBytesMax longest payload that may be staged on its way in */
  constructor(
    memory: WorldMemory,
    endpoint: Endpoint,
    outbox: Outbox,
    options: { stagedBytesMax: number },
  ) {
    this.#memory = memory
    this.#endpoint = endpoint
    this.#outbox = outbox
    this.#stagedBytesMax = options.stagedBytesMax
    this.#fetches = new Fetches(endpoint)
  }

  /** Starts a receive: it takes a message that is there, or is posted. */
  post(receive: ReceiveRequest<unknown>): void {
    const message = this.unexpected.find(receive.context, receive.source, receive.tag)
    if (message === undefined) this.posted.append(receive)
    else this.deliver(message, receive)
  }

  /** Takes a posted receive back. @returns whether it had not matched */
  withdraw(receive: ReceiveRequest<unknown>): boolean {
    if (receive.matched) return false
    this.posted.remove(receive)
    return true
  }

  /** Gives an unexpected message to a receive. */
  deliver(message: UnexpectedMessage, receive: ReceiveRequest<unknown>): void {
    this.unexpected.remove(message)
    this.deliverTaken(message, receive)
  }

  /** The same for a message that a matched probe has taken out already. */
  deliverTaken(message: UnexpectedMessage, receive: ReceiveRequest<unknown>): void {
    const { peer, tag, kind, bytes } = message
    this.#match(receive, peer, tag, kind, bytes, message.number)
    if (message.eager) {
      this.#landEager(receive, message.address)
      if (message.address !== 0) this.#endpoint.staging.free(message.address)
      this.#repay(peer, bytes)
    } else {
      this.#fetch(receive, peer, message.address, message.key, message.request)
    }
  }

  /** A message has come; its header lies at `address`, and what it needs of it must be taken now. */
  arrived(address: number, peer: Peer): void {
    const i32 = this.#memory.i32
    const word = address >>> 2
    const head = i32[word + HEAD]!
    switch (headType(head)) {
      case EAGER:
        peer.received++
        this.#eager(address, word, peer, headKind(head))
        break
      case READY_TO_SEND:
        peer.received++
        this.#readyToSend(word, peer, headKind(head))
        break
      case FINISH:
        this.#outbox.finished(i32[word + REQUEST]!)
        break
      case CREDIT:
        this.#outbox.credited(peer, i32[word + KEY]!)
        break
      default:
        throw new InternalError(
          `a message of unknown type ${headType(head)} from rank ${peer.rank}`,
        )
    }
  }

  /** An RDMA READ of this rank has completed. */
  readCompleted(token: number, status: number): void {
    this.#fetches.completed(token, status)
  }

  #eager(address: number, word: number, peer: Peer, kind: number): void {
    const i32 = this.#memory.i32
    const context = i32[word + CONTEXT]!
    const tag = i32[word + TAG]!
    const bytes = i32[word + BYTES]!
    const receive = this.posted.take(context, peer.rank, tag)
    if (receive !== undefined) {
      this.#match(receive, peer, tag, kind, bytes, peer.received)
      this.#landEager(receive, address + MESSAGE_HEADER_BYTES)
      this.#repay(peer, bytes)
    } else {
      this.#keep(address, peer, context, tag, kind, bytes)
    }
  }

  #keep(
    address: number,
    peer: Peer,
    context: number,
    tag: number,
    kind: number,
    bytes: number,
  ): void {
    let kept = 0
    if (bytes > 0) {
      kept = this.#endpoint.staging.allocate(bytes)
      this.#memory.kernels.copy(kept, address + MESSAGE_HEADER_BYTES, bytes)
      this.#endpoint.counters.unexpectedCopies++
    }
    this.unexpected.append(new UnexpectedMessage(peer, context, tag, kind, bytes, kept, 0, 0, true))
  }

  #readyToSend(word: number, peer: Peer, kind: number): void {
    const i32 = this.#memory.i32
    const context = i32[word + CONTEXT]!
    const tag = i32[word + TAG]!
    const bytes = i32[word + BYTES]! >>> 0
    const address = i32[word + ADDRESS]! >>> 0
    const key = i32[word + KEY]!
    const request = i32[word + REQUEST]!
    const receive = this.posted.take(context, peer.rank, tag)
    if (receive !== undefined) {
      this.#match(receive, peer, tag, kind, bytes, peer.received)
      this.#fetch(receive, peer, address, key, request)
    } else {
      this.unexpected.append(
        new UnexpectedMessage(peer, context, tag, kind, bytes, address, key, request, false),
      )
    }
  }

  #match(
    receive: ReceiveRequest<unknown>,
    peer: Peer,
    tag: number,
    kind: number,
    bytes: number,
    number: number,
  ): void {
    receive.match(peer, tag, kind, bytes)
    this.#endpoint.counters.messagesReceived++
    if (receive.traced >= 0 && this.onMatch !== undefined) this.onMatch(receive, peer.rank, number)
  }

  #landEager(receive: ReceiveRequest<unknown>, address: number): void {
    const refused = receive.refuse()
    if (refused !== undefined) {
      receive.fail(refused)
    } else {
      receive.land(address)
      receive.complete()
    }
  }

  #fetch(
    receive: ReceiveRequest<unknown>,
    peer: Peer,
    address: number,
    key: number,
    request: number,
  ): void {
    const refused = receive.refuse() ?? this.#refuseCopy(receive)
    if (refused !== undefined || receive.messageBytes === 0) {
      this.#endpoint.answer(peer, makeHead(FINISH, 0), request, 0)
      if (refused !== undefined) receive.fail(refused)
      else this.#landEager(receive, 0)
    } else {
      this.#fetches.start(receive, peer, address, key, request)
    }
  }

  #refuseCopy(receive: ReceiveRequest<unknown>): StagedCopyError | undefined {
    const { name: operation, messageBytes: bytes } = receive
    const limitBytes = this.#stagedBytesMax
    if (bytes <= limitBytes || receive.target() !== 0) return undefined
    return new StagedCopyError({ operation, bytes, limitBytes })
  }

  /** Gives eager credit back when half of what a peer may have under way has gathered. */
  #repay(peer: Peer, bytes: number): void {
    peer.owed += bytes + EAGER_OVERHEAD_BYTES
    if (peer.owed >= this.#endpoint.creditBytes >>> 1) {
      this.#endpoint.answer(peer, makeHead(CREDIT, 0), 0, peer.owed)
      peer.owed = 0
    }
  }
}
