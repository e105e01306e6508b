import type { EventQueue } from './kernel/event-queue.js'
import { InterfaceNetwork } from './network/interface-network.js'
import type { Network, Receiver } from './network/network.js'
import { RoutedNetwork } from './network/routed-network.js'
import { EndpointCosts, NetworkCosts } from './profile/endpoint-costs.js'
import { host, sharedMemory } from './profile/host.js'
import type { EndpointProfile, HostProfile, NetworkProfile } from './profile/profile.js'
import type { Routing } from './routing/routing.js'

/** How ranks are put on hosts. */
export type Placement = 'block' | 'round-robin'

/** A cluster: everything that a simulation needs to know apart from the program. */
export interface FabricModel {
  readonly name: string
  readonly routing: Routing
  readonly network: NetworkProfile
  readonly sharedMemory: EndpointProfile
  readonly host: HostProfile
  readonly layer: 1 | 2
  readonly ranksPerHost: number
  readonly placement: Placement
  /** Whether a rendezvous takes the time of its handshake; LogGOPSim leaves it out. */
  readonly handshake: boolean
}

/** A model from a routing and a network; the rest is usual when left out. */
export function fabricModel(
  facts: Pick<FabricModel, 'routing' | 'network'> & Partial<FabricModel>,
): FabricModel {
  return {
    name: `${facts.network.name} on ${facts.routing.topology.name}`,
    sharedMemory,
    host,
    layer: 1,
    ranksPerHost: 1,
    placement: 'block',
    handshake: true,
    ...facts,
  }
}

/** What messages cost in a model. */
export interface ModelCosts {
  readonly network: NetworkCosts
  readonly sharedMemory: EndpointCosts
}

export function costsOf({ network, sharedMemory: local, handshake }: FabricModel): ModelCosts {
  return {
    network: new NetworkCosts(network, { handshake }),
    sharedMemory: new EndpointCosts(local, { handshake }),
  }
}

/** The network of a model in virtual time. */
export function openNetwork(
  model: FabricModel,
  costs: ModelCosts,
  queue: EventQueue,
  receiver: Receiver,
): Network {
  const { routing, layer, network } = model
  if (layer === 1) return new InterfaceNetwork(queue, receiver, routing.topology, costs.network)
  const psPerByte = network.nsPerByte.value * 1000
  return new RoutedNetwork(queue, receiver, routing, costs.network, {
    capacity: capacities(model),
    psPerByte,
  })
}

/** A link of the topology's own rate carries as much more or less than one of the profile's. */
function capacities({ routing, network }: FabricModel): Float64Array {
  return routing.topology.gigabits.map((gigabits) =>
    gigabits === 0 ? 1 : gigabits / network.gigabits.value,
  )
}
