import type { CommunicatorState } from '../comm/communicator-state.js'
import { kindOf, NO_KIND, type TypedArray } from '../datatype/index.js'
import type { Op } from '../op/index.js'
import { CollectiveRequest } from './collective-request.js'
import type { Exchange } from './exchange.js'

/**
 * Allreduce of a value by recursive doubling (Thakur, Rabenseifner, Gropp 2005), folded to a power
 * of two first. The lower operand always comes from the lower ranks and every rank computes the
 * same tree, so the result has the same bits everywhere and user operations see rank order.
 *
 * ```
 *   p = 5   fold      0 -> 1            2, 3, 4 stay as they are
 *           round 0   (01)=(2)  (3)=(4)
 *           round 1   (01)=(3)  (2)=(4)
 *           unfold    1 -> 0
 * ```
 */
export class Allreduce extends CollectiveRequest<unknown> {
  declare private readonly exchange: Exchange
  declare private readonly op: Op
  declare private value: unknown
  /** Largest power of two up to the number of ranks, and how many ranks are beyond it. */
  declare private readonly power: number
  declare private readonly extra: number
  declare private readonly rounds: number
  declare private receivedIsLower: boolean
  declare private replaces: boolean

  constructor(
    exchange: Exchange,
    communicator: CommunicatorState,
    name: 'allreduce' | 'iallreduce',
    value: unknown,
    op: Op,
  ) {
    super(exchange.process, communicator, name)
    this.exchange = exchange
    this.op = op
    // Arrays are combined in place, and this one belongs to the caller.
    this.value = kindOf(value) === NO_KIND ? value : (value as TypedArray).slice()
    this.rounds = 31 - Math.clz32(communicator.size)
    this.power = 2 ** this.rounds
    this.extra = communicator.size - this.power
    this.receivedIsLower = false
    this.replaces = false
  }

  protected override begin(round: number): boolean {
    if (round === 0) this.#fold()
    else if (round <= this.rounds) this.#double(round - 1)
    else if (round === this.rounds + 1) this.#unfold()
    else return false
    return true
  }

  protected override end(): void {
    if (this.receiving === undefined) return
    const value = this.receiving.take()
    if (this.replaces) this.value = value
    else if (this.receivedIsLower) this.value = this.op.combineValues(value, this.value)
    else this.value = this.op.combineValues(this.value, value)
  }

  protected override result(): unknown {
    return this.value
  }

  /** The first 2 * extra ranks work in pairs: the even one gives its value to the odd one. */
  #fold(): void {
    const { rank } = this.communicator
    if (rank >= 2 * this.extra) return
    if (rank % 2 === 0) this.#send(rank + 1)
    else this.#receive(rank - 1, true)
  }

  #double(round: number): void {
    const position = this.#position()
    if (position < 0) return
    const partner = this.#rankAt(position ^ (2 ** round))
    this.#receive(partner, partner < this.communicator.rank)
    this.#send(partner)
  }

  #unfold(): void {
    const { rank } = this.communicator
    if (rank >= 2 * this.extra) return
    if (rank % 2 === 1) {
      this.#send(rank - 1)
    } else {
      this.replaces = true
      this.#receive(rank + 1, false)
    }
  }

  /** Place among the power of two ranks that double, -1 for those folded away. */
  #position(): number {
    const { rank } = this.communicator
    if (rank >= 2 * this.extra) return rank - this.extra
    return rank % 2 === 0 ? -1 : (rank - 1) / 2
  }

  #rankAt(position: number): number {
    return position < this.extra ? 2 * position + 1 : position + this.extra
  }

  #send(dest: number): void {
    this.sending = this.exchange.send(this.communicator, this.value, dest, this.tag)
  }

  #receive(source: number, isLower: boolean): void {
    this.receiving = this.exchange.receive(this.communicator, source, this.tag)
    this.receivedIsLower = isLower
  }
}
