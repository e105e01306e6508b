import { Topology, type TopologyFacts } from './topology.js'

/** Collects cables between nodes whose numbers are known, and makes a topology of them. */
export class CableList {
  #ends = new Int32Array(256)
  #ports = new Int32Array(256)
  #gigabits = new Float64Array(256)
  #latencyNs = new Float64Array(256)
  #length = 0

  /** One cable is two links. Ports are counted from 1. */
  connect(
    end: { readonly node: number; readonly port: number },
    other: { readonly node: number; readonly port: number },
    cable: { readonly gigabits?: number; readonly latencyNs?: number } = {},
  ): void {
    if (this.#length + 2 > this.#ends.length) this.#grow()
    for (const { node, port } of [end, other]) {
      this.#ends[this.#length] = node
      this.#ports[this.#length] = port
      this.#gigabits[this.#length] = cable.gigabits ?? 0
      this.#latencyNs[this.#length] = cable.latencyNs ?? -1
      this.#length++
    }
  }

  get cables(): number {
    return this.#length / 2
  }

  build(facts: Omit<TopologyFacts, 'from' | 'to' | 'port' | 'gigabits' | 'latencyNs'>): Topology {
    const length = this.#length
    const from = this.#ends.slice(0, length)
    const to = new Int32Array(length)
    for (let link = 0; link < length; link++) to[link] = from[link ^ 1]!
    return new Topology({
      ...facts,
      from,
      to,
      port: this.#ports.slice(0, length),
      gigabits: this.#gigabits.slice(0, length),
      latencyNs: this.#latencyNs.slice(0, length),
    })
  }

  #grow(): void {
    const length = 2 * this.#ends.length
    const larger = <T extends Int32Array | Float64Array>(made: T, old: T): T => {
      made.set(old)
      return made
    }
    this.#ends = larger(new Int32Array(length), this.#ends)
    this.#ports = larger(new Int32Array(length), this.#ports)
    this.#gigabits = larger(new Float64Array(length), this.#gigabits)
    this.#latencyNs = larger(new Float64Array(length), this.#latencyNs)
  }
}
