import { CableList } from './cable-list.js'
import type { Topology } from './topology.js'
import { checkSize } from './topology-error.js'

/**
 * The dragonfly of Cray's Cascade (Faanes et al. 2012): a group is a grid of chassis and routers. Routers
 * of a chassis are all connected (green), so are those at the same place of all chassis (black), and
 * every two groups (blue), from the router of a group whose number is that of the other group.
 * Numbers of cables say how many there are side by side.
 *
 * @throws TopologyError
 */
export function cascade(shape: {
  readonly groups: number
  readonly chassis: number
  readonly routers: number
  readonly hostsPerRouter: number
  readonly green: number
  readonly black: number
  readonly blue: number
}): Topology {
  for (const [what, value] of Object.entries(shape)) checkSize(`${what} of a dragonfly`, value)
  const { groups, chassis, routers, hostsPerRouter } = shape
  const perGroup = chassis * routers
  const hosts = groups * perGroup * hostsPerRouter
  const router = (group: number, row: number, column: number): number =>
    hosts + group * perGroup + row * routers + column
  const list = new CableList()
  const ports = new Map<number, number>()
  const newPort = (node: number) => {
    const port = (ports.get(node) ?? 0) + 1
    ports.set(node, port)
    return { node, port }
  }
  const connect = (a: number, b: number, cables: number): void => {
    for (let i = 0; i < cables; i++) list.connect(newPort(a), newPort(b))
  }
  for (let host = 0; host < hosts; host++) {
    connect(host, hosts + Math.floor(host / hostsPerRouter), 1)
  }
  for (let group = 0; group < groups; group++) {
    for (let row = 0; row < chassis; row++) {
      for (let column = 0; column < routers; column++) {
        for (let other = column + 1; other < routers; other++) {
          connect(router(group, row, column), router(group, row, other), shape.green)
        }
        for (let other = row + 1; other < chassis; other++) {
          connect(router(group, row, column), router(group, other, column), shape.black)
        }
      }
    }
    for (let other = group + 1; other < groups; other++) {
      const from = other % perGroup
      const to = group % perGroup
      connect(hosts + group * perGroup + from, hosts + other * perGroup + to, shape.blue)
    }
  }
  const switches = groups * perGroup
  return list.build({
    name: `dragonfly ${groups}x${chassis}x${routers}x${hostsPerRouter}`,
    hosts,
    switches,
    level: new Int8Array(hosts + switches).fill(1, hosts),
    nameOf: (node) => {
      if (node < hosts) return `host ${node}`
      const at = node - hosts
      return `router ${at % perGroup} of group ${Math.floor(at / perGroup)}`
    },
  })
}
