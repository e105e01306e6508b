import type { CommunicatorState } from '../comm/communicator-state.js'
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
  declare private readonly exchange: Exchange

  constructor(exchange: Exchange, communicator: CommunicatorState, name: 'barrier' | 'ibarrier') {
    super(exchange.process, communicator, name)
    this.exchange = exchange
  }

  protected override begin(round: number): boolean {
    const { rank, size } = this.communicator
    const distance = 2 ** round
    if (distance >= size) return false
    const below = (rank - distance + size) % size
    const above = (rank + distance) % size
    this.receiving = this.exchange.receive(this.communicator, below, this.tag)
    this.sending = this.exchange.send(this.communicator, undefined, above, this.tag)
    return true
  }

  protected override end(): void {}

  protected override result(): void {}
}
