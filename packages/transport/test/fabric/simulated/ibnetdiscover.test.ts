import { describe, expect, test } from 'vitest'

import {
  parseForwardingTables,
  parseFdbs,
} from '../../../src/fabric/simulated/import/forwarding-tables.js'
import { parseIbnetdiscover } from '../../../src/fabric/simulated/import/ibnetdiscover.js'
import { ImportError } from '../../../src/fabric/simulated/import/import-error.js'
import { checkRouting } from '../../../src/fabric/simulated/routing/check-routing.js'
import { routingNamed } from '../../../src/fabric/simulated/routing/routing-names.js'
import { tablesOf } from '../../../src/fabric/simulated/routing/table-routing.js'
import { dModKTables } from '../../../src/fabric/simulated/routing/tree-tables.js'
import type { Topology } from '../../../src/fabric/simulated/topology/topology.js'
import { examples } from './topologies.js'

/** Two leaves with two hosts each and a spine, by two cables from each leaf; as the tool writes it. */
const DISCOVERED = `#
# Topology file: generated on Mon Jan  1 00:00:00 2024
#
# Initiated from node 0000000000000a01 port 0000000000000a11

vendid=0x2c9
devid=0xd2f0
sysimgguid=0x5003
switchguid=0x5003(5003)
Switch\t41 "S-0000000000005003"\t\t# "MF0;spine:MQM8700/U1" enhanced port 0 lid 7 lmc 0
[1]\t"S-0000000000005001"[3]\t\t# "MF0;leaf1:MQM8700/U1" lid 5 4xHDR
[2]\t"S-0000000000005001"[4]\t\t# "MF0;leaf1:MQM8700/U1" lid 5 4xHDR
[3]\t"S-0000000000005002"[3]\t\t# "MF0;leaf2:MQM8700/U1" lid 6 4xHDR
[4]\t"S-0000000000005002"[4]\t\t# "MF0;leaf2:MQM8700/U1" lid 6 4xEDR
[41]\t"H-0000000000009901"[1](9902) \t\t# "Mellanox Technologies Aggregation Node" lid 9 4xHDR

vendid=0x2c9
switchguid=0x5001(5001)
Switch\t41 "S-0000000000005001"\t\t# "MF0;leaf1:MQM8700/U1" enhanced port 0 lid 5 lmc 0
[1]\t"H-0000000000000a01"[1](a11) \t\t# "node1 HCA-1" lid 1 4xHDR
[2]\t"H-0000000000000a02"[1](a12) \t\t# "node2 HCA-1" lid 2 4xHDR
[3]\t"S-0000000000005003"[1]\t\t# "MF0;spine:MQM8700/U1" lid 7 4xHDR
[4]\t"S-0000000000005003"[2]\t\t# "MF0;spine:MQM8700/U1" lid 7 4xHDR

switchguid=0x5002(5002)
Switch\t41 "S-0000000000005002"\t\t# "MF0;leaf2:MQM8700/U1" enhanced port 0 lid 6 lmc 0
[1]\t"H-0000000000000a03"[1](a13) \t\t# "node3 HCA-1" lid 3 4xHDR
[2]\t"H-0000000000000a04"[1](a14) \t\t# "node4 HCA-1" lid 4 4xHDR
[3]\t"S-0000000000005003"[3]\t\t# "MF0;spine:MQM8700/U1" lid 7 4xHDR
[4]\t"S-0000000000005003"[4]\t\t# "MF0;spine:MQM8700/U1" lid 7 4xEDR

caguid=0x9901
Ca\t1 "H-0000000000009901"\t\t# "Mellanox Technologies Aggregation Node"
[1](9902) \t"S-0000000000005003"[41]\t\t# lid 9 lmc 0 "MF0;spine:MQM8700/U1" lid 7 4xHDR

caguid=0xa01
Ca\t1 "H-0000000000000a01"\t\t# "node1 HCA-1"
[1](a11) \t"S-0000000000005001"[1]\t\t# lid 1 lmc 0 "MF0;leaf1:MQM8700/U1" lid 5 4xHDR

Ca\t1 "H-0000000000000a02"\t\t# "node2 HCA-1"
[1](a12) \t"S-0000000000005001"[2]\t\t# lid 2 lmc 0 "MF0;leaf1:MQM8700/U1" lid 5 4xHDR

Ca\t1 "H-0000000000000a03"\t\t# "node3 HCA-1"
[1](a13) \t"S-0000000000005002"[1]\t\t# lid 3 lmc 0 "MF0;leaf2:MQM8700/U1" lid 6 4xHDR

Ca\t1 "H-0000000000000a04"\t\t# "node4 HCA-1"
[1](a14) \t"S-0000000000005002"[2]\t\t# lid 4 lmc 0 "MF0;leaf2:MQM8700/U1" lid 6 4xHDR
`

