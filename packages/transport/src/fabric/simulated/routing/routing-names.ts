import type { Topology } from '../topology/topology.js'
import { TopologyError } from '../topology/topology-error.js'
import { dimensionOrder } from './dimension-order.js'
import { minimalHop } from './minimal-hop.js'
import type { Routing } from './routing.js'
import { ShortestPaths } from './shortest-paths.js'
import { TreeRouting, type TreePolicy } from './tree-routing.js'
import { upDown } from './up-down.js'

/** Every routing that needs nothing but the topology. */
export const ROUTING_NAMES = [
  'minimal-hop',
  'd-mod-k',
  's-mod-k',
  'up-down',
  'dimension-order',
  'hash',
  'adaptive',
  'adaptive-global',
] as const

export type RoutingName = (typeof ROUTING_NAMES)[number]

/**
 * @param seed of `hash`, and of ties of `adaptive`
 * @throws TopologyError when the topology is not of the kind that a routing needs
 */
export function routingNamed(topology: Topology, name: RoutingName, seed = 0): Routing {
  switch (name) {
    case 'minimal-hop':
      return minimalHop(topology)
    case 'up-down':
      return upDown(topology)
    case 'dimension-order':
      return dimensionOrder(topology)
    case 'hash':
    case 'adaptive':
      return topology.tree === undefined
        ? new ShortestPaths(topology, name, seed)
        : new TreeRouting(topology, name, seed)
    case 'd-mod-k':
    case 's-mod-k':
    case 'adaptive-global':
      return new TreeRouting(topology, name satisfies TreePolicy, seed)
    default:
      throw new TopologyError(`there is no routing ${String(name)}`)
  }
}

/** What suits a topology when nothing is said. */
export function usualRouting(topology: Topology): RoutingName {
  if (topology.tree !== undefined) return 'd-mod-k'
  return topology.dimensions === undefined ? 'minimal-hop' : 'dimension-order'
}
