import { FAR, SwitchDistances, switchesOfHosts } from '../routing/switch-distances.js'
import { products } from '../topology/fat-tree.js'
import type { Topology } from '../topology/topology.js'
import { TopologyError } from '../topology/topology-error.js'

/** Tables of distances between more switches than this are not made. */
const SWITCHES_MAX = 8192

/** Switches on the shortest way between two hosts. */
export class HopCounter {
  readonly #hostsBelow: Float64Array | undefined
  readonly #distances: SwitchDistances | undefined
  readonly #homes: Int32Array | undefined

  /** @throws TopologyError when there are hosts that no way leads to */
  constructor(topology: Topology) {
    if (topology.tree !== undefined) {
      this.#hostsBelow = Float64Array.from(products(topology.tree.children))
    } else {
      if (topology.switches > SWITCHES_MAX) {
        throw new TopologyError(`${topology.name} has more than ${SWITCHES_MAX} switches`)
      }
      this.#distances = new SwitchDistances(topology)
      this.#homes = switchesOfHosts(topology)
      checkConnected(topology, this.#distances, this.#homes)
    }
  }

  between(a: number, b: number): number {
    const below = this.#hostsBelow
    if (below === undefined) {
      const homes = this.#homes!
      return this.#distances!.between(homes[a]!, homes[b]!) + 1
    }
    let level = 1
    while (Math.floor(a / below[level]!) !== Math.floor(b / below[level]!)) level++
    return 2 * level - 1
  }
}

function checkConnected(topology: Topology, distances: SwitchDistances, homes: Int32Array): void {
  const { name } = topology
  for (let host = 0; host < topology.hosts; host++) {
    if (homes[host]! < 0) {
      throw new TopologyError(`${name}: ${topology.nameOf(host)} is connected to no switch`)
    }
    if (distances.between(homes[0]!, homes[host]!) === FAR) {
      const [a, b] = [topology.nameOf(0), topology.nameOf(host)]
      const hint =
        topology.localIdentifier === undefined ? '' : '; of several planes `adapters` takes one'
      throw new TopologyError(`${name} is in pieces: no way leads from ${a} to ${b}${hint}`)
    }
  }
}
