import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Memory } from '../datatype/index.js'
import type { Engine } from '../engine/engine.js'
import type { MatchedMessage } from '../engine/messages/matched-message.js'
import type { ProbeOptions, RecvOptions, SendOptions, SendrecvOptions } from '../engine/options.js'
import type { Status } from '../p2p/status.js'
import type { PersistentRequest, Request } from './request.js'

/** Messages from one rank to another (MPI 4.1, chapter 3). */
export abstract class PointToPoint {
  readonly #state: CommunicatorState
  readonly #engine: Engine

  /** @internal */
  constructor(state: CommunicatorState, engine: Engine) {
    this.#state = state
    this.#engine = engine
  }

  // ---- sending --------------------------------------------------------------------------------

  /**
   * Sends a value, or a typed array as raw memory; returns when `value` may be changed (MPI 4.1,
   * section 3.2.1). A short message is buffered, a long one waits for its receive. A part of an
   * array seen through a datatype is sent as `{ data, datatype, count, offset }`.
   *
   * @throws RankError, TagError, BufferError on arguments; ValueError on a value that cannot travel
   * @throws SharedThreadError on a thread shared by several ranks: use `await world.isend(...)`
   */
  send(value: unknown, options: SendOptions): void {
    this.#engine.send(this.#state, value, options)
  }

  /** As `send`, but returns only when the receive has matched (MPI 4.1, section 3.4). */
  ssend(value: unknown, options: SendOptions): void {
    this.#engine.ssend(this.#state, value, options)
  }

  /** As `send`, but returns at once: the message is kept in the buffer given to `attachBuffer`. */
  bsend(value: unknown, options: SendOptions): void {
    this.#engine.bsend(this.#state, value, options)
  }

  /** As `send`, where you promise that the receive is posted already; carried out as `send`. */
  rsend(value: unknown, options: SendOptions): void {
    this.#engine.rsend(this.#state, value, options)
  }

  /** Starts a `send` (MPI 4.1, section 3.7.2); `value` must not change until it is complete. */
  isend(value: unknown, options: SendOptions): Request<void> {
    return this.#engine.isend(this.#state, value, options)
  }

  /** Starts an `ssend`. */
  issend(value: unknown, options: SendOptions): Request<void> {
    return this.#engine.issend(this.#state, value, options)
  }

  /** Starts a `bsend`; complete at once. */
  ibsend(value: unknown, options: SendOptions): Request<void> {
    return this.#engine.ibsend(this.#state, value, options)
  }

  /** Starts an `rsend`. */
  irsend(value: unknown, options: SendOptions): Request<void> {
    return this.#engine.irsend(this.#state, value, options)
  }

  /** Sets up a `send` to be started many times (MPI 4.1, section 3.9). */
  sendInit(value: unknown, options: SendOptions): PersistentRequest<void> {
    return this.#engine.sendInit(this.#state, value, options)
  }

  /** Sets up an `ssend`. */
  ssendInit(value: unknown, options: SendOptions): PersistentRequest<void> {
    return this.#engine.ssendInit(this.#state, value, options)
  }

  /** Sets up a `bsend`. */
  bsendInit(value: unknown, options: SendOptions): PersistentRequest<void> {
    return this.#engine.bsendInit(this.#state, value, options)
  }

  /** Sets up an `rsend`. */
  rsendInit(value: unknown, options: SendOptions): PersistentRequest<void> {
    return this.#engine.rsendInit(this.#state, value, options)
  }

  // ---- receiving ------------------------------------------------------------------------------

  /**
   * Receives a value, of whatever kind was sent; a typed array is a fresh one (MPI 4.1, section
   * 3.2.4). Undefined from `PROC_NULL`.
   *
   * @typeParam T what you expect; it is not checked
   */
  recv<T = unknown>(options: RecvOptions): T {
    return this.#engine.recv(this.#state, options) as T
  }

  /**
   * Receives into memory: a typed array, or a part of one through a datatype. A shorter message
   * fills the front; a longer one is a TruncateError, another element type a MismatchError.
   */
  recvInto(memory: Memory, options: RecvOptions): Status {
    return this.#engine.recvInto(this.#state, memory, options)
  }

  /** Starts a `recv`. */
  irecv<T = unknown>(options: RecvOptions): Request<T> {
    return this.#engine.irecv(this.#state, options) as Request<T>
  }

  /** Starts a `recvInto`; the memory belongs to the library until it is complete. */
  irecvInto(memory: Memory, options: RecvOptions): Request<Status> {
    return this.#engine.irecvInto(this.#state, memory, options)
  }

  /** Sets up a `recv` to be started many times. */
  recvInit<T = unknown>(options: RecvOptions): PersistentRequest<T> {
    return this.#engine.recvInit(this.#state, options) as PersistentRequest<T>
  }

  /** Sets up a `recvInto`. */
  recvIntoInit(memory: Memory, options: RecvOptions): PersistentRequest<Status> {
    return this.#engine.recvIntoInit(this.#state, memory, options)
  }

  // ---- both at once ---------------------------------------------------------------------------

  /** Sends one value and receives another; cannot deadlock as two calls can (MPI 4.1, section 3.11). */
  sendrecv<T = unknown>(value: unknown, options: SendrecvOptions): T {
    return this.#engine.sendrecv(this.#state, value, options) as T
  }

  /** The same with memory; the two must not overlap. */
  sendrecvInto(send: Memory, recv: Memory, options: SendrecvOptions): Status {
    return this.#engine.sendrecvInto(this.#state, send, recv, options)
  }

  /** Sends what the memory holds and then receives into it. */
  sendrecvReplace(memory: Memory, options: SendrecvOptions): Status {
    return this.#engine.sendrecvReplace(this.#state, memory, options)
  }

  /** Starts a `sendrecv`. */
  isendrecv<T = unknown>(value: unknown, options: SendrecvOptions): Request<T> {
    return this.#engine.isendrecv(this.#state, value, options) as Request<T>
  }

  /** Starts a `sendrecvInto`. */
  isendrecvInto(send: Memory, recv: Memory, options: SendrecvOptions): Request<Status> {
    return this.#engine.isendrecvInto(this.#state, send, recv, options)
  }

  /** Starts a `sendrecvReplace`. */
  isendrecvReplace(memory: Memory, options: SendrecvOptions): Request<Status> {
    return this.#engine.isendrecvReplace(this.#state, memory, options)
  }

  // ---- looking before receiving ---------------------------------------------------------------

  /** Waits for a message and says what it is; a receive must still take it (MPI 4.1, section 3.8). */
  probe(options: ProbeOptions): Status {
    return this.#engine.probe(this.#state, options)
  }

  /** The same without waiting. */
  iprobe(options: ProbeOptions): Status | undefined {
    return this.#engine.iprobe(this.#state, options)
  }

  /** Waits for a message and takes it out of matching; receive it once from the message. */
  mprobe(options: ProbeOptions): MatchedMessage {
    return this.#engine.mprobe(this.#state, options)
  }

  /** The same without waiting. */
  improbe(options: ProbeOptions): MatchedMessage | undefined {
    return this.#engine.improbe(this.#state, options)
  }
}
