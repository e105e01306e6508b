import type { CommunicatorState } from '../comm/communicator-state.js'
import {
  checkUsable,
  Datatype,
  kindOf,
  NO_KIND,
  overlapsItself,
  resolveMemory,
  type Memory,
  type TypedArray,
} from '../datatype/index.js'
import { OverlapError, SharedThreadError } from '../errors/index.js'
import { ANY } from '../p2p/matching/queued.js'
import { ExchangeRequest } from '../p2p/exchange-request.js'
import { MemoryReceive } from '../p2p/memory-receive.js'
import {
  BytesPayload,
  PlainPayload,
  type RegisteredPayload,
  SpreadPayload,
  type Payload,
} from '../p2p/payload.js'
import type { ReceiveRequest } from '../p2p/receive-request.js'
import type { Request } from '../p2p/request.js'
import { isScalar, ScalarPayload } from '../p2p/scalar.js'
import { BUFFERED, STANDARD } from '../p2p/send-mode.js'
import type { Spread } from '../p2p/spread.js'
import type { SendRequest } from '../p2p/send-request.js'
import { copyStatus, Status } from '../p2p/status.js'
import { operationCode, TraceFlag } from '../record/trace.js'
import type { OperationName } from '../record/operation.js'
import { ValueReceive } from '../value/value-receive.js'
import { destOf, NOBODY, sourceOf, tagToReceive, tagToSend } from './arguments.js'
import { NullRequest } from './null-request.js'
import type { RecvOptions, SendOptions, SendrecvOptions } from './options.js'
import type { Rank } from './rank.js'

/** A way to send: what reports call it, and its mode. */
export interface SendVerb {
  readonly name: OperationName
  readonly code: number
  readonly mode: number
  /** What to call instead on a thread that ranks share. */
  readonly instead: string
}

export function sendVerb(name: OperationName, mode: number): SendVerb {
  return { name, code: operationCode(name), mode, instead: `await world.i${name}(...)` }
}

/** A way to receive. */
export interface ReceiveVerb {
  readonly name: OperationName
  readonly code: number
  readonly instead: string
}

export function receiveVerb(name: OperationName): ReceiveVerb {
  return { name, code: operationCode(name), instead: `await world.i${name}(...)` }
}

const EXCHANGE_SEND = sendVerb('isend', STANDARD)

/** Point-to-point as the face asks for it: arguments checked, operations recorded, then carried out. */
export class PointToPoint {
  readonly #rank: Rank

  constructor(rank: Rank) {
    this.#rank = rank
  }

  send(
    communicator: CommunicatorState,
    value: unknown,
    options: SendOptions,
    verb: SendVerb,
  ): void {
    const rank = this.#rank
    this.#needThread(verb)
    const dest = destOf(communicator, options.dest)
    const tag = tagToSend(options.tag, 'tag')
    if (dest === NOBODY) return
    const view = verb.mode === STANDARD ? rank.views.find(value) : undefined
    if (view !== undefined && this.#sendView(communicator, view, dest, tag, verb)) return
    this.#start(communicator, value, dest, tag, verb, TraceFlag.blocking).take()
  }

  /** The hot path: memory that is known, to a peer that has room. */
  #sendView(
    communicator: CommunicatorState,
    { kind, address, bytes }: RegisteredPayload,
    dest: number,
    tag: number,
    verb: SendVerb,
  ): boolean {
    const rank = this.#rank
    if (rank.ownership.busy) rank.ownership.checkSend(address, address + bytes, verb.name)
    const context = communicator.sendContext
    const peer = rank.endpoint.peer(dest)
    if (!rank.outbox.sendRegistered(peer, context, tag, kind, address, bytes)) return false
    rank.log.add(verb.code, dest, tag, context, bytes, kind)
    rank.trace.send(verb.code, TraceFlag.blocking, dest, peer.sent - 1, context, tag)
    return true
  }