function failure(run: () => unknown): ImportError {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(ImportError)
    return error as ImportError
  }
  throw new Error('nothing was thrown')
}

const lineOf = (text: string, part: string): number =>
  text.slice(0, text.indexOf(part)).split('\n').length

describe('parseIbnetdiscover', () => {
  const topology = parseIbnetdiscover(DISCOVERED, 'net.txt')

  test('reads hosts, switches, speeds, names and identifiers', () => {
    expect([topology.hosts, topology.switches, topology.links]).toEqual([4, 3, 16])
    expect(topology.nameOf(0)).toBe('node1 HCA-1')
    expect([...topology.localIdentifier!]).toEqual([1, 2, 3, 4, 7, 5, 6])
    expect([...topology.level]).toEqual([0, 0, 0, 0, 2, 1, 1])
    const speeds = [...topology.gigabits].sort((a, b) => a - b)
    expect([speeds[0], speeds[2]]).toEqual([100, 200])
  })

  test('leaves out adapters inside of switches', () => {
    expect(Array.from({ length: 7 }, (_, node) => topology.nameOf(node)).join()).not.toContain(
      'Aggregation',
    )
  })

  test('makes a topology that can be routed', () => {
    for (const name of ['minimal-hop', 'up-down', 'hash'] as const) {
      const report = checkRouting(routingNamed(topology, name))
      expect(report).toMatchObject({ unreachable: 0, loops: 0, linksMax: 4 })
      expect(report.creditCycle).toBeUndefined()
    }
  })

  test('reads netlists of ibsim', () => {
    const netlist = `# two switches by two paths
Switch\t8 "Switch1"
[1]\t"Hca1"[1]
[3]\t"Switch2"[3]
[5]\t"Switch2"[5]

Switch 8 "Switch2"
[1]\t"Hca2"[1]
[3]\t"Switch1"[3]
[5]\t"Switch1"[5]

Hca\t2 "Hca1"
[1]\t"Switch1"[1]

Hca\t2 "Hca2"
[1]\t"Switch2" [1]
`
    const net = parseIbnetdiscover(netlist, 'net')
    expect([net.hosts, net.switches, net.links]).toEqual([2, 2, 8])
    expect(net.nameOf(3)).toBe('Switch2')
  })

  test('reads lists of ports', () => {
    const list = `CA     1  1 0x0a11 4x HDR - SW     5  1 0x5001 ( 'node1 HCA-1' - 'leaf1' )
CA     2  1 0x0a12 4x HDR - SW     5  2 0x5001 ( 'node2 HCA-1' - 'leaf1' )
SW     5  1 0x5001 4x HDR - CA     1  1 0x0a11 ( 'leaf1' - 'node1 HCA-1' )
SW     5  2 0x5001 4x HDR - CA     2  1 0x0a12 ( 'leaf1' - 'node2 HCA-1' )
SW     5 37 0x5001 4x ???                                    'leaf1'
SW     5 38 0x5001 4x SDR                                    'leaf1'
`
    const net = parseIbnetdiscover(list, 'ports')
    expect([net.hosts, net.switches, net.links]).toEqual([2, 1, 4])
    expect(net.gigabits[0]).toBe(200)
    const wrong = failure(() => parseIbnetdiscover(`${list}SW five\n`, 'ports'))
    expect([wrong.line, wrong.reason]).toEqual([7, 'no port of a list of ports: SW five'])
  })

  const wrong: [string, string, string, string][] = [
    ['nonsense', 'vendid=0x2c9', 'what is this', 'neither a record'],
    ['a port without a peer', '[1](a11) \t"S-', '[1](a11) \tS-', 'a port is written'],
    ['a port beyond the last', '[41]\t"H-', '[42]\t"H-', 'has ports 1 to 41, not 42'],
    ['a port that is there twice', '[2]\t"H-', '[1]\t"H-', 'already'],
    ['an unknown peer', '"S-0000000000005001"[3]', '"S-0000000000005009"[3]', 'has no record'],
    ['ends that disagree', '"S-0000000000005001"[3]', '"S-0000000000005001"[4]', 'which leads to'],
    [
      'a record that is there twice',
      'Switch\t41 "S-0000000000005002"',
      'Switch\t41 "S-0000000000005001"',
      'already',
    ],
  ]
  test.each(wrong)('names the line of %s', (_, part, other, reason) => {
    const text = DISCOVERED.replace(part, other)
    const error = failure(() => parseIbnetdiscover(text, 'net.txt'))
    expect(error.message).toContain(`net.txt:${error.line}: `)
    expect(error.reason).toContain(reason)
    expect(error.line).toBe(lineOf(DISCOVERED, part))
  })

  test('refuses files that hold nothing', () => {
    expect(failure(() => parseIbnetdiscover('# nothing\n', 'e')).message).toContain('no records')
    expect(failure(() => parseIbnetdiscover('Switch 8 "S-1"\n', 'e')).message).toContain('no hosts')
  })
})

