import { products } from '../topology/fat-tree.js'
import type { Topology } from '../topology/topology.js'
import { TopologyError } from '../topology/topology-error.js'
import { switchesOfHosts } from './switch-distances.js'
import { TableRouting } from './table-routing.js'

/**
 * Dimension order on a torus: first along the first dimension, the shorter way round, then the next.
 * Rings make cycles of waiting links, so hardware needs a second virtual lane where a ring wraps around.
 *
 * @throws TopologyError when the topology is no torus
 */
export function dimensionOrder(topology: Topology): TableRouting {
  const { hosts, switches, dimensions } = topology
  if (dimensions === undefined) {
    throw new TopologyError(`dimension-order routing needs a torus; ${topology.name} is none`)
  }
  const strides = products(dimensions)
  const homes = switchesOfHosts(topology)
  const perSwitch = hosts / switches
  const next = new Int32Array(switches * hosts).fill(-1)
  for (let at = 0; at < switches; at++) {
    for (let dest = 0; dest < hosts; dest++) {
      const port = portTo(at, homes[dest]!, dest)
      next[at * hosts + dest] = topology.linkAt(hosts + at, port)
    }
  }
  return new TableRouting(topology, 'dimension-order', next)

  function portTo(at: number, home: number, dest: number): number {
    for (const [d, size] of dimensions!.entries()) {
      const from = Math.floor(at / strides[d]!) % size
      const ahead = ((Math.floor(home / strides[d]!) % size) - from + size) % size
      if (ahead === 0) continue
      // Of two switches the one at 1 has the one cable as its way back.
      const up = size === 2 ? from === 0 : 2 * ahead <= size
      return perSwitch + 1 + 2 * d + (up ? 0 : 1)
    }
    return (dest % perSwitch) + 1
  }
}