  isend(
    communicator: CommunicatorState,
    value: unknown,
    options: SendOptions,
    verb: SendVerb,
  ): Request<void> {
    const rank = this.#rank
    const dest = destOf(communicator, options.dest)
    const tag = tagToSend(options.tag, 'tag')
    if (dest === NOBODY) return new NullRequest<void>(rank, undefined)
    return this.hand(this.#start(communicator, value, dest, tag, verb, 0))
  }

  recv(communicator: CommunicatorState, options: RecvOptions, verb: ReceiveVerb): unknown {
    this.#needThread(verb)
    const request = this.#receiveValue(communicator, options, verb, TraceFlag.blocking)
    if (request === undefined) return nothingInto(options.status, undefined)
    const value = request.take()
    if (options.status !== undefined) request.fillStatus(options.status)
    return value
  }

  irecv(
    communicator: CommunicatorState,
    options: RecvOptions,
    verb: ReceiveVerb,
  ): Request<unknown> {
    const request = this.#receiveValue(communicator, options, verb, 0)
    if (request === undefined) {
      return new NullRequest(this.#rank, nothingInto(options.status, undefined))
    }
    if (options.status !== undefined) request.fillOnCompletion(options.status)
    return this.hand(request)
  }

  recvInto(
    communicator: CommunicatorState,
    memory: Memory,
    options: RecvOptions,
    verb: ReceiveVerb,
  ): Status {
    this.#needThread(verb)
    const request = this.#receiveMemory(communicator, memory, options, verb, TraceFlag.blocking)
    if (request === undefined) return nothingInto(options.status, new Status())
    const status = request.take()
    if (options.status !== undefined) copyStatus(status, options.status)
    return status
  }

  irecvInto(
    communicator: CommunicatorState,
    memory: Memory,
    options: RecvOptions,
    verb: ReceiveVerb,
  ): Request<Status> {
    const request = this.#receiveMemory(communicator, memory, options, verb, 0)
    if (request === undefined) {
      return new NullRequest(this.#rank, nothingInto(options.status, new Status()))
    }
    if (options.status !== undefined) request.fillOnCompletion(options.status)
    return this.hand(request)
  }

  /** Gives a request to the program: it is told where it was made, and watched until looked at. */
  hand<T>(request: Request<T>): Request<T> {
    const rank = this.#rank
    request.site = rank.sites.capture(this.hand)
    rank.openRequests.add(request)
    return request
  }

  /** Sends one value and receives another. */
  exchangeValues(
    communicator: CommunicatorState,
    value: unknown,
    options: SendrecvOptions,
    verb: ReceiveVerb,
  ): Request<unknown> {
    const source = sourceOf(communicator, options.source)
    const tag = tagToReceive(options.recvTag, 'recvTag')
    const receive =
      source === NOBODY ? undefined : this.valueReceive(communicator, source, tag, verb.name)
    const payload = this.payloadOf(value)
    this.#checkReadable(payload, value, verb.name)
    return this.#exchange(communicator, payload, receive, undefined, options, verb, undefined)
  }

  /** Sends from one memory and receives into another. */
  exchangeMemory(
    communicator: CommunicatorState,
    send: Memory,
    recv: Memory,
    options: SendrecvOptions,
    verb: ReceiveVerb,
  ): Request<Status> {
    const payload = this.#payloadOfMemory(send)
    const receive = this.#exchangeReceive(communicator, recv, options, verb)
    if (receive !== undefined) checkApart(verb.name, send, receive)
    this.#checkReadable(payload, send, verb.name)
    const nothing = new Status()
    return this.#exchange(communicator, payload, receive, receive, options, verb, nothing)
  }

  /** Sends what a memory holds and receives into it: what goes out is copied first. */
  replace(
    communicator: CommunicatorState,
    memory: Memory,
    options: SendrecvOptions,
    verb: ReceiveVerb,
  ): Request<Status> {
    const { data, kind, layout, offset, count, contiguous, byteOffset, bytes } =
      resolveMemory(memory)
    const copy =
      layout === undefined || contiguous ? viewOf(data, byteOffset, bytes).slice() : data.slice()
    const payload =
      layout === undefined || contiguous
        ? new PlainPayload(kind, copy)
        : new SpreadPayload(kind, copy, { layout, offset, count })
    const receive = this.#exchangeReceive(communicator, memory, options, verb)
    const nothing = new Status()
    return this.#exchange(communicator, payload, receive, receive, options, verb, nothing)
  }

  /** Checks the arguments of a persistent send. */
  checkSend(communicator: CommunicatorState, options: SendOptions): void {
    destOf(communicator, options.dest)
    tagToSend(options.tag, 'tag')
  }

  /** Checks the arguments of a persistent receive. */
  checkReceive(communicator: CommunicatorState, options: RecvOptions, memory?: Memory): void {
    sourceOf(communicator, options.source)
    tagToReceive(options.tag, 'tag')
    if (memory !== undefined) resolveMemory(memory)
  }

  #exchangeReceive(
    communicator: CommunicatorState,
    memory: Memory,
    options: SendrecvOptions,
    verb: ReceiveVerb,
  ): MemoryReceive | undefined {
    const source = sourceOf(communicator, options.source)
    const tag = tagToReceive(options.recvTag, 'recvTag')
    const request = this.memoryReceive(communicator, memory, source, tag, verb.name)
    return source === NOBODY ? undefined : request
  }

  #exchange<T>(
    communicator: CommunicatorState,
    payload: Payload,
    receive: ReceiveRequest<T> | undefined,
    claimed: MemoryReceive | undefined,
    options: SendrecvOptions,
    verb: ReceiveVerb,
    nothing: T,
  ): Request<T> {
    const rank = this.#rank
    const dest = destOf(communicator, options.dest)
    const sendTag = tagToSend(options.sendTag, 'sendTag')
    if (claimed !== undefined) this.claim(claimed, true)
    if (receive !== undefined) {
      // The receive first, so that ranks that exchange find each other's posted.
      this.#post(receive, verb, 0, payload.bytes, payload.kind)
      if (options.status !== undefined) receive.fillOnCompletion(options.status)
    } else {
      nothingInto(options.status, undefined)
    }
    const receiving: Request<T> = receive ?? new NullRequest<T>(rank, nothing)
    try {
      const send =
        dest === NOBODY
          ? new NullRequest<void>(rank, undefined)
          : this.#startPayload(communicator, payload, dest, sendTag, EXCHANGE_SEND, 0)
      return new ExchangeRequest<T>(verb.name, send, receiving)
    } catch (error) {
      receiving.cancel() // nothing was sent, so what would come is not for this call
      throw error
    }
  }

  /** The payload of whatever `send` was given. */
  payloadOf(value: unknown): Payload {
    const { codec, views } = this.#rank
    const view = views.find(value)
    if (view !== undefined) return view
    const kind = kindOf(value)
    if (kind !== NO_KIND) return this.#payloadOfArray(value as TypedArray, kind)
    if (isScalar(value)) return new ScalarPayload(value)
    if (isMemoryObject(value)) return this.#payloadOfMemory(value)
    const encoded = codec.encode(value)
    return new BytesPayload(encoded.kind, encoded.bytes)
  }

  #payloadOfArray(data: TypedArray, kind: number): Payload {
    const view = this.#rank.views.look(data, kind)
    if (view !== undefined) return view
    checkUsable(data, 'value')
    return new PlainPayload(kind, data)
  }

