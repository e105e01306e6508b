import type { Hca } from '../hca/hca.js'
import { finishSend } from '../hca/requester/post.js'
import { demand, VerbsError } from '../hca/verbs-error.js'
import { publishSend, sendRoom } from '../ring/work-queue.js'
import type { Opcode } from '../wire/opcode.js'
import { checkSendRequest, writeRequest } from './post-send-request.js'
import type { BindRequest, DatagramDestination, FlushRequest } from './work-request.js'
import type { ScatterGatherElement, SendRequest } from './work-request.js'

/** Where at the peer. */
export interface RemoteRange {
  remoteAddress: number | bigint
  remoteKey: number
}

type Flags = Pick<SendRequest, 'signaled' | 'solicited' | 'fence'>

/**
 * Builds a batch of requests, one call each for operation and data, and posts all of it or none
 * (ibv_wr_post.3). Calls never fail; what is wrong with the batch is thrown by `complete`.
 *
 * @example
 * queuePair.start()
 *   .rdmaWrite({ remoteAddress, remoteKey }).segments([{ address, bytes, localKey }])
 *   .send({ workRequestId: 2, signaled: true }).inline([{ address: flag, bytes: 4, localKey: 0 }])
 *   .complete()
 */
export class RequestBuilder {
  readonly #hca: Hca
  readonly #queuePair: number
  readonly #declared: readonly Opcode[] | undefined
  readonly #requests: SendRequest[] = []
  #open = true

  /** Made by `QueuePair.start`. */
  constructor(hca: Hca, queuePair: number, declared: readonly Opcode[] | undefined) {
    this.#hca = hca
    this.#queuePair = queuePair
    this.#declared = declared
  }

  send(options: BuilderOptions = {}): this {
    return this.#add({ opcode: 'send', ...options })
  }

  sendWithImmediate(immediate: number, options: BuilderOptions = {}): this {
    return this.#add({ opcode: 'sendWithImmediate', immediate, ...options })
  }

  sendWithInvalidate(invalidateKey: number, options: BuilderOptions = {}): this {
    return this.#add({ opcode: 'sendWithInvalidate', invalidateKey, ...options })
  }

  rdmaWrite(range: RemoteRange, options: BuilderOptions = {}): this {
    return this.#add({ opcode: 'rdmaWrite', ...range, ...options })
  }

  rdmaWriteWithImmediate(
    range: RemoteRange,
    immediate: number,
    options: BuilderOptions = {},
  ): this {
    return this.#add({ opcode: 'rdmaWriteWithImmediate', immediate, ...range, ...options })
  }

  rdmaRead(range: RemoteRange, options: BuilderOptions = {}): this {
    return this.#add({ opcode: 'rdmaRead', ...range, ...options })
  }

  compareAndSwap(
    range: RemoteRange,
    { compare, swap }: { compare: bigint; swap: bigint },
    options: BuilderOptions = {},
  ): this {
    return this.#add({ opcode: 'compareAndSwap', compare, operand: swap, ...range, ...options })
  }

  fetchAndAdd(range: RemoteRange, operand: bigint, options: BuilderOptions = {}): this {
    return this.#add({ opcode: 'fetchAndAdd', operand, ...range, ...options })
  }

  /** Eight bytes that appear at once. */
  atomicWrite(range: RemoteRange, options: BuilderOptions = {}): this {
    return this.#add({ opcode: 'atomicWrite', ...range, ...options })
  }

  flush(range: RemoteRange, flush: FlushRequest, options: BuilderOptions = {}): this {
    return this.#add({ opcode: 'flush', flush, ...range, ...options })
  }

  localInvalidate(invalidateKey: number, options: BuilderOptions = {}): this {
    return this.#add({ opcode: 'localInvalidate', invalidateKey, ...options })
  }

  bindWindow(bind: BindRequest, options: BuilderOptions = {}): this {
    return this.#add({ opcode: 'bindWindow', bind, ...options })
  }

  /** Data of the request begun last: registered memory. */
  segments(segments: readonly ScatterGatherElement[]): this {
    return this.#amend({ segments })
  }

  /** Data of the request begun last, taken when the batch is completed. */
  inline(segments: readonly ScatterGatherElement[]): this {
    return this.#amend({ segments, inline: true })
  }

  /** Destination of the datagram begun last. */
  to(destination: DatagramDestination): this {
    return this.#amend({ destination })
  }

  /**
   * Posts the batch, in order.
   *
   * @throws {VerbsError} EINVAL: one of the requests is wrong, or not among the declared operations;
   * ENOMEM: the send queue has no room for all of them. Nothing is posted then.
   */
  complete(): void {
    this.#close()
    for (const request of this.#requests) {
      const declared = this.#declared?.includes(request.opcode) ?? true
      demand(declared, `${request.opcode} was not declared when the queue pair was created`)
      checkSendRequest(this.#hca, this.#queuePair, request)
    }
    const room = sendRoom(this.#hca.i32, this.#queuePair)
    if (this.#requests.length > room) {
      throw new VerbsError('ENOMEM', `${this.#requests.length} requests, room for ${room}`)
    }
    for (const [index, request] of this.#requests.entries()) {
      writeRequest(this.#hca, this.#queuePair, request)
      // One ring of the doorbell for all of them.
      if (index === this.#requests.length - 1) finishSend(this.#hca, this.#queuePair)
      else publishSend(this.#hca.i32, this.#queuePair)
    }
  }

  /** Drops the batch. */
  abort(): void {
    this.#close()
  }

  #add(request: SendRequest): this {
    this.#requests.push(request)
    return this
  }

  #amend(part: Partial<SendRequest>): this {
    const last = this.#requests.at(-1)
    if (last !== undefined) Object.assign(last, part)
    return this
  }

  #close(): void {
    demand(this.#open, 'the batch was completed or aborted')
    this.#open = false
  }
}

/** Of each request of a batch. */
export type BuilderOptions = Flags & { workRequestId?: number }
