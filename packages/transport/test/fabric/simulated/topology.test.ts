import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { dragonfly } from '../../../src/fabric/simulated/topology/dragonfly.js'
import { fatTree, kAryNTree } from '../../../src/fabric/simulated/topology/fat-tree.js'
import { slimFly } from '../../../src/fabric/simulated/topology/slim-fly.js'
import type { Topology } from '../../../src/fabric/simulated/topology/topology.js'
import { TopologyError } from '../../../src/fabric/simulated/topology/topology-error.js'
import { torus } from '../../../src/fabric/simulated/topology/torus.js'
import { topologies } from './topologies.js'

function degree(topology: Topology, node: number): number {
  return topology.firstOf[node + 1]! - topology.firstOf[node]!
}

describe('topologies', () => {
  test('pair links back to back and give each port once', () => {
    fc.assert(
      fc.property(topologies, (topology) => {
        for (let link = 0; link < topology.links; link++) {
          expect(topology.from[link ^ 1]).toBe(topology.to[link])
        }
        for (let node = 0; node < topology.nodes; node++) {
          const ports = new Set<number>()
          for (let i = topology.firstOf[node]!; i < topology.firstOf[node + 1]!; i++) {
            const link = topology.outgoing[i]!
            expect(topology.from[link]).toBe(node)
            expect(topology.linkAt(node, topology.port[link]!)).toBe(link)
            ports.add(topology.port[link]!)
          }
          expect(ports.size).toBe(degree(topology, node))
        }
      }),
    )
  })

  test('give each host one link', () => {
    fc.assert(
      fc.property(topologies, (topology) => {
        for (let host = 0; host < topology.hosts; host++) expect(degree(topology, host)).toBe(1)
      }),
    )
  })
})

describe('slimFly', () => {
  test.each([5, 13, 17])(
    'of q = %i has two cables between any two of 2 q^2 switches of degree (3 q - 1) / 2',
    (q) => {
      const topology = slimFly({ q, hostsPerSwitch: 1 })
      const { hosts, switches } = topology
      expect(switches).toBe(2 * q * q)
      const neighbours = Array.from({ length: switches }, (_, at) => {
        const links = topology.outgoing.subarray(
          topology.firstOf[hosts + at],
          topology.firstOf[hosts + at + 1],
        )
        return new Set([...links].map((link) => topology.to[link]! - hosts).filter((to) => to >= 0))
      })
      for (const [at, near] of neighbours.entries()) {
        expect(near.size).toBe((3 * q - 1) / 2)
        const reached = new Set([at, ...near, ...[...near].flatMap((one) => [...neighbours[one]!])])
        expect(reached.size).toBe(switches)
      }
    },
  )

  test.each([4, 7, 25])('refuses q = %i', (q) => {
    expect(() => slimFly({ q, hostsPerSwitch: 1 })).toThrow(TopologyError)
  })
})

describe('fatTree', () => {
  test.each([
    ['radix 36, two levels', () => fatTree({ children: [18, 36], parents: [1, 18] }), 648, 54],
    [
      'radix 36, three levels',
      () => fatTree({ children: [18, 18, 36], parents: [1, 18, 18] }),
      11664,
      1620,
    ],
    ['radix 40, two levels', () => fatTree({ children: [20, 40], parents: [1, 20] }), 800, 60],
    ['radix 64, two levels', () => fatTree({ children: [32, 64], parents: [1, 32] }), 2048, 96],
    ['4-ary 3-tree', () => kAryNTree({ k: 4, n: 3 }), 64, 48],
    [
      'radix 64, three levels',
      () => fatTree({ children: [32, 32, 64], parents: [1, 32, 32] }),
      65536,
      5120,
    ],
  ])('%s has the published numbers of hosts and switches', (_, make, hosts, switches) => {
    const topology = make()
    expect([topology.hosts, topology.switches]).toEqual([hosts, switches])
  })

  test('uses each port of full switches', () => {
    const topology = fatTree({ children: [4, 4, 8], parents: [1, 4, 4] })
    for (let node = topology.hosts; node < topology.nodes; node++) {
      expect(degree(topology, node)).toBe(8)
    }
  })

  test('refuses shapes that make no tree', () => {
    expect(() => fatTree({ children: [4, 4], parents: [1] })).toThrow(TopologyError)
    expect(() => fatTree({ children: [4, 0], parents: [1, 2] })).toThrow('from 1, not 0')
    expect(() => fatTree({ children: [4, 2], parents: [2, 2] })).toThrow('hosts of a fat tree')
    expect(() => fatTree({ children: [4096, 4096], parents: [1, 1] })).toThrow('too large')
  })
})

describe('torus', () => {
  test('connects neighbours in each dimension', () => {
    const topology = torus({ dimensions: [4, 3, 2] })
    for (let node = topology.hosts; node < topology.nodes; node++) {
      expect(degree(topology, node)).toBe(1 + 2 + 2 + 1)
    }
  })
})

describe('dragonfly', () => {
  test('connects every two groups', () => {
    const topology = dragonfly({ groups: 9, routers: 4, hostsPerRouter: 2, globalPorts: 2 })
    const groupOf = (node: number) => Math.floor((node - topology.hosts) / 4)
    const pairs = new Set<string>()
    for (let link = 0; link < topology.links; link++) {
      const [a, b] = [topology.from[link]!, topology.to[link]!]
      if (a < topology.hosts || b < topology.hosts) continue
      if (groupOf(a) < groupOf(b)) pairs.add(`${groupOf(a)} ${groupOf(b)}`)
    }
    expect(pairs.size).toBe(36)
  })

  test('refuses groups that cannot all be reached', () => {
    expect(() => dragonfly({ groups: 9, routers: 2, hostsPerRouter: 1, globalPorts: 2 })).toThrow(
      '4 global ports for 8 other groups',
    )
  })
})