  #payloadOfMemory(memory: Memory): Payload {
    const { data, kind, layout, offset, count, contiguous, byteOffset, bytes } = resolveMemory(
      memory,
      'value',
    )
    if (layout === undefined || contiguous) {
      return this.#payloadOfArray(viewOf(data, byteOffset, bytes), kind)
    }
    return new SpreadPayload(kind, data, { layout, offset, count })
  }

  #start(
    communicator: CommunicatorState,
    value: unknown,
    dest: number,
    tag: number,
    verb: SendVerb,
    flags: number,
  ): SendRequest {
    const payload = this.payloadOf(value)
    this.#checkReadable(payload, value, verb.name)
    return this.#startPayload(communicator, payload, dest, tag, verb, flags)
  }

  /** What a receive under way will write cannot be sent. */
  #checkReadable({ address, bytes }: Payload, value: unknown, operation: string): void {
    const { ownership } = this.#rank
    if (!ownership.busy) return
    if (address !== 0) ownership.checkSend(address, address + bytes, operation)
    else if (ArrayBuffer.isView(value)) ownership.checkSendElsewhere(value, operation)
  }

  #startPayload(
    communicator: CommunicatorState,
    payload: Payload,
    dest: number,
    tag: number,
    verb: SendVerb,
    flags: number,
  ): SendRequest {
    const rank = this.#rank
    const context = communicator.sendContext
    const request = rank.outbox.start(
      rank,
      communicator,
      context,
      verb.name,
      verb.mode,
      dest,
      tag,
      payload,
    )
    request.sequence = rank.log.count
    rank.log.add(verb.code, dest, tag, context, payload.bytes, payload.kind)
    const buffered = verb.mode === BUFFERED ? TraceFlag.buffered : 0
    const number = rank.endpoint.peer(dest).sent - 1
    request.traced = rank.trace.send(verb.code, flags | buffered, dest, number, context, tag)
    if (!request.done && payload.address !== 0) request.own(rank.ownership, payload.address)
    return request
  }

  #receiveValue(
    communicator: CommunicatorState,
    options: RecvOptions,
    verb: ReceiveVerb,
    flags: number,
  ): ReceiveRequest<unknown> | undefined {
    const source = sourceOf(communicator, options.source)
    const tag = tagToReceive(options.tag, 'tag')
    if (source === NOBODY) return undefined
    const request = this.valueReceive(communicator, source, tag, verb.name)
    this.#post(request, verb, flags, 0, NO_KIND)
    return request
  }

  #receiveMemory(
    communicator: CommunicatorState,
    memory: Memory,
    options: RecvOptions,
    verb: ReceiveVerb,
    flags: number,
  ): ReceiveRequest<Status> | undefined {
    const source = sourceOf(communicator, options.source)
    const tag = tagToReceive(options.tag, 'tag')
    const request = this.memoryReceive(communicator, memory, source, tag, verb.name)
    if (source === NOBODY) return undefined
    this.claim(request, (flags & TraceFlag.blocking) === 0)
    this.#post(request, verb, flags, request.bytesMax, request.kind)
    return request
  }

  /** A receive of a value that is not posted yet. */
  valueReceive(
    communicator: CommunicatorState,
    source: number,
    tag: number,
    name: OperationName,
  ): ValueReceive<unknown> {
    const rank = this.#rank
    const context = communicator.receiveContext
    return new ValueReceive(rank, communicator, name, context, source, tag, rank.codec)
  }

  /** A receive into memory that is not posted yet; arguments are checked. */
  memoryReceive(
    communicator: CommunicatorState,
    memory: Memory,
    source: number,
    tag: number,
    name: OperationName,
  ): MemoryReceive {
    const rank = this.#rank
    const { views } = rank
    const context = communicator.receiveContext
    const known = views.find(memory)
    if (known !== undefined) {
      const { kind, address, bytes } = known
      return new MemoryReceive(
        rank,
        communicator,
        name,
        context,
        source,
        tag,
        memory as TypedArray,
        kind,
        address,
        bytes,
        undefined,
      )
    }
    const { data, spread, kind, bytes } = this.#receivable(memory, name)
    const view = views.look(data, kind)
    return new MemoryReceive(
      rank,
      communicator,
      name,
      context,
      source,
      tag,
      data,
      kind,
      view === undefined ? 0 : view.address,
      bytes,
      spread,
    )
  }

  /** Memory to receive into, checked: an array, or the spread part of one. */
  #receivable(
    memory: Memory,
    name: OperationName,
  ): { data: TypedArray; kind: number; bytes: number; spread: Spread | undefined } {
    const { data, kind, layout, offset, count, contiguous, byteOffset, bytes } =
      resolveMemory(memory)
    if (layout === undefined || contiguous) {
      const whole = memory === data
      return {
        data: whole ? data : viewOf(data, byteOffset, bytes),
        kind,
        bytes,
        spread: undefined,
      }
    }
    if (overlapsItself(layout, count)) {
      throw new OverlapError({ operation: name, first: 'memory', second: 'memory' })
    }
    return { data, kind, bytes, spread: { layout, offset, count } }
  }

  #needThread(verb: { readonly name: OperationName; readonly instead: string }): void {
    if (this.#rank.carrier.blocks) return
    throw new SharedThreadError({ operation: verb.name, instead: verb.instead })
  }

  #post(
    request: ReceiveRequest<unknown>,
    verb: ReceiveVerb,
    flags: number,
    bytes: number,
    kind: number,
  ): void {
    const rank = this.#rank
    const { context, source, tag } = request
    request.order = rank.log.count
    rank.log.add(verb.code, source, tag, context, bytes, kind)
    const choice = source === ANY ? TraceFlag.choice : 0
    request.traced = rank.trace.receive(verb.code, flags | choice, context, tag)
    rank.inbox.post(request)
  }

  /** Nobody else may touch what a receive will write; one that blocks needs no entry, only the look. */
  claim(request: MemoryReceive, lasting: boolean): void {
    if (request.spread !== undefined) return // its gaps belong to others: checked by nobody
    const { ownership } = this.#rank
    if (lasting) {
      ownership.addReceive(request, request.name)
      request.owned = true
    } else if (ownership.busy) {
      ownership.checkReceive(request, request.name)
    }
  }
}

