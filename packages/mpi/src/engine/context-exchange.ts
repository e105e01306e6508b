import type { Exchange } from '../coll/exchange.js'
import type { CommunicatorState } from '../comm/communicator-state.js'
import { EMPTY } from '../p2p/message-kind.js'
import { RegisteredPayload } from '../p2p/payload.js'
import type { Process } from '../p2p/process.js'
import type { Request } from '../p2p/request.js'
import { STANDARD } from '../p2p/send-mode.js'
import { ValueReceive } from '../value/value-receive.js'
import type { Payloads } from './payloads.js'
import type { Rank } from './rank.js'

/** Nothing at all: a message that only says that it came. */
const NOTHING = new RegisteredPayload(EMPTY, 0, 0)

/** Point-to-point for collectives: in the collective context, and neither logged nor traced. */
export class ContextExchange implements Exchange {
  readonly process: Process
  readonly #rank: Rank
  readonly #payloads: Payloads

  constructor(rank: Rank, payloads: Payloads) {
    this.process = rank
    this.#rank = rank
    this.#payloads = payloads
  }

  send(
    on: CommunicatorState,
    value: unknown,
    dest: number,
    tag: number,
  ): Request<void> | undefined {
    const payload = value === undefined ? NOTHING : this.#payloads.of(value)
    const context = on.collectiveContext
    const { outbox, endpoint } = this.#rank
    const to = on.worldRank(dest)
    if (outbox.sendEager(endpoint.peer(to), context, tag, payload)) return undefined
    return outbox.start(this.#rank, on, context, 'isend', STANDARD, to, tag, payload)
  }

  receive(on: CommunicatorState, source: number, tag: number): Request<unknown> {
    const { codec, inbox } = this.#rank
    const from = on.worldRank(source)
    const context = on.collectiveContext
    const request = new ValueReceive(this.#rank, on, 'irecv', context, from, tag, codec)
    inbox.post(request)
    return request
  }
}
