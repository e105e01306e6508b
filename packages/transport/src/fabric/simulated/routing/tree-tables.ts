import { products } from '../topology/fat-tree.js'
import type { Topology } from '../topology/topology.js'
import { TopologyError } from '../topology/topology-error.js'
import { TableRouting } from './table-routing.js'

/**
 * d-mod-k as forwarding tables, with an entry for every switch and host, as a subnet manager would write
 * them, also where no message comes by.
 *
 * @throws TopologyError when the topology is no generated fat tree
 */
export function dModKTables(topology: Topology): TableRouting {
  const { tree, hosts, switches, level, firstOf, outgoing } = topology
  if (tree === undefined) {
    throw new TopologyError(`d-mod-k needs a fat tree; ${topology.name} is none`)
  }
  const { children, parents, cables } = tree
  const hostsBelow = products(children)
  const roots = products(parents)
  const next = new Int32Array(switches * hosts)
  const firstOfLevel = new Map<number, number>()
  for (let node = hosts; node < topology.nodes; node++) {
    const l = level[node]!
    if (!firstOfLevel.has(l)) firstOfLevel.set(l, node)
    const subtree = Math.floor((node - firstOfLevel.get(l)!) / roots[l]!)
    const down = children[l - 1]! * cables[l - 1]!
    for (let dest = 0; dest < hosts; dest++) {
      let port: number
      if (Math.floor(dest / hostsBelow[l]!) === subtree) {
        const child = Math.floor(dest / hostsBelow[l - 1]!) % children[l - 1]!
        const w = parents[l - 1]!
        const up = Math.floor(dest / roots[l - 1]!) % (w * cables[l - 1]!)
        port = child * cables[l - 1]! + Math.floor(up / w)
      } else {
        port = down + (Math.floor(dest / roots[l]!) % (parents[l]! * cables[l]!))
      }
      next[(node - hosts) * hosts + dest] = outgoing[firstOf[node]! + port]!
    }
  }
  return new TableRouting(topology, 'd-mod-k', next)
}
