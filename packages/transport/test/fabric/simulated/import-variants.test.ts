import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { parseForwardingTables } from '../../../src/fabric/simulated/import/forwarding-tables.js'
import { parseIbnetdiscover } from '../../../src/fabric/simulated/import/ibnetdiscover.js'
import { routingNamed } from '../../../src/fabric/simulated/routing/routing-names.js'
import { tablesOf } from '../../../src/fabric/simulated/routing/table-routing.js'
import type { Topology } from '../../../src/fabric/simulated/topology/topology.js'
import { fatTrees } from './topologies.js'

/** How a fabric is written down: names of nodes, local identifiers in steps of 2^lmc, a speed. */
interface Style {
  readonly topology: Topology
  readonly words: string
  readonly lmc: number
  readonly speed: 'SDR' | 'QDR' | 'FDR10' | 'FDR' | 'EDR' | 'HDR' | 'NDR'
  readonly width: 1 | 4
}

const styles: fc.Arbitrary<Style> = fc.record({
  topology: fatTrees.filter(({ hosts }) => hosts > 1),
  // Blanks, quotes, brackets, remarks and words of the format itself stand in names of real nodes.
  words: fc.constantFrom('', " n'1", ' "x" y', ' lid 7 4xSDR', ' [1](a)', ' # 2', ' (b) - c'),
  lmc: fc.integer({ min: 0, max: 2 }),
  speed: fc.constantFrom('SDR', 'QDR', 'FDR10', 'FDR', 'EDR', 'HDR', 'NDR'),
  width: fc.constantFrom(1, 4),
})

const nameOf = ({ words }: Style, node: number): string => `node ${node}${words} HCA-1`
const guidOf = (node: number): string => (0x2c90300000000 + node).toString(16).padStart(16, '0')
const lidOf = ({ lmc }: Style, node: number): number => (node + 1) * 2 ** lmc

/** Links out of a node, by port. */
function portsOf(topology: Topology, node: number) {
  const { firstOf, outgoing, port, to } = topology
  return Array.from(outgoing.subarray(firstOf[node], firstOf[node + 1]), (link) => ({
    port: port[link]!,
    peer: to[link]!,
    peerPort: port[link ^ 1]!,
  }))
}

function discovered(style: Style): string {
  const { topology, lmc, speed, width } = style
  const id = (node: number): string => `${topology.isHost(node) ? 'H' : 'S'}-${guidOf(node)}`
  const records = Array.from({ length: topology.nodes }, (_, node) => {
    const host = topology.isHost(node)
    const lid = lidOf(style, node)
    const head = host
      ? `caguid=0x1\nCa\t8 "${id(node)}"\t\t# "${nameOf(style, node)}"`
      : `switchguid=0x1(1)\nSwitch\t64 "${id(node)}"\t\t# "${nameOf(style, node)}" base port 0 lid ${lid} lmc ${lmc}`
    const lines = portsOf(topology, node).map(({ port, peer, peerPort }) => {
      const rate = `${width}x${speed}`
      const remark = `"${nameOf(style, peer)}" lid ${lidOf(style, peer)} ${rate}`
      return host
        ? `[${port}](a1) \t"${id(peer)}"[${peerPort}]\t\t# lid ${lid} lmc ${lmc} ${remark}`
        : `[${port}]\t"${id(peer)}"[${peerPort}]\t\t# ${remark}`
    })
    return [head, ...lines].join('\n')
  })
  return `#\n# Topology file: generated\n\n${records.join('\n\n')}\n`
}

function portList(style: Style): string {
  const { topology, speed, width } = style
  const end = (node: number, port: number): string =>
    `${topology.isHost(node) ? 'CA' : 'SW'} ${lidOf(style, node)} ${port} 0x${guidOf(node)}`
  const lines = Array.from({ length: topology.nodes }, (_, node) =>
    portsOf(topology, node).map(
      ({ port, peer, peerPort }) =>
        `${end(node, port)} ${width}x ${speed} - ${end(peer, peerPort)} ` +
        `( '${nameOf(style, node)}' - '${nameOf(style, peer)}' )`,
    ),
  ).flat()
  return `${lines.join('\n')}\nSW ${lidOf(style, topology.hosts)} 63 0x${guidOf(topology.hosts)} 4x ??? 'leaf'\nSW 9 62 0x9 4x QDR   Infiniscale-IV\n`
}

