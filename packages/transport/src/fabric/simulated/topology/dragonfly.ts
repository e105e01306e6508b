import { CableList } from './cable-list.js'
import type { Topology } from './topology.js'
import { checkSize, TopologyError } from './topology-error.js'

/**
 * A dragonfly (Kim, Dally, Scott, Abts 2008): groups of routers that are all connected to each other,
 * and every two groups by one global cable or more. Global cables of a group are dealt out to its
 * routers in turn, `relative` to the group's own number, so all groups look alike.
 *
 * Ports of a router: hosts, routers of the group, global cables.
 *
 * @throws TopologyError when a group has fewer global ports than there are other groups
 */
export function dragonfly({
  groups,
  routers,
  hostsPerRouter,
  globalPorts,
}: {
  readonly groups: number
  readonly routers: number
  readonly hostsPerRouter: number
  /** Global cables of each router. */
  readonly globalPorts: number
}): Topology {
  checkSize('groups of a dragonfly', groups)
  checkSize('routers of a dragonfly group', routers)
  checkSize('hosts of a dragonfly router', hostsPerRouter)
  checkSize('global ports of a dragonfly router', globalPorts, groups > 1 ? 1 : 0)
  const others = groups - 1
  const perPair = others === 0 ? 0 : Math.floor((routers * globalPorts) / others)
  if (others > 0 && perPair === 0) {
    throw new TopologyError(
      `a dragonfly group has ${routers * globalPorts} global ports for ${others} other groups`,
    )
  }
  const hosts = groups * routers * hostsPerRouter
  const router = (group: number, index: number): number => hosts + group * routers + index
  const list = new CableList()
  for (let group = 0; group < groups; group++) {
    for (let r = 0; r < routers; r++) {
      for (let h = 0; h < hostsPerRouter; h++) {
        const host = (group * routers + r) * hostsPerRouter + h
        list.connect({ node: host, port: 1 }, { node: router(group, r), port: h + 1 })
      }
      for (let s = r + 1; s < routers; s++) {
        const port = (own: number, other: number): number =>
          hostsPerRouter + 1 + (other > own ? other - 1 : other)
        list.connect(
          { node: router(group, r), port: port(r, s) },
          { node: router(group, s), port: port(s, r) },
        )
      }
    }
  }
  /** Where the cable number `copy` from a group to the one `distance` further on begins. */
  const end = (group: number, distance: number, copy: number) => {
    const number = copy * others + distance - 1
    const port = hostsPerRouter + routers + Math.floor(number / routers)
    return { node: router(group, number % routers), port }
  }
  for (let group = 0; group < groups; group++) {
    for (let other = group + 1; other < groups; other++) {
      for (let copy = 0; copy < perPair; copy++) {
        const distance = other - group
        list.connect(end(group, distance, copy), end(other, groups - distance, copy))
      }
    }
  }
  const switches = groups * routers
  return list.build({
    name: `dragonfly ${groups}x${routers}x${hostsPerRouter}`,
    hosts,
    switches,
    level: new Int8Array(hosts + switches).fill(1, hosts),
    nameOf: (node) => {
      if (node < hosts) return `host ${node}`
      const at = node - hosts
      return `router ${at % routers} of group ${Math.floor(at / routers)}`
    },
  })
}
