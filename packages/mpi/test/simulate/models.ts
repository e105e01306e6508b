import {
  fabricModel,
  type FabricModel,
  fatTree,
  type HostProfile,
  logGopsProfile,
  type NetworkProfile,
  profileNamed,
  routingNamed,
  singleSwitch,
} from '@commworld/transport/simulated'

const zero = { value: 0, source: 'test' }

/** Computing costs nothing. */
export const idleHost: HostProfile = {
  copyNsPerByte: zero,
  reduceNsPerByte: zero,
  flagNs: zero,
}

/** What LogGOPSim takes when nothing is said. */
export const LOGGOPSIM = {
  latencyNs: 2500,
  overheadNs: 1500,
  gapNs: 1000,
  nsPerByte: 6,
  eagerLimitBytes: 65535,
}

/** As LogGOPSim counts: no cost of computing, no time of the handshake. */
export function logGopsModel(
  hosts: number,
  parameters: Parameters<typeof logGopsProfile>[0] = LOGGOPSIM,
  rest: Partial<FabricModel> = {},
): FabricModel {
  const routing = routingNamed(singleSwitch(hosts), 'd-mod-k')
  const network = logGopsProfile(parameters)
  return fabricModel({ routing, network, host: idleHost, handshake: false, ...rest })
}

export function profile(name: string): NetworkProfile {
  return profileNamed(name)!
}

/** Hosts at one switch. */
export function crossbar(
  name: string,
  hosts: number,
  rest: Partial<FabricModel> = {},
): FabricModel {
  const routing = routingNamed(singleSwitch(hosts), 'd-mod-k')
  return fabricModel({ routing, network: profile(name), ...rest })
}

/** A tree of two levels with full bisection. */
export function twoLevels(
  name: string,
  hosts: number,
  perLeaf: number,
  rest: Partial<FabricModel> = {},
): FabricModel {
  const topology = fatTree({
    children: [perLeaf, Math.ceil(hosts / perLeaf)],
    parents: [1, perLeaf],
  })
  return fabricModel({
    routing: routingNamed(topology, 'd-mod-k'),
    network: profile(name),
    ...rest,
  })
}
