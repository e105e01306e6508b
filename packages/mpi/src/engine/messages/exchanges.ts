import type { CommunicatorState } from '../../comm/communicator-state.js'
import { resolveMemory, type Memory } from '../../datatype/index.js'
import { OverlapError } from '../../errors/index.js'
import { ExchangeRequest } from '../../p2p/exchange-request.js'
import type { MemoryReceive } from '../../p2p/memory-receive.js'
import { PlainPayload, SpreadPayload, type Payload } from '../../p2p/payload.js'
import type { ReceiveRequest } from '../../p2p/receive-request.js'
import type { Request } from '../../p2p/request.js'
import { STANDARD } from '../../p2p/send-mode.js'
import { Status } from '../../p2p/status.js'
import { destOf, NOBODY, sourceOf, tagToReceive, tagToSend } from '../arguments.js'
import { NullRequest } from './null-request.js'
import type { SendrecvOptions } from '../options.js'
import { viewOf, type Payloads } from './payloads.js'
import type { Rank } from '../rank.js'
import { nothingInto, type Receives } from './receives.js'
import type { Sends } from './sends.js'
import { sendVerb, type ReceiveVerb } from './verbs.js'

const EXCHANGE_SEND = sendVerb('isend', STANDARD)

/** A send and a receive in one call (MPI 4.1, section 3.11). */
export class Exchanges {
  readonly #rank: Rank
  readonly #payloads: Payloads
  readonly #sends: Sends
  readonly #receives: Receives

  constructor(rank: Rank, payloads: Payloads, sends: Sends, receives: Receives) {
    this.#rank = rank
    this.#payloads = payloads
    this.#sends = sends
    this.#receives = receives
  }

  /** Sends one value and receives another. */
  values(
    communicator: CommunicatorState,
    value: unknown,
    options: SendrecvOptions,
    verb: ReceiveVerb,
  ): Request<unknown> {
    const source = sourceOf(communicator, options)
    const tag = tagToReceive(options.recvTag, 'recvTag')
    const receive =
      source === NOBODY ? undefined : this.#receives.ofValue(communicator, source, tag, verb.name)
    const payload = this.#payloads.of(value)
    this.#sends.checkReadable(payload, verb.name)
    return this.#start(communicator, payload, receive, undefined, options, verb, undefined)
  }

  /** Sends from one memory and receives into another. */
  memory(
    communicator: CommunicatorState,
    send: Memory,
    recv: Memory,
    options: SendrecvOptions,
    verb: ReceiveVerb,
  ): Request<Status> {
    const payload = this.#payloads.ofMemory(send)
    const receive = this.#receive(communicator, recv, options, verb)
    if (receive !== undefined) checkApart(verb.name, send, receive)
    this.#sends.checkReadable(payload, verb.name)
    const nothing = new Status()
    return this.#start(communicator, payload, receive, receive, options, verb, nothing)
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
    const receive = this.#receive(communicator, memory, options, verb)
    const nothing = new Status()
    return this.#start(communicator, payload, receive, receive, options, verb, nothing)
  }

  #receive(
    communicator: CommunicatorState,
    memory: Memory,
    options: SendrecvOptions,
    verb: ReceiveVerb,
  ): MemoryReceive | undefined {
    const source = sourceOf(communicator, options)
    const tag = tagToReceive(options.recvTag, 'recvTag')
    const request = this.#receives.ofMemory(communicator, memory, source, tag, verb.name)
    return source === NOBODY ? undefined : request
  }

  #start<T>(
    communicator: CommunicatorState,
    payload: Payload,
    receive: ReceiveRequest<T> | undefined,
    claimed: MemoryReceive | undefined,
    options: SendrecvOptions,
    verb: ReceiveVerb,
    nothing: T,
  ): Request<T> {
    const rank = this.#rank
    const dest = destOf(communicator, options)
    const sendTag = tagToSend(options.sendTag, 'sendTag')
    if (claimed !== undefined) this.#receives.claim(claimed, true)
    if (receive !== undefined) {
      // The receive first, so that ranks that exchange find each other's posted.
      this.#receives.post(receive, verb, 0, payload.bytes, payload.kind)
      if (options.status !== undefined) receive.fillOnCompletion(options.status)
    } else {
      nothingInto(options.status, undefined)
    }
    const receiving: Request<T> = receive ?? new NullRequest<T>(rank, nothing)
    try {
      const send =
        dest === NOBODY
          ? new NullRequest<void>(rank, undefined)
          : this.#sends.start(communicator, payload, dest, sendTag, EXCHANGE_SEND, 0)
      return new ExchangeRequest<T>(verb.name, send, receiving)
    } catch (error) {
      receiving.cancel() // nothing was sent, so what would come is not for this call
      throw error
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
