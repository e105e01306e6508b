import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { checkRouting, findCycle } from '../../../src/fabric/simulated/routing/check-routing.js'
import type { Routing } from '../../../src/fabric/simulated/routing/routing.js'
import {
  ROUTING_NAMES,
  routingNamed,
  type RoutingName,
} from '../../../src/fabric/simulated/routing/routing-names.js'
import { ShortestPaths } from '../../../src/fabric/simulated/routing/shortest-paths.js'
import { TableRouting, tablesOf } from '../../../src/fabric/simulated/routing/table-routing.js'
import { dragonfly } from '../../../src/fabric/simulated/topology/dragonfly.js'
import { fatTree } from '../../../src/fabric/simulated/topology/fat-tree.js'
import type { Topology } from '../../../src/fabric/simulated/topology/topology.js'
import { torus } from '../../../src/fabric/simulated/topology/torus.js'
import { dragonflies, fatTrees, topologies, tori } from './topologies.js'

/** Links from a host to all others by breadth-first search over everything. */
function distancesFrom(topology: Topology, source: number): number[] {
  const distances: number[] = Array.from({ length: topology.nodes }, () => Infinity)
  distances[source] = 0
  const queue = [source]
  for (const node of queue) {
    if (node !== source && topology.isHost(node)) continue
    for (let i = topology.firstOf[node]!; i < topology.firstOf[node + 1]!; i++) {
      const next = topology.to[topology.outgoing[i]!]!
      if (distances[next] !== Infinity) continue
      distances[next] = distances[node]! + 1
      queue.push(next)
    }
  }
  return distances
}

/** Each way is one of links that follow each other; @returns whether all are shortest. */
function followAll(routing: Routing): boolean {
  const { topology } = routing
  const path = new Int32Array(routing.linksMax)
  let shortest = true
  for (let source = 0; source < topology.hosts; source++) {
    const distances = distancesFrom(topology, source)
    for (let dest = 0; dest < topology.hosts; dest++) {
      const length = routing.route(source, dest, path)
      let node = source
      for (let i = 0; i < length; i++) {
        expect(topology.from[path[i]!]).toBe(node)
        node = topology.to[path[i]!]!
      }
      expect(node).toBe(dest)
      expect(length).toBeGreaterThanOrEqual(distances[dest]!)
      if (length !== distances[dest]) shortest = false
    }
  }
  return shortest
}

const shortest: [string, fc.Arbitrary<Topology>, RoutingName[]][] = [
  ['fat trees', fatTrees, ROUTING_NAMES.filter((n) => n !== 'dimension-order' && n !== 'up-down')],
  ['tori', tori, ['minimal-hop', 'dimension-order', 'hash', 'adaptive']],
  ['dragonflies', dragonflies, ['minimal-hop', 'hash', 'adaptive']],
]

describe('routing', () => {
  for (const [kind, arbitrary, names] of shortest) {
    test.each(names)(`on ${kind} by %s goes the shortest way`, (name) => {
      const property = fc.property(arbitrary, fc.nat(), (topology, seed) => {
        expect(followAll(routingNamed(topology, name, seed))).toBe(true)
      })
      fc.assert(property, { numRuns: 30 })
    })
  }

  test('of shortest paths on any topology goes the shortest way', () => {
    const policies = fc.constantFrom('hash' as const, 'adaptive' as const)
    const property = fc.property(topologies, policies, fc.nat(), (topology, policy, seed) => {
      expect(followAll(new ShortestPaths(topology, policy, seed))).toBe(true)
    })
    fc.assert(property, { numRuns: 30 })
  })

  test('adaptive avoids links that are busy', () => {
    const routing = routingNamed(fatTree({ children: [2, 2], parents: [1, 2] }), 'adaptive')
    const busy = new Set<number>()
    const load = { loadOf: (link: number) => (busy.has(link) ? 1 : 0) }
    const path = new Int32Array(4)
    routing.route(0, 2, path, load)
    const first = path[1]!
    busy.add(first)
    routing.route(0, 2, path, load)
    expect(path[1]).not.toBe(first)
    expect(routing.topology.from[path[1]!]).toBe(routing.topology.from[first])
  })

  test('that needs another topology is refused', () => {
    expect(() => routingNamed(torus({ dimensions: [3] }), 'd-mod-k')).toThrow('needs a fat tree')
    const tree = fatTree({ children: [2], parents: [1] })
    expect(() => routingNamed(tree, 'dimension-order')).toThrow('needs a torus')
  })
})

