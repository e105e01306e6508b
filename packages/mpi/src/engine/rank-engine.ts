import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Form } from '../coll/agreement.js'
import type { CollectiveOperation } from '../coll/operation.js'
import type { NamedAlgorithms } from '../coll/select/select.js'
import { NO_KIND, type Memory } from '../datatype/index.js'
import { SharedThreadError } from '../errors/index.js'
import type { MakingForm, Order } from '../manage/index.js'
import type { Op } from '../op/index.js'
import { PersistentRequest } from '../p2p/persistent-request.js'
import { ProbeWait, statusOfMessage } from '../p2p/probe.js'
import type { Request } from '../p2p/request.js'
import { BUFFERED, READY, STANDARD, SYNCHRONOUS } from '../p2p/send-mode.js'
import { copyStatus, Status } from '../p2p/status.js'
import type { UnexpectedMessage } from '../p2p/unexpected-message.js'
import { operationCode, TraceFlag } from '../record/trace.js'
import { BufferedWait } from './messages/buffered-wait.js'
import { NOBODY, sourceOf, tagToReceive } from './arguments.js'
import { hand, needThread } from './calls.js'
import type { MemoryArguments } from './collectives/collective-memory.js'
import { Collectives, type CollectiveOptions } from './collectives/collectives.js'
import type { Engine } from './engine.js'
import type { MatchedMessage } from './messages/matched-message.js'
import { MatchedReceiver } from './messages/matched-receiver.js'
import type { ProbeOptions, RecvOptions, SendOptions, SendrecvOptions } from './options.js'
import { Exchanges } from './messages/exchanges.js'
import { Making } from './collectives/making.js'
import { Payloads } from './messages/payloads.js'
import { Receives } from './messages/receives.js'
import { Sends } from './messages/sends.js'
import { receiveVerb, sendVerb } from './messages/verbs.js'
import type { Rank } from './rank.js'

const SEND = sendVerb('send', STANDARD)
const SSEND = sendVerb('ssend', SYNCHRONOUS)
const BSEND = sendVerb('bsend', BUFFERED)
const RSEND = sendVerb('rsend', READY)
const ISEND = sendVerb('isend', STANDARD)
const ISSEND = sendVerb('issend', SYNCHRONOUS)
const IBSEND = sendVerb('ibsend', BUFFERED)
const IRSEND = sendVerb('irsend', READY)
const RECV = receiveVerb('recv')
const RECV_INTO = receiveVerb('recvInto')
const IRECV = receiveVerb('irecv')
const IRECV_INTO = receiveVerb('irecvInto')

const SENDRECV = receiveVerb('sendrecv')
const SENDRECV_INTO = receiveVerb('sendrecvInto')
const SENDRECV_REPLACE = receiveVerb('sendrecvReplace')
const ISENDRECV = receiveVerb('isendrecv')
const ISENDRECV_INTO = receiveVerb('isendrecvInto')
const ISENDRECV_REPLACE = receiveVerb('isendrecvReplace')
const PROBE = operationCode('probe')

/** The engine of one rank over the simulated HCA. */
export class RankEngine implements Engine {
  readonly #rank: Rank
  readonly #sends: Sends
  readonly #receives: Receives
  readonly #exchanges: Exchanges
  readonly #collectives: Collectives
  readonly #making: Making
  readonly #matched: MatchedReceiver
  readonly #abort: (code: number) => never

  constructor(rank: Rank, algorithms: NamedAlgorithms, abort: (code: number) => never) {
    this.#rank = rank
    const payloads = new Payloads(rank)
    this.#sends = new Sends(rank, payloads)
    this.#receives = new Receives(rank)
    this.#exchanges = new Exchanges(rank, payloads, this.#sends, this.#receives)
    this.#collectives = new Collectives(rank, payloads, algorithms)
    this.#making = new Making(rank, payloads, this.#collectives)
    this.#matched = new MatchedReceiver(rank, this.#receives)
    this.#abort = abort
  }

  send(on: CommunicatorState, value: unknown, options: SendOptions): void {
    this.#sends.send(on, value, options, SEND)
  }

  ssend(on: CommunicatorState, value: unknown, options: SendOptions): void {
    this.#sends.send(on, value, options, SSEND)
  }

  bsend(on: CommunicatorState, value: unknown, options: SendOptions): void {
    this.#sends.send(on, value, options, BSEND)
  }