const TABLES = `Unicast lids [0x0-0x7] of switch Lid 7 guid 0x0000000000005003 (MF0;spine:MQM8700/U1):
  Lid  Out   Destination
       Port     Info
0x0001 001 : (Channel Adapter portguid 0x0000000000000a11: 'node1 HCA-1')
0x0002 002 : (Channel Adapter portguid 0x0000000000000a12: 'node2 HCA-1')
0x0003 003 : (Channel Adapter portguid 0x0000000000000a13: 'node3 HCA-1')
0x0004 004 : (Channel Adapter portguid 0x0000000000000a14: 'node4 HCA-1')
0x0007 000 : (Switch portguid 0x0000000000005003: 'spine')
5 valid lids dumped
Unicast lids [0x0-0x7] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000005001 (leaf1):
0x0001 001 : (node1)
0x0002 002 # node2
0x0003 003
0x0004 004
Unicast lids [0x0-0x7] of switch Lid 6 guid 0x5002 ('leaf2'):
1 3
2 4
3 1
4 2
`

describe('parseForwardingTables', () => {
  const topology = parseIbnetdiscover(DISCOVERED, 'net.txt')

  test('V7: reads tables that reach everybody without loops or cycles', () => {
    const report = checkRouting(parseForwardingTables(topology, TABLES, 'lfts'))
    expect(report).toMatchObject({ unreachable: 0, loops: 0 })
    expect(report.creditCycle).toBeUndefined()
    expect(report.levels).toEqual([
      { level: 1, switches: 2, carrying: 2 },
      { level: 2, switches: 1, carrying: 1 },
    ])
  })

  test('leaves holes that a check finds', () => {
    const routing = parseForwardingTables(topology, TABLES.replace('0x0003 003\n', ''), 'lfts')
    const { unreachable, unreachablePairs } = checkRouting(routing)
    expect(unreachable).toBe(2)
    expect(unreachablePairs).toEqual([
      { source: 0, dest: 2 },
      { source: 1, dest: 2 },
    ])
  })

  test('finds loops', () => {
    const looping = TABLES.replace('0x0003 003 : (Channel', '0x0003 001 : (Channel')
    const { loops, loopingPairs } = checkRouting(parseForwardingTables(topology, looping, 'lfts'))
    expect(loops).toBe(2)
    expect(loopingPairs[0]).toEqual({ source: 0, dest: 2 })
  })

  test.each([
    ['an unknown switch', 'guid 0x5002', 'guid 0x5099', 15, 'has no switch 0x5099'],
    ['a port without cable', '1 3\n', '1 9\n', 16, 'port 9 of MF0;leaf2:MQM8700/U1 has no cable'],
    ['nonsense', '2 4\n', 'two four\n', 17, 'a row is written'],
    ['a second table', 'guid 0x5002', 'guid 0x5001', 15, 'has a table on line 10 already'],
  ])('names the line of %s', (_, part, other, line, reason) => {
    const text = TABLES.replace('Lid 6 guid', 'guid').replace(part, other)
    const error = failure(() => parseForwardingTables(topology, text, 'lfts'))
    expect(error.line).toBe(line)
    expect(error.reason).toContain(reason)
  })
})

/** The published table of 648 hosts follows this rule in all of its 54 x 649 entries. */
function dModKTable(): string {
  const rows: string[] = []
  for (let at = 0; at < 54; at++) {
    const ports = [255]
    for (let host = 0; host < 648; host++) {
      const leaf = Math.floor(host / 18)
      if (at >= 36) ports.push(leaf)
      else ports.push(leaf === at ? host % 18 : 18 + (host % 18))
    }
    rows.push(`${at}: ${ports.join(' ')}`)
  }
  return `${rows.join('\n')}\n`
}

describe('V6: parseFdbs', () => {
  test('agrees with d-mod-k in every entry of the table of 648 hosts', () => {
    const topology: Topology = examples.twoLevel648()
    const imported = parseFdbs(topology, dModKTable(), 'fat_tree_648.fdbs')
    const own = dModKTables(topology)
    expect(imported.next.every((link, i) => link === own.next[i])).toBe(true)
    // What messages take is a part of that.
    const used = tablesOf(routingNamed(topology, 'd-mod-k'))
    expect(used.next.every((link, i) => link < 0 || link === own.next[i])).toBe(true)
  })

  test('names the line of what is wrong', () => {
    const topology = examples.crossbar(2)
    expect(failure(() => parseFdbs(topology, '0: 255 0 1\n1: 255 0 1\n', 't')).line).toBe(2)
    expect(failure(() => parseFdbs(topology, '0: 255 0\n', 't')).reason).toContain('2 ports for 2')
    expect(failure(() => parseFdbs(topology, '\n0 255\n', 't')).line).toBe(2)
  })
})
