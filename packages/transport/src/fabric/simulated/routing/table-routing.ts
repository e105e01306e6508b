import type { Topology } from '../topology/topology.js'
import { LOOPS, type Routing, UNREACHABLE } from './routing.js'

/**
 * Forwarding tables: for each switch and each host the link that leads there, as a subnet manager
 * writes them into switches (InfiniBand Architecture Specification 1.4, 14.2.5.10).
 */
export class TableRouting implements Routing {
  readonly adaptive = false
  readonly name: string
  readonly topology: Topology
  readonly linksMax: number
  /** `next[s * hosts + d]`: link out of switch number s towards host d, or -1. */
  readonly next: Int32Array

  constructor(topology: Topology, name: string, next: Int32Array) {
    this.topology = topology
    this.name = name
    this.next = next
    this.linksMax = topology.switches + 1
  }

  route(source: number, dest: number, path: Int32Array): number {
    if (source === dest) return 0
    const { hosts, to } = this.topology
    let link = this.topology.hostLink(source)
    let length = 0
    while (link >= 0) {
      if (length === this.linksMax) return LOOPS
      path[length++] = link
      const node = to[link]!
      if (node === dest) return length
      if (node < hosts) return UNREACHABLE
      link = this.next[(node - hosts) * hosts + dest]!
    }
    return UNREACHABLE
  }
}

/** Any routing that depends on nothing but the destination, written down as tables. */
export function tablesOf(routing: Routing): TableRouting {
  const { topology } = routing
  const { hosts, switches, from } = topology
  const next = new Int32Array(switches * hosts).fill(-1)
  const path = new Int32Array(routing.linksMax)
  for (let dest = 0; dest < hosts; dest++) {
    for (let source = 0; source < hosts; source++) {
      const length = routing.route(source, dest, path)
      for (let i = 1; i < length; i++) {
        next[(from[path[i]!]! - hosts) * hosts + dest] = path[i]!
      }
    }
  }
  return new TableRouting(topology, routing.name, next)
}
