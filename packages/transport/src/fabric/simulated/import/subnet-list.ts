import type { Topology } from '../topology/topology.js'
import { connectFound, type FoundNode } from './discovered-fabric.js'
import { plainGuid } from './guid.js'
import { ImportError, shortened } from './import-error.js'
import { laneGigabits } from './link-speed.js'

const END = String.raw`\{\s*(CA|SW|RT|\*\*)(?:-SM)?\s+Ports:[0-9a-f]+\s+SystemGUID:[0-9a-f]+\s+NodeGUID:([0-9a-f]+)\s+PortGUID:[0-9a-f]+\s+VenID:\S+\s+DevID:\S+\s+Rev:\S+\s+\{(.*?)\}\s+LID:(?:0x)?([0-9a-f]+)\s+PN:([0-9a-f]+)\s*\}`
const CABLE = new RegExp(String.raw`^${END}\s+${END}\s+PHY=(\S+)\s+LOG=(\S+)\s+SPD=(\S+)`, 'i')

/** What a lane signals, in Gb/s as the file rounds it, and the generation. */
const GENERATIONS: Readonly<Record<string, string>> = {
  '2.5': 'SDR',
  '5': 'DDR',
  '10': 'QDR',
  FDR10: 'FDR10',
  '14': 'FDR',
  '25': 'EDR',
  '50': 'HDR',
  '100': 'NDR',
  '200': 'XDR',
}

export function isSubnetList(text: string): boolean {
  const first = text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'))
  return first !== undefined && /^\s*\{\s*(CA|SW|RT)/i.test(first)
}

/**
 * `opensm-subnet.lst`, a line for each port with a cable; identifiers and ports are hexadecimal:
 *
 * ```
 *   { CA Ports:01 SystemGUID:.. NodeGUID:.. PortGUID:.. VenID:.. DevID:.. Rev:.. {node1 HCA-1} LID:0001 PN:01 } \
 *   { SW Ports:24 .. {leaf 1} LID:0005 PN:01 } PHY=4x LOG=ACT SPD=25
 * ```
 *
 * @throws ImportError with the line
 */
export function parseSubnetList(text: string, file: string, adapters?: string): Topology {
  const nodes = new Map<string, FoundNode>()
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = index + 1
    const content = raw.trim()
    if (content === '' || content.startsWith('#')) return
    const match = CABLE.exec(content)
    if (match === null) {
      throw new ImportError(file, line, `no cable of a subnet list: ${shortened(content)}`)
    }
    const [ends, [width, state, speed]] = [match.slice(1, 11), match.slice(11)] as [
      string[],
      string[],
    ]
    if (state!.toUpperCase() === 'DWN') return
    const [node, port] = endOf(nodes, line, ends.slice(0, 5))
    const [peer, peerPort, peerIdentifier] = endOf(nodes, line, ends.slice(5))
    const before = node.ports.get(port)
    if (before !== undefined) {
      const reason = `port ${port} of '${node.description}' is on line ${before.line} already`
      throw new ImportError(file, line, reason)
    }
    const gigabits = laneGigabits(width!, GENERATIONS[speed!] ?? '')
    node.ports.set(port, { line, port, peer: peer.id, peerPort, gigabits, peerIdentifier })
  })
  return connectFound(file, nodes, adapters)
}

function endOf(
  nodes: Map<string, FoundNode>,
  line: number,
  [kind, guid, description, lid, port]: readonly string[],
): [node: FoundNode, port: number, localIdentifier: number] {
  const id = plainGuid(guid!)
  const localIdentifier = Number.parseInt(lid!, 16)
  let node = nodes.get(id)
  if (node === undefined) {
    const name = kind!.toUpperCase()
    const found = name === 'CA' ? 'host' : name === 'SW' ? 'switch' : 'router'
    node = {
      id,
      kind: found,
      line,
      description: description!,
      guid: id,
      localIdentifier,
      ports: new Map(),
    }
    nodes.set(id, node)
  }
  return [node, Number.parseInt(port!, 16), localIdentifier]
}