describe('V7: checkRouting', () => {
  const sound = (routing: Routing) => {
    const report = checkRouting(routing)
    expect(report).toMatchObject({ unreachable: 0, loops: 0 })
    return report
  }

  test('finds nothing wrong with up/down on any topology', () => {
    const property = fc.property(topologies, (topology) => {
      const routing = routingNamed(topology, 'up-down')
      followAll(routing)
      expect(sound(routing).creditCycle).toBeUndefined()
    })
    fc.assert(property, { numRuns: 60 })
  })

  test.each(['d-mod-k', 's-mod-k', 'hash', 'minimal-hop'] as const)(
    'finds nothing wrong with %s on fat trees',
    (name) => {
      const property = fc.property(fatTrees, (topology) => {
        expect(sound(routingNamed(topology, name)).creditCycle).toBeUndefined()
      })
      fc.assert(property, { numRuns: 40 })
    },
  )

  test('flags the credit cycle of a ring', () => {
    const routing = routingNamed(torus({ dimensions: [5] }), 'dimension-order')
    const { creditCycle } = sound(routing)
    const { from, to } = routing.topology
    creditCycle!.forEach((link, i) => {
      expect(to[link]).toBe(from[creditCycle![(i + 1) % creditCycle!.length]!])
    })
    expect(creditCycle!.length).toBe(5)
  })

  test('flags the credit cycle of shortest ways through a dragonfly', () => {
    const topology = dragonfly({ groups: 5, routers: 4, hostsPerRouter: 1, globalPorts: 1 })
    expect(sound(routingNamed(topology, 'minimal-hop')).creditCycle).toBeDefined()
  })

  test('reports holes and loops with the hosts that they part', () => {
    const topology = fatTree({ children: [1, 2], parents: [1, 1] })
    const { next } = tablesOf(routingNamed(topology, 'd-mod-k'))
    const spine = topology.nodes - 1 - topology.hosts
    const holes = next.slice()
    holes[spine * topology.hosts + 1] = -1
    expect(checkRouting(new TableRouting(topology, 'holes', holes))).toMatchObject({
      unreachable: 1,
      loops: 0,
      unreachablePairs: [{ source: 0, dest: 1 }],
    })
    // The spine sends what is for host 1 back where it came from.
    const loops = next.slice()
    loops[spine * topology.hosts + 1] = next[spine * topology.hosts]!
    expect(checkRouting(new TableRouting(topology, 'loops', loops))).toMatchObject({
      unreachable: 0,
      loops: 1,
      loopingPairs: [{ source: 0, dest: 1 }],
    })
  })
})

describe('findCycle', () => {
  test('finds a cycle exactly where taking away sources leaves something', () => {
    const graphs = fc.array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 8, maxLength: 8 })
    const property = fc.property(graphs, (lists) => {
      const followers = lists.map((list) => new Set(list))
      // Kahn: remove what nothing leads to, as long as there is something.
      const left = new Set(followers.keys())
      for (let removed = true; removed;) {
        removed = false
        for (const node of left) {
          if ([...left].some((other) => followers[other]!.has(node))) continue
          left.delete(node)
          removed = true
        }
      }
      const cycle = findCycle(followers)
      expect(cycle !== undefined).toBe(left.size > 0)
      cycle?.forEach((node, i) => {
        expect(followers[node]!.has(cycle[(i + 1) % cycle.length]!)).toBe(true)
      })
    })
    fc.assert(property, { numRuns: 300 })
  })
})
