import type { Topology } from '../topology/topology.js'
import { hash, type LinkLoad, type Routing, UNREACHABLE } from './routing.js'
import { FAR, switchesOfHosts, SwitchDistances } from './switch-distances.js'

/**
 * Any of the shortest ways of any topology, chosen hop by hop: by a hash of the pair (as ECMP does), or
 * the least loaded link that the switch sees when the message comes.
 */
export class ShortestPaths implements Routing {
  readonly name: string
  readonly topology: Topology
  readonly adaptive: boolean
  readonly linksMax: number
  readonly #seed: number
  readonly #distances: SwitchDistances
  readonly #homes: Int32Array

  constructor(topology: Topology, policy: 'hash' | 'adaptive', seed = 0) {
    this.topology = topology
    this.name = policy
    this.adaptive = policy === 'adaptive'
    this.#seed = seed
    this.linksMax = topology.switches + 1
    this.#distances = new SwitchDistances(topology)
    this.#homes = switchesOfHosts(topology)
  }

  route(source: number, dest: number, path: Int32Array, load?: LinkLoad): number {
    if (source === dest) return 0
    const { hosts, to } = this.topology
    const home = this.#homes[dest]!
    const first = this.topology.hostLink(source)
    if (first < 0 || home < 0) return UNREACHABLE
    path[0] = first
    let length = 1
    let node = to[first]!
    // Two hosts on one cable, without a switch.
    if (node === dest) return length
    while (node >= hosts && node - hosts !== home) {
      const link = this.#choose(node, home, source, dest, load)
      if (link < 0) return UNREACHABLE
      path[length++] = link
      node = to[link]!
    }
    if (node < hosts) return UNREACHABLE
    path[length++] = this.topology.hostLink(dest) ^ 1
    return length
  }

  #choose(
    node: number,
    home: number,
    source: number,
    dest: number,
    load: LinkLoad | undefined,
  ): number {
    const { hosts, firstOf, outgoing, to } = this.topology
    const wanted = this.#distances.between(node - hosts, home) - 1
    if (wanted === FAR - 1) return -1
    const first = firstOf[node]!
    const ports = firstOf[node + 1]! - first
    const leads = (link: number): boolean =>
      to[link]! >= hosts && this.#distances.between(to[link]! - hosts, home) === wanted
    if (this.adaptive && load !== undefined) {
      const begin = hash(this.#seed, node, source, dest) % ports
      let best = -1
      for (let i = 0; i < ports; i++) {
        const link = outgoing[first + ((begin + i) % ports)]!
        if (leads(link) && (best < 0 || load.loadOf(link) < load.loadOf(best))) best = link
      }
      return best
    }
    let choices = 0
    for (let i = 0; i < ports; i++) if (leads(outgoing[first + i]!)) choices++
    if (choices === 0) return -1
    let chosen = hash(this.#seed, source, dest, node) % choices
    for (let i = 0; i < ports; i++) {
      const link = outgoing[first + i]!
      if (leads(link) && chosen-- === 0) return link
    }
    return -1
  }
}