const SPD = { SDR: '2.5', QDR: '10', FDR10: 'FDR10', FDR: '14', EDR: '25', HDR: '50', NDR: '100' }

function subnetList(style: Style): string {
  const { topology, speed, width } = style
  const hex = (number: number, digits: number): string =>
    number.toString(16).toUpperCase().padStart(digits, '0')
  const end = (node: number, port: number): string => {
    const kind = topology.isHost(node) ? 'CA' : node === topology.hosts ? 'SW-SM' : 'SW'
    const guid = guidOf(node)
    const guids = `SystemGUID:${guid} NodeGUID:${guid} PortGUID:${guid}`
    const ids = 'VenID:000002C9 DevID:1003 Rev:00000000'
    const lid = hex(lidOf(style, node), 4)
    return `{ ${kind} Ports:24 ${guids} ${ids} {${nameOf(style, node)}} LID:${lid} PN:${hex(port, 2)} }`
  }
  return Array.from({ length: topology.nodes }, (_, node) =>
    portsOf(topology, node).map(
      ({ port, peer, peerPort }) =>
        `${end(node, port)} ${end(peer, peerPort)} PHY=${width}x LOG=ACT SPD=${SPD[speed]}\n`,
    ),
  )
    .flat()
    .join('')
}

/** Cables by the names and ports of their ends. */
function cablesOf(topology: Topology, name: (node: number) => string): string[] {
  return Array.from({ length: topology.links }, (_, link) => {
    const { from, to, port } = topology
    return `${name(from[link]!)} ${port[link]} - ${name(to[link]!)} ${port[link ^ 1]}`
  }).sort()
}

const LANES = { SDR: 2, QDR: 8, FDR10: 10, FDR: 13.64, EDR: 25, HDR: 50, NDR: 100 }
const formats = [
  ['ibnetdiscover', discovered],
  ['ibnetdiscover -p', portList],
  ['opensm-subnet.lst', subnetList],
] as const

describe('parseIbnetdiscover', () => {
  test.each(formats)(
    'reads what %s says of any tree, whatever its nodes are called',
    (_, write) => {
      fc.assert(
        fc.property(styles, (style) => {
          const { topology, speed, width } = style
          const read = parseIbnetdiscover(write(style), 'file')
          expect([read.hosts, read.switches]).toEqual([topology.hosts, topology.switches])
          expect(cablesOf(read, (node) => read.nameOf(node))).toEqual(
            cablesOf(topology, (node) => nameOf(style, node)),
          )
          expect(new Set(read.gigabits)).toEqual(new Set([width * LANES[speed]]))
          for (let node = 0; node < read.nodes; node++) {
            const number = Number(/^node (\d+)/.exec(read.nameOf(node))![1])
            expect(read.localIdentifier![node]).toBe(lidOf(style, number))
          }
        }),
        { numRuns: 40 },
      )
    },
  )

  test('reads netlists with settings, options, ports that are left out and switches of their own', () => {
    const net = parseIbnetdiscover(
      `# by hand
module="net"
hcaguids=0x100000
switchguids=0x200000
width = 2
speed = 4
Switch 8 "S 1"
[0] "H1"[1]
[1] "H1"
[2] "H2"[2] w=1 s=1
Ca 1 "H1"
[1] "S 1"
Hca 2 "H2"
[2] "S 1"[2]
`,
      'net',
    )
    expect([net.hosts, net.switches, net.links]).toEqual([2, 1, 4])
    expect(net.gigabits[net.linkAt(2, 1)]).toBe(32)
    expect(net.gigabits[net.linkAt(2, 2)]).toBe(2)
  })

  test('takes the adapters of one plane', () => {
    const planes = [1, 2].map(
      (plane) => `Switch 8 "S-${plane}"\t# "plane ${plane}" base port 0 lid ${plane} lmc 0
[1]\t"H-a${plane}"[1]\t# "a HCA-${plane}" lid 1${plane} 4xXDR
[2]\t"H-b${plane}"[1]\t# "b HCA-${plane}" lid 2${plane} 4xXDR

Ca\t1 "H-a${plane}"\t# "a HCA-${plane}"
[1](1) "S-${plane}"[1]\t# lid 1${plane} lmc 0 "plane ${plane}" lid ${plane} 4xXDR

Ca\t1 "H-b${plane}"\t# "b HCA-${plane}"
[1](1) "S-${plane}"[2]\t# lid 2${plane} lmc 0 "plane ${plane}" lid ${plane} 4xXDR
`,
    )
    const one = parseIbnetdiscover(planes.join('\n'), 'net', 'HCA-2')
    expect([one.hosts, one.switches, one.links]).toEqual([2, 1, 4])
    expect(one.nameOf(0)).toBe('a HCA-2')
    expect(one.gigabits[0]).toBe(800)
    expect(() => parseIbnetdiscover(planes.join('\n'), 'net', 'mlx5')).toThrow(
      "net: no adapter is called 'mlx5'; one is called 'a HCA-1'",
    )
  })

  test.each([
    ['include "more"\nCa 1 "H"\n', /net:1: include "more": what other files/],
    ['Switch 2 "S"\n@[1] "alias"\n', /net:2: @\[1\] "alias"/],
    ['{ CA Ports:01 nothing }\n', /net:1: no cable of a subnet list/],
  ])('says with its line what it does not read: %j', (text, words) => {
    expect(() => parseIbnetdiscover(text, 'net')).toThrow(words)
  })
})

