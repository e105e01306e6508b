import type { BlockReceive } from '../../coll/plan/block-receive.js'
import type { Ground } from '../../coll/plan/execution.js'
import type { MemoryMessages } from '../../coll/plan/memory-blocks.js'
import type { ValueMessages } from '../../coll/plan/value-blocks.js'
import type { CommunicatorState } from '../../comm/communicator-state.js'
import type { ElementKind } from '../../datatype/index.js'
import type { Counters } from '../../device/counters.js'
import type { Endpoint } from '../../device/endpoint.js'
import type { StagingPool } from '../../device/staging-pool.js'
import { EMPTY } from '../../p2p/message-kind.js'
import { RegisteredPayload, type Payload } from '../../p2p/payload.js'
import type { Process } from '../../p2p/process.js'
import type { Request } from '../../p2p/request.js'
import { STANDARD } from '../../p2p/send-mode.js'
import type { ValueCodec } from '../../value/value-codec.js'
import { ValueReceive } from '../../value/value-receive.js'
import type { Payloads } from '../messages/payloads.js'
import type { Rank } from '../rank.js'

/** Nothing at all: a message that only says that it came. */
const NOTHING = new RegisteredPayload(EMPTY, 0, 0)

/** Point-to-point for collectives: in the collective context, and neither logged nor traced. */
export class CollectiveMessages implements Ground, MemoryMessages, ValueMessages {
  readonly process: Process
  readonly endpoint: Endpoint
  readonly staging: StagingPool
  readonly codec: ValueCodec
  readonly counters: Counters
  readonly #rank: Rank
  readonly #payloads: Payloads

  constructor(rank: Rank, payloads: Payloads) {
    this.process = rank
    this.endpoint = rank.endpoint
    this.staging = rank.endpoint.staging
    this.codec = rank.codec
    this.counters = rank.endpoint.counters
    this.#rank = rank
    this.#payloads = payloads
  }

  signal(on: CommunicatorState, dest: number, tag: number): Request<void> | undefined {
    return this.#send(on, NOTHING, dest, tag)
  }

  awaitSignal(on: CommunicatorState, source: number, tag: number): Request<unknown> {
    return this.receiveValue(on, source, tag)
  }

  sendMemory(
    on: CommunicatorState,
    kind: ElementKind,
    address: number,
    bytes: number,
    dest: number,
    tag: number,
  ): Request<void> | undefined {
    return this.#send(on, new RegisteredPayload(kind, address, bytes), dest, tag)
  }

  post(receive: BlockReceive): void {
    this.#rank.inbox.post(receive)
  }

  payloadOf(value: unknown): Payload {
    return value === undefined ? NOTHING : this.#payloads.of(value)
  }

  sendPayload(
    on: CommunicatorState,
    payload: Payload,
    dest: number,
    tag: number,
  ): Request<void> | undefined {
    // The library looks at values itself: lengths, members of communicators.
    this.endpoint.sendsContent = true
    const request = this.#send(on, payload, dest, tag)
    this.endpoint.sendsContent = false
    return request
  }

  receiveValue(on: CommunicatorState, source: number, tag: number): Request<unknown> {
    const { codec, inbox } = this.#rank
    const from = on.worldRank(source)
    const context = on.collectiveContext
    const request = new ValueReceive(this.#rank, on, 'irecv', context, from, tag, codec)
    inbox.post(request)
    return request
  }

  #send(
    on: CommunicatorState,
    payload: Payload,
    dest: number,
    tag: number,
  ): Request<void> | undefined {
    const context = on.collectiveContext
    const { outbox, endpoint } = this.#rank
    const to = on.worldRank(dest)
    if (outbox.sendEager(endpoint.peer(to), context, tag, payload)) return undefined
    return outbox.start(this.#rank, on, context, 'isend', STANDARD, to, tag, payload)
  }
}
