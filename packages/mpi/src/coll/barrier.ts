import type { CommunicatorState } from '../comm/communicator-state.js'
import type { Request } from '../p2p/request.js'
import { CollectiveRequest } from './collective-request.js'
import type { Exchange } from './exchange.js'

/**
 * Barrier by dissemination (Hensgen, Finkel, Manber 1988): in round k each rank tells the one
 * 2^k above it, so that after ceil(log2 p) rounds everybody has heard of everybody.
 *
 * ```
 *   p = 5     round 0: r -> r + 1     round 1: r -> r + 2     round 2: r -> r + 4      (modulo 5)
 * ```
 */
export class Barrier extends CollectiveRequest<void> {
  readonly #exchange: Exchange

  constructor(exchange: Exchange, communicator: CommunicatorState, name: 'barrier' | 'ibarrier') {
    super(exchange.process, communicator, name)
    this.#exchange = exchange
  }

  protected override begin(round: number): Request<unknown>[] | undefined {
    const { rank, size } = this.communicator
    const distance = 2 ** round
    if (distance >= size) return undefined
    const receive = this.#exchange.receive(
      this.communicator,
      (rank - distance + size) % size,
      this.tag,
    )
    const send = this.#exchange.send(
      this.communicator,
      undefined,
      (rank + distance) % size,
      this.tag,
    )
    return [receive, send]
  }

  protected override end(): void {}

  protected override result(): void {}
}