describe('parseForwardingTables', () => {
  const dumped = (style: Style, fdbs: boolean, byName: boolean): string => {
    const { topology, lmc } = style
    const { hosts, switches, port } = topology
    const { next } = tablesOf(routingNamed(topology, 'd-mod-k'))
    const tables = [...Array(switches).keys()].map((at) => {
      const node = hosts + at
      const guid = byName ? '' : `guid 0x${guidOf(node)} `
      const head = fdbs
        ? `PLFT_NUM: 0\nosm_ucast_mgr_dump_ucast_routes: Switch 0x${guidOf(node)}\nLID    : Port : Hops : Optimal`
        : `Unicast lids [0x0-0xff] of switch Lid ${lidOf(style, node)} ${guid}(${nameOf(style, node)}):\n  Lid  Out   Destination\n       Port     Info`
      const rows = [...Array(topology.nodes).keys()]
        .map((dest) =>
          [...Array(2 ** lmc).keys()].map((path) => {
            const lid = `0x${(lidOf(style, dest) + path).toString(16).padStart(4, '0')}`
            const link = dest < hosts ? next[at * hosts + dest]! : -1
            if (dest === node)
              return fdbs
                ? `${lid} : 000  : 00   : yes`
                : `${lid} 000 : (Switch portguid 0x1: 'me')`
            if (link < 0) return fdbs ? `${lid} : UNREACHABLE` : []
            const out = String(port[link]).padStart(3, '0')
            return fdbs
              ? `${lid} : ${out}  : 01   : yes`
              : `${lid} ${out} : (Channel Adapter portguid 0x2: 'n')`
          }),
        )
        .flat(2)
      return [head, ...rows].join('\n')
    })
    return `${tables.join('\n\n')}\n`
  }

  test('V7: reads tables of OpenSM in every form, with several identifiers a port', () => {
    fc.assert(
      fc.property(styles, fc.boolean(), fc.boolean(), (style, fdbs, byName) => {
        const read = parseIbnetdiscover(discovered(style), 'file')
        const imported = parseForwardingTables(read, dumped(style, fdbs, byName && !fdbs), 'lfts')
        const own = tablesOf(routingNamed(style.topology, 'd-mod-k'))
        // Hosts and switches are read in the order in which they are written.
        const portsBy = ({ next, topology: { port } }: typeof own) =>
          Array.from(next, (link) => (link < 0 ? -1 : port[link]!))
        expect(portsBy(imported)).toEqual(portsBy(own))
      }),
      { numRuns: 40 },
    )
  })
})
