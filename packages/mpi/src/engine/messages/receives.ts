import type { CommunicatorState } from '../../comm/communicator-state.js'
import {
  NO_KIND,
  overlapsItself,
  resolveMemory,
  type Memory,
  type TypedArray,
} from '../../datatype/index.js'
import { OverlapError } from '../../errors/index.js'
import { ANY } from '../../p2p/matching/queued.js'
import { MemoryReceive } from '../../p2p/memory-receive.js'
import type { ReceiveRequest } from '../../p2p/receive-request.js'
import type { Request } from '../../p2p/request.js'
import type { Spread } from '../../p2p/spread.js'
import { copyStatus, Status } from '../../p2p/status.js'
import type { OperationName } from '../../record/operation.js'
import { TraceFlag } from '../../record/trace.js'
import { ValueReceive } from '../../value/value-receive.js'
import { NOBODY, sourceOf, tagToReceive } from '../arguments.js'
import { hand, needThread } from '../calls.js'
import { NullRequest } from './null-request.js'
import type { RecvOptions } from '../options.js'
import { viewOf } from './payloads.js'
import type { Rank } from '../rank.js'
import type { ReceiveVerb } from './verbs.js'

/** Receives as the face asks for them: arguments checked, operations recorded, then carried out. */
export class Receives {
  readonly #rank: Rank

  constructor(rank: Rank) {
    this.#rank = rank
  }

  recv(communicator: CommunicatorState, options: RecvOptions, verb: ReceiveVerb): unknown {
    needThread(this.#rank.carrier, verb)
    const request = this.#startValue(communicator, options, verb, TraceFlag.blocking)
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
    const request = this.#startValue(communicator, options, verb, 0)
    if (request === undefined) {
      return new NullRequest(this.#rank, nothingInto(options.status, undefined))
    }
    if (options.status !== undefined) request.fillOnCompletion(options.status)
    return hand(this.#rank, request)
  }

  recvInto(
    communicator: CommunicatorState,
    memory: Memory,
    options: RecvOptions,
    verb: ReceiveVerb,
  ): Status {
    needThread(this.#rank.carrier, verb)
    const request = this.#startMemory(communicator, memory, options, verb, TraceFlag.blocking)
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
    const request = this.#startMemory(communicator, memory, options, verb, 0)
    if (request === undefined) {
      return new NullRequest(this.#rank, nothingInto(options.status, new Status()))
    }
    if (options.status !== undefined) request.fillOnCompletion(options.status)
    return hand(this.#rank, request)
  }

  /** Checks the arguments of a persistent receive. */
  check(communicator: CommunicatorState, options: RecvOptions, memory?: Memory): void {
    sourceOf(communicator, options)
    tagToReceive(options.tag, 'tag')
    if (memory !== undefined) resolveMemory(memory)
  }

  #startValue(
    communicator: CommunicatorState,
    options: RecvOptions,
    verb: ReceiveVerb,
    flags: number,
  ): ReceiveRequest<unknown> | undefined {
    const source = sourceOf(communicator, options)
    const tag = tagToReceive(options.tag, 'tag')
    if (source === NOBODY) return undefined
    const request = this.ofValue(communicator, source, tag, verb.name)
    this.post(request, verb, flags, 0, NO_KIND)
    return request
  }

  #startMemory(
    communicator: CommunicatorState,
    memory: Memory,
    options: RecvOptions,
    verb: ReceiveVerb,
    flags: number,
  ): ReceiveRequest<Status> | undefined {
    const source = sourceOf(communicator, options)
    const tag = tagToReceive(options.tag, 'tag')
    const request = this.ofMemory(communicator, memory, source, tag, verb.name)
    if (source === NOBODY) return undefined
    this.claim(request, (flags & TraceFlag.blocking) === 0)
    this.post(request, verb, flags, request.bytesMax, request.kind)
    return request
  }

  /** A receive of a value that is not posted yet. */
  ofValue(
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
  ofMemory(
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

  /** Posts a receive, and records it. */
  post(
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

/** What a receive from PROC_NULL gives, and its status. */
export function nothingInto<T>(status: Status | undefined, nothing: T): T {
  if (status !== undefined) copyStatus(new Status(), status)
  return nothing
}
