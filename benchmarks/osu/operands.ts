/** The registered memory of one rank in one collective, and the views on it for one message size. */
import type { Communicator, Mpi } from '@commworld/mpi'
import type { Collective } from './collectives.js'

export interface CallOptions {
  readonly algorithm?: string
}

type Elements = Uint8Array | Float64Array

export interface Operands {
  readonly send: Elements
  readonly recv: Elements
  /** By rank, in elements: how a reduced vector is shared out. */
  readonly counts: readonly number[]
  readonly options: CallOptions
}

export class CollectiveMemory {
  readonly #world: Communicator
  readonly #collective: Collective
  readonly #send: Elements
  readonly #recv: Elements

  constructor({ world, alloc }: Mpi, collective: Collective, maxBytes: number) {
    this.#world = world
    this.#collective = collective
    const kind = collective.element === 'byte' ? Uint8Array : Float64Array
    const block = Math.ceil(maxBytes / kind.BYTES_PER_ELEMENT)
    // Filled, so that no page is touched for the first time in a timed loop.
    this.#send = alloc<Elements>(kind, Math.max(1, block * this.#sendBlocks())).fill(0)
    this.#recv = alloc<Elements>(kind, Math.max(1, block * this.#recvBlocks())).fill(0)
  }

  /** The sizes that are whole elements, one for each rank where all get as many, or nothing. */
  wholeMessages(sizes: readonly number[]): number[] {
    const ranks = this.#collective.shares === 'equal' ? this.#world.size : 1
    const leastBytes = this.#send.BYTES_PER_ELEMENT * ranks
    return sizes.filter((bytes) => bytes === 0 || bytes >= leastBytes)
  }

  /** Views for messages of `bytes`, with what the operation is to move or add. */
  operands(bytes: number, options: CallOptions): Operands {
    const counts = this.#counts(bytes)
    const elements = counts.reduce((sum, count) => sum + count, 0)
    const received = this.#received(bytes)
    const send = this.#send.subarray(0, elements * this.#sendBlocks())
    const recv = this.#recv.subarray(0, received * this.#recvBlocks())
    const sent = this.#collective.sent ?? (() => this.#world.rank + 1)
    for (let block = 0; block < this.#sendBlocks(); block++)
      send.fill(sent(block), block * elements, (block + 1) * elements)
    return { send, recv: recv.fill(0), counts, options }
  }

  /** @throws when the last call has not left in `recv` what it must */
  check(bytes: number, { recv }: Operands): void {
    const received = this.#received(bytes)
    if (received === 0) return
    for (let block = 0; block < this.#recvBlocks(); block++) {
      const wanted = this.#collective.arrived?.(this.#world, block)
      if (wanted === undefined) continue
      const stored = recv instanceof Uint8Array ? wanted % 256 : wanted
      for (const index of [block * received, (block + 1) * received - 1]) {
        if (recv[index] === stored) continue
        const where = `element ${index} on rank ${this.#world.rank}`
        throw new Error(`${where} is ${recv[index]} after ${bytes} bytes, expected ${stored}`)
      }
    }
  }

  #sendBlocks(): number {
    return this.#collective.sendBlocks?.(this.#world) ?? 0
  }

  #recvBlocks(): number {
    return this.#collective.recvBlocks?.(this.#world) ?? 0
  }

  #received(bytes: number): number {
    const counts = this.#counts(bytes)
    return counts[this.#collective.shares ? this.#world.rank : 0] as number
  }

  /** Elements by rank where the vector is shared out, else of the whole message. */
  #counts(bytes: number): number[] {
    const elements = Math.floor(bytes / this.#send.BYTES_PER_ELEMENT)
    const { shares } = this.#collective
    if (!shares) return [elements]
    const { size } = this.#world
    const rest = shares === 'equal' ? 0 : elements % size
    return Array.from({ length: size }, (_, rank) => {
      return Math.floor(elements / size) + (rank < rest ? 1 : 0)
    })
  }
}
