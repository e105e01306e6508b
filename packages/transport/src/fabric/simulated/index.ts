// The face of @commworld/transport/simulated: re-exports only. Apart from the package's main entry,
// so that ranks on the direct fabric load none of it.

export { EventLog } from './kernel/event-log.js'
export { EventQueue } from './kernel/event-queue.js'
export { formatDuration, picoseconds, PS_PER_NS, PS_PER_S, PS_PER_US } from './kernel/time.js'
export { costsOf, fabricModel, openNetwork } from './fabric-model.js'
export type { FabricModel, ModelCosts, Placement } from './fabric-model.js'
export { FlowSystem } from './link/flow-system.js'
export { maxMinRates, type FlowsOverLinks } from './link/max-min.js'
export { patternRates, type PatternRates } from './link/pattern-rates.js'
export * from './network/event-kinds.js'
export { MessageTimes } from './network/message-times.js'
export type { LayerCard, LinkUse, Network, Receiver } from './network/network.js'
export { EndpointCosts, NetworkCosts } from './profile/endpoint-costs.js'
export { fromGpuMemory, type GpuPath } from './profile/gpu-memory.js'
export { host as usualHost, sharedMemory } from './profile/host.js'
export { logGopsProfile } from './profile/profile.js'
export type {
  EndpointProfile,
  HostProfile,
  InNetworkProfile,
  LogGops,
  NetworkProfile,
  Sourced,
} from './profile/profile.js'
export { describeProfile, networkProfiles, profileNamed } from './profile/profile-names.js'
export { SizeTable, type Knot } from './profile/size-table.js'
export { checkRouting, type Pair, type RoutingReport } from './routing/check-routing.js'
export { type LinkLoad, LOOPS, type Routing, UNREACHABLE } from './routing/routing.js'
export {
  ROUTING_NAMES,
  routingNamed,
  usualRouting,
  type RoutingName,
} from './routing/routing-names.js'
export { TableRouting, tablesOf } from './routing/table-routing.js'
export { TreeRouting, type TreePolicy } from './routing/tree-routing.js'
export { upDown } from './routing/up-down.js'
export { dragonfly } from './topology/dragonfly.js'
export { fatTree, kAryNTree, singleSwitch } from './topology/fat-tree.js'
export { slimFly } from './topology/slim-fly.js'
export { Topology, type TreeShape } from './topology/topology.js'
export { TopologyError } from './topology/topology-error.js'
export { torus } from './topology/torus.js'
export { parseFdbs, parseForwardingTables } from './import/forwarding-tables.js'
export { parseIbnetdiscover } from './import/ibnetdiscover.js'
export { ImportError } from './import/import-error.js'
export { profileFromNetgauge, profileFromOsu } from './import/measured-profile.js'
export { simGridLink } from './import/simgrid-network.js'
export { parseSimGridPlatform, type SimGridCluster } from './import/simgrid-platform.js'
export { cascade } from './topology/cascade.js'
export { loadFabric, parseFabric } from './description/fabric-file.js'
export { HopCounter } from './network/hop-counter.js'
export { hdr } from './profile/infiniband.js'
export { dModKTables } from './routing/tree-tables.js'