  rsend(on: CommunicatorState, value: unknown, options: SendOptions): void {
    this.#sends.send(on, value, options, RSEND)
  }

  isend(on: CommunicatorState, value: unknown, options: SendOptions): Request<void> {
    return this.#sends.isend(on, value, options, ISEND)
  }

  issend(on: CommunicatorState, value: unknown, options: SendOptions): Request<void> {
    return this.#sends.isend(on, value, options, ISSEND)
  }

  ibsend(on: CommunicatorState, value: unknown, options: SendOptions): Request<void> {
    return this.#sends.isend(on, value, options, IBSEND)
  }

  irsend(on: CommunicatorState, value: unknown, options: SendOptions): Request<void> {
    return this.#sends.isend(on, value, options, IRSEND)
  }

  sendInit(on: CommunicatorState, value: unknown, options: SendOptions): PersistentRequest<void> {
    this.#sends.check(on, options)
    return new PersistentRequest('sendInit', () => this.#sends.isend(on, value, options, ISEND))
  }

  ssendInit(on: CommunicatorState, value: unknown, options: SendOptions): PersistentRequest<void> {
    this.#sends.check(on, options)
    return new PersistentRequest('ssendInit', () => this.#sends.isend(on, value, options, ISSEND))
  }

  bsendInit(on: CommunicatorState, value: unknown, options: SendOptions): PersistentRequest<void> {
    this.#sends.check(on, options)
    return new PersistentRequest('bsendInit', () => this.#sends.isend(on, value, options, IBSEND))
  }

  rsendInit(on: CommunicatorState, value: unknown, options: SendOptions): PersistentRequest<void> {
    this.#sends.check(on, options)
    return new PersistentRequest('rsendInit', () => this.#sends.isend(on, value, options, IRSEND))
  }

  recv(on: CommunicatorState, options: RecvOptions): unknown {
    return this.#receives.recv(on, options, RECV)
  }

  recvInto(on: CommunicatorState, memory: Memory, options: RecvOptions): Status {
    return this.#receives.recvInto(on, memory, options, RECV_INTO)
  }

  irecv(on: CommunicatorState, options: RecvOptions): Request<unknown> {
    return this.#receives.irecv(on, options, IRECV)
  }

  irecvInto(on: CommunicatorState, memory: Memory, options: RecvOptions): Request<Status> {
    return this.#receives.irecvInto(on, memory, options, IRECV_INTO)
  }

  recvInit(on: CommunicatorState, options: RecvOptions): PersistentRequest<unknown> {
    this.#receives.check(on, options)
    return new PersistentRequest('recvInit', () => this.#receives.irecv(on, options, IRECV))
  }

  recvIntoInit(
    on: CommunicatorState,
    memory: Memory,
    options: RecvOptions,
  ): PersistentRequest<Status> {
    this.#receives.check(on, options, memory)
    return new PersistentRequest('recvIntoInit', () =>
      this.#receives.irecvInto(on, memory, options, IRECV_INTO),
    )
  }

  sendrecv(on: CommunicatorState, value: unknown, options: SendrecvOptions): unknown {
    needThread(this.#rank.carrier, SENDRECV)
    return this.#finish(this.#exchanges.values(on, value, options, SENDRECV), options)
  }

  sendrecvInto(
    on: CommunicatorState,
    send: Memory,
    recv: Memory,
    options: SendrecvOptions,
  ): Status {
    needThread(this.#rank.carrier, SENDRECV_INTO)
    const request = this.#exchanges.memory(on, send, recv, options, SENDRECV_INTO)
    return this.#finish(request, options)
  }

  sendrecvReplace(on: CommunicatorState, memory: Memory, options: SendrecvOptions): Status {
    needThread(this.#rank.carrier, SENDRECV_REPLACE)
    const request = this.#exchanges.replace(on, memory, options, SENDRECV_REPLACE)
    return this.#finish(request, options)
  }

  isendrecv(on: CommunicatorState, value: unknown, options: SendrecvOptions): Request<unknown> {
    return hand(this.#rank, this.#exchanges.values(on, value, options, ISENDRECV))
  }

  isendrecvInto(
    on: CommunicatorState,
    send: Memory,
    recv: Memory,
    options: SendrecvOptions,
  ): Request<Status> {
    return hand(this.#rank, this.#exchanges.memory(on, send, recv, options, ISENDRECV_INTO))
  }

  isendrecvReplace(
    on: CommunicatorState,
    memory: Memory,
    options: SendrecvOptions,
  ): Request<Status> {
    return hand(this.#rank, this.#exchanges.replace(on, memory, options, ISENDRECV_REPLACE))
  }

  probe(on: CommunicatorState, options: ProbeOptions): Status {
    const message = this.#awaitMessage(on, options, 'probe')
    return message === undefined ? new Status() : statusOfMessage(on, message)
  }

  iprobe(on: CommunicatorState, options: ProbeOptions): Status | undefined {
    const source = sourceOf(on, options)
    const tag = tagToReceive(options.tag, 'tag')
    if (source === NOBODY) return new Status()
    const message = this.#lookFor(on, source, tag)
    return message === undefined ? undefined : statusOfMessage(on, message)
  }

  mprobe(on: CommunicatorState, options: ProbeOptions): MatchedMessage {
    const message = this.#awaitMessage(on, options, 'mprobe')
    return this.#matched.take(on, message)
  }

  improbe(on: CommunicatorState, options: ProbeOptions): MatchedMessage | undefined {
    const source = sourceOf(on, options)
    const tag = tagToReceive(options.tag, 'tag')
    if (source === NOBODY) return this.#matched.take(on, undefined)
    const message = this.#lookFor(on, source, tag)
    return message === undefined ? undefined : this.#matched.take(on, message)
  }

  collective(
    on: CommunicatorState,
    operation: CollectiveOperation,
    given: unknown,
    op: Op | undefined,
    options: CollectiveOptions | undefined,
    form: Form,
  ): unknown {
    return operation.family === 'values'
      ? this.#collectives.values(on, operation, given, op, options, form)
      : this.#collectives.memory(on, operation, given as MemoryArguments, op, options, form)
  }

  make<T>(
    on: CommunicatorState,
    order: Order,
    form: MakingForm,
    as: (made: CommunicatorState | undefined) => T,
  ): Request<T> {
    return this.#making.make(on, order, form, as)
  }

  free(on: CommunicatorState): void {
    this.#making.free(on)
  }

  /** Waits until all buffered sends are complete, and takes the buffer away. */
  detachBuffer(): number {
    const { carrier, outbox } = this.#rank
    const wait = new BufferedWait(this.#rank)
    if (!wait.done) {
      if (!carrier.blocks)
        throw shared('detachBuffer', 'ibarrier() or another request until it is free')
      carrier.block(wait)
    }
    return outbox.detachBuffer()
  }

  abort(code: number): never {
    return this.#abort(code)
  }

  #finish<T>(request: Request<T>, options: SendrecvOptions): T {
    const result = request.wait()
    if (options.status !== undefined) copyStatus(request.status, options.status)
    return result
  }

  /** The first message that matches; waits for it. `undefined` from PROC_NULL. */
  #awaitMessage(
    on: CommunicatorState,
    options: ProbeOptions,
    name: 'probe' | 'mprobe',
  ): UnexpectedMessage | undefined {
    const { carrier, inbox, log } = this.#rank
    if (!carrier.blocks) throw shared(name, `i${name}(...) and await between two looks`)
    const source = sourceOf(on, options)
    const tag = tagToReceive(options.tag, 'tag')
    if (source === NOBODY) return undefined
    const wait = new ProbeWait(inbox, on, name, source, tag, log.count)
    log.add(PROBE, source, tag, on.receiveContext, 0, NO_KIND)
    if (!wait.done) carrier.block(wait)
    const message = wait.message!
    this.#traceProbe(message, 0)
    return message
  }

  #lookFor(on: CommunicatorState, source: number, tag: number): UnexpectedMessage | undefined {
    const { carrier, inbox } = this.#rank
    carrier.poll()
    const message = inbox.unexpected.find(on.receiveContext, source, tag)
    if (message === undefined || !carrier.admits('probe')) return undefined
    this.#traceProbe(message, TraceFlag.choice)
    return message
  }

  #traceProbe(message: UnexpectedMessage, flags: number): void {
    const { source, number, context, tag } = message
    this.#rank.trace.probe(PROBE, flags, source, number - 1, context, tag)
  }
}

function shared(operation: string, instead: string): SharedThreadError {
  return new SharedThreadError({ operation, instead: `await world.${instead}` })
}
