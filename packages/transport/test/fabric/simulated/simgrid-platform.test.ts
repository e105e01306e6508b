import { describe, expect, test } from 'vitest'

import { ImportError } from '../../../src/fabric/simulated/import/import-error.js'
import {
  bandwidthOf,
  radicalOf,
  secondsOf,
} from '../../../src/fabric/simulated/import/simgrid-units.js'
import { parseSimGridPlatform } from '../../../src/fabric/simulated/import/simgrid-platform.js'
import { checkRouting } from '../../../src/fabric/simulated/routing/check-routing.js'
import { routingNamed } from '../../../src/fabric/simulated/routing/routing-names.js'

const platform = (attributes: string): string => `<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="one" prefix="node-" suffix=".example" speed="1Gf" bw="125MBps" lat="50us" ${attributes}/>
  </zone>
</platform>
`

describe('parseSimGridPlatform', () => {
  // Zahavi's figure 1 (b): 4 leaves with 4 hosts, 2 cores, 2 cables between each.
  test('reads a fat tree', () => {
    const attributes = 'radical="0-15" topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2"'
    const { topology, network, id } = parseSimGridPlatform(platform(attributes), 'cluster.xml')
    expect([id, topology.hosts, topology.switches]).toEqual(['one', 16, 6])
    expect(topology.links).toBe(2 * (16 + 4 * 2 * 2))
    expect(network.nsPerByte.value).toBe(8)
    expect(network.hopNs.value).toBeCloseTo(50_000, 6)
    expect(checkRouting(routingNamed(topology, 'd-mod-k'))).toMatchObject({ unreachable: 0 })
  })

  test.each([
    ['a torus', 'radical="0-11" topology="TORUS" topo_parameters="3,2,2"', 12, 12],
    [
      'a dragonfly',
      'radical="0-119" topology="DRAGONFLY" topo_parameters="3,4;4,3;5,1;2"',
      120,
      60,
    ],
    ['a flat cluster', 'radical="0-3,8,10-12"', 8, 1],
  ])('reads %s', (_, attributes, hosts, switches) => {
    const { topology } = parseSimGridPlatform(platform(attributes), 'cluster.xml')
    expect([topology.hosts, topology.switches]).toEqual([hosts, switches])
    expect(checkRouting(routingNamed(topology, 'minimal-hop'))).toMatchObject({
      unreachable: 0,
      loops: 0,
    })
  })

  test.each([
    ['radical="0-15" topology="TORUS" topo_parameters="3,x"', 'topo_parameters="3,x"'],
    ['radical="0-9" topology="TORUS" topo_parameters="3,3"', '10 hosts, the topology has 9'],
    ['radical="0-9" topology="RING"', 'none of FAT_TREE, TORUS'],
    ['radical="9-0"', 'radical="9-0" is not like 0-15'],
    ['', 'needs radical='],
  ])('refuses %s with its line', (attributes, reason) => {
    const parse = () => parseSimGridPlatform(platform(attributes), 'cluster.xml')
    expect(parse).toThrow(ImportError)
    expect(parse).toThrow(`cluster.xml:5: `)
    expect(parse).toThrow(reason)
  })

  test('refuses what is no XML, no platform, or has no cluster', () => {
    expect(() => parseSimGridPlatform('<platform>\n<zone>\n</platform>', 'p')).toThrow(
      /p:3: no XML/,
    )
    expect(() => parseSimGridPlatform('<html/>', 'p')).toThrow('no SimGrid platform')
    expect(() => parseSimGridPlatform('<platform/>', 'p')).toThrow('no <cluster>')
  })
})

describe('units of SimGrid', () => {
  test('are read', () => {
    expect(bandwidthOf('125MBps')).toBe(125e6)
    expect(bandwidthOf('1Gbps')).toBe(125e6)
    expect(bandwidthOf('1GiBps')).toBe(2 ** 30)
    expect(bandwidthOf('1.25E8')).toBe(125e6)
    expect(secondsOf('5E-5')).toBe(5e-5)
    expect(bandwidthOf('fast')).toBeUndefined()
    expect(secondsOf('50us')).toBeCloseTo(5e-5, 12)
    expect(radicalOf('0-2,7')).toEqual([0, 1, 2, 7])
  })
})
