import type { CommunicatorState } from '../../comm/communicator-state.js'
import { PlainPayload, type Payload, type RegisteredPayload } from '../../p2p/payload.js'
import type { Request } from '../../p2p/request.js'
import { BUFFERED, STANDARD } from '../../p2p/send-mode.js'
import type { SendRequest } from '../../p2p/send-request.js'
import { TraceFlag } from '../../record/trace.js'
import { destOf, NOBODY, tagToSend } from '../arguments.js'
import { hand, needThread } from '../calls.js'
import { NullRequest } from './null-request.js'
import type { SendOptions } from '../options.js'
import type { Payloads } from './payloads.js'
import type { Rank } from '../rank.js'
import type { SendVerb } from './verbs.js'

/** Sends as the face asks for them: arguments checked, operations recorded, then carried out. */
export class Sends {
  readonly #rank: Rank
  readonly #payloads: Payloads

  constructor(rank: Rank, payloads: Payloads) {
    this.#rank = rank
    this.#payloads = payloads
  }

  send(
    communicator: CommunicatorState,
    value: unknown,
    options: SendOptions,
    verb: SendVerb,
  ): void {
    const rank = this.#rank
    needThread(rank.carrier, verb)
    const dest = destOf(communicator, options)
    const tag = tagToSend(options.tag, 'tag')
    if (dest === NOBODY) return
    const view = verb.mode === STANDARD ? rank.views.find(value) : undefined
    if (view === undefined) {
      this.#startValue(communicator, value, dest, tag, verb, TraceFlag.blocking).take()
    } else if (!this.#sendView(communicator, view, dest, tag, verb)) {
      this.start(communicator, view, dest, tag, verb, TraceFlag.blocking).take()
    }
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
    const dest = destOf(communicator, options)
    const tag = tagToSend(options.tag, 'tag')
    if (dest === NOBODY) return new NullRequest<void>(rank, undefined)
    return hand(rank, this.#startValue(communicator, value, dest, tag, verb, 0))
  }

  /** Checks the arguments of a persistent send. */
  check(communicator: CommunicatorState, options: SendOptions): void {
    destOf(communicator, options)
    tagToSend(options.tag, 'tag')
  }

  #startValue(
    communicator: CommunicatorState,
    value: unknown,
    dest: number,
    tag: number,
    verb: SendVerb,
    flags: number,
  ): SendRequest {
    const payload = this.#payloads.of(value)
    this.checkReadable(payload, verb.name)
    return this.start(communicator, payload, dest, tag, verb, flags)
  }

  /** Contiguous memory that a receive under way will write cannot be sent. */
  checkReadable(payload: Payload, operation: string): void {
    const { ownership } = this.#rank
    if (!ownership.busy) return
    const { address, bytes } = payload
    if (address !== 0) ownership.checkSend(address, address + bytes, operation)
    else if (payload instanceof PlainPayload) ownership.checkSendElsewhere(payload.data, operation)
  }

  /** Starts a send of a payload, and records it. */
  start(
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
    // While a blocking send waits, nothing of the program runs that could touch its memory.
    const open = !request.done && (flags & TraceFlag.blocking) === 0
    if (open && payload.address !== 0) request.own(rank.ownership, payload.address)
    return request
  }
}
