import type { Topology } from '../topology/topology.js'
import { FAR, switchesOfHosts, SwitchDistances } from './switch-distances.js'
import { TableRouting } from './table-routing.js'

/**
 * Shortest ways, spread over the ports that lead to them: each switch gives a destination to the one
 * of them that has got the fewest so far (the engine `minhop` of OpenSM does so).
 */
export function minimalHop(topology: Topology): TableRouting {
  const { hosts, switches, firstOf, outgoing, to } = topology
  const distances = new SwitchDistances(topology)
  const homes = switchesOfHosts(topology)
  const next = new Int32Array(switches * hosts).fill(-1)
  const given = new Int32Array(topology.links)
  for (let dest = 0; dest < hosts; dest++) {
    const home = homes[dest]!
    if (home < 0) continue
    for (let at = 0; at < switches; at++) {
      const distance = distances.between(at, home)
      if (distance === FAR) continue
      let best = -1
      for (let i = firstOf[hosts + at]!; i < firstOf[hosts + at + 1]!; i++) {
        const link = outgoing[i]!
        const node = to[link]!
        const leads =
          at === home
            ? node === dest
            : node >= hosts && distances.between(node - hosts, home) === distance - 1
        if (leads && (best < 0 || given[link]! < given[best]!)) best = link
      }
      if (best < 0) continue
      given[best]!++
      next[at * hosts + dest] = best
    }
  }
  return new TableRouting(topology, 'minimal-hop', next)
}