/** @throws OverlapError when what is sent and what is received into share memory */
function checkApart(operation: string, send: Memory, receive: MemoryReceive): void {
  const sent = resolveMemory(send)
  const { data, spread } = receive
  if (sent.data.buffer !== data.buffer || !(sent.contiguous && spread === undefined)) return
  if (sent.bytes === 0 || data.byteLength === 0) return
  const end = sent.byteOffset + sent.bytes
  if (sent.byteOffset < data.byteOffset + data.byteLength && data.byteOffset < end) {
    const advice = 'Use sendrecvReplace to send and receive in one buffer'
    throw new OverlapError({ operation, first: 'send', second: 'recv', advice })
  }
}

/** What a receive from PROC_NULL gives, and its status. */
function nothingInto<T>(status: Status | undefined, nothing: T): T {
  if (status !== undefined) copyStatus(new Status(), status)
  return nothing
}

/** An object with a datatype is memory, not a value: a datatype cannot be sent. */
function isMemoryObject(value: unknown): value is { data: TypedArray; datatype: Datatype } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'datatype' in value &&
    value.datatype instanceof Datatype
  )
}

function viewOf(data: TypedArray, byteOffset: number, bytes: number): TypedArray {
  const first = (byteOffset - data.byteOffset) / data.BYTES_PER_ELEMENT
  return data.subarray(first, first + bytes / data.BYTES_PER_ELEMENT)
}
