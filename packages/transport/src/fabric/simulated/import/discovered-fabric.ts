import { CableList } from '../topology/cable-list.js'
import type { Topology } from '../topology/topology.js'
import { ImportError } from './import-error.js'

/** One end of a cable as a file tells it. */
export interface FoundPort {
  readonly line: number
  readonly port: number
  readonly peer: string
  readonly peerPort: number
  readonly gigabits: number
  /** Local identifier of the peer; 0 when it is not said. */
  readonly peerIdentifier: number
}

/** One node as a file tells it. */
export interface FoundNode {
  readonly id: string
  readonly kind: 'host' | 'switch' | 'router'
  readonly line: number
  readonly description: string
  readonly guid: string | undefined
  localIdentifier: number
  readonly ports: Map<number, FoundPort>
}

/** What reduces in the network shows up as an adapter on an extra port of a switch; no rank runs there. */
const AGGREGATION = /aggregation node/i

/**
 * Makes a topology of nodes that name each other. Both ends of a cable must agree where both are told;
 * adapters in switches are left out, routers count as switches.
 *
 * @param adapters words that the name of a host must hold; switches of other planes are left out
 * @throws ImportError
 */
export function connectFound(
  file: string,
  nodes: ReadonlyMap<string, FoundNode>,
  adapters?: string,
): Topology {
  const used = [...nodes.values()].filter(({ description }) => !AGGREGATION.test(description))
  const every = used.filter(({ kind }) => kind === 'host')
  if (every.length === 0) throw new ImportError(file, 0, 'there are no hosts (Ca records) in it')
  const hosts = adapters === undefined ? every : chosen(file, every, adapters)
  const near = adapters === undefined ? undefined : reachedFrom(hosts, nodes)
  const switches = used.filter(({ kind, id }) => kind !== 'host' && (near?.has(id) ?? true))
  const all = [...hosts, ...switches]
  const numbers = new Map(all.map(({ id }, number) => [id, number]))
  adoptIdentifiers(nodes)
  const list = new CableList()
  const taken = new Set<string>()
  for (const node of all) {
    for (const end of node.ports.values()) {
      const peer = nodes.get(end.peer)
      if (peer === undefined) {
        throw new ImportError(file, end.line, `"${end.peer}" has no record in this file`)
      }
      checkPeer(file, node, end, peer)
      const number = numbers.get(peer.id)
      if (number === undefined || taken.has(`${node.id} ${end.port}`)) continue
      taken.add(`${peer.id} ${end.peerPort}`)
      list.connect(
        { node: numbers.get(node.id)!, port: end.port },
        { node: number, port: end.peerPort },
        { gigabits: slower(end.gigabits, peer.ports.get(end.peerPort)?.gigabits) },
      )
    }
  }
  return list.build({
    name: file.replace(/^.*[\\/]/, ''),
    hosts: hosts.length,
    switches: switches.length,
    level: heights(all, numbers, hosts.length),
    localIdentifier: Int32Array.from(all, ({ localIdentifier }) => localIdentifier),
    guids: all.map(({ guid }) => guid ?? ''),
    nameOf: (node) => all[node]!.description || all[node]!.id,
  })
}

/** What both ends can; 0 where neither says. */
function slower(a: number, b = 0): number {
  return a > 0 && b > 0 ? Math.min(a, b) : Math.max(a, b)
}

/** Hosts are adapters here: those whose name holds these words. */
function chosen(file: string, hosts: readonly FoundNode[], adapters: string): FoundNode[] {
  const found = hosts.filter(({ id, description }) => `${id} ${description}`.includes(adapters))
  if (found.length > 0) return found
  const example = hosts[0]!.description || hosts[0]!.id
  throw new ImportError(file, 0, `no adapter is called '${adapters}'; one is called '${example}'`)
}

/** Switches of the planes that these hosts are in. */
function reachedFrom(
  hosts: readonly FoundNode[],
  nodes: ReadonlyMap<string, FoundNode>,
): ReadonlySet<string> {
  const reached = new Set<string>()
  const queue = [...hosts]
  for (const { ports } of queue) {
    for (const { peer } of ports.values()) {
      const node = nodes.get(peer)
      if (node === undefined || node.kind === 'host' || reached.has(peer)) continue
      reached.add(peer)
      queue.push(node)
    }
  }
  return reached
}

/** What a switch calls the first port of a host is how tables call the host. */
function adoptIdentifiers(nodes: ReadonlyMap<string, FoundNode>): void {
  for (const { kind, ports } of nodes.values()) {
    if (kind === 'host') continue
    for (const { peer, peerPort, peerIdentifier } of ports.values()) {
      const host = nodes.get(peer)
      if (host?.kind !== 'host' || peerIdentifier === 0) continue
      const first = Math.min(...host.ports.keys(), peerPort)
      if (first === peerPort) host.localIdentifier = peerIdentifier
    }
  }
}

function checkPeer(file: string, node: FoundNode, end: FoundPort, peer: FoundNode): void {
  if (peer === node && end.peerPort === end.port) {
    throw new ImportError(file, end.line, `port ${end.port} of "${node.id}" leads to itself`)
  }
  const back = peer.ports.get(end.peerPort)
  if (back !== undefined && (back.peer !== node.id || back.peerPort !== end.port)) {
    throw new ImportError(
      file,
      end.line,
      `port ${end.port} of "${node.id}" leads to port ${end.peerPort} of "${peer.id}", which leads ` +
        `to port ${back.peerPort} of "${back.peer}" (line ${back.line})`,
    )
  }
}

/** Levels of switches above the hosts: 1 where hosts are, then one more for each step away from them. */
function heights(
  nodes: readonly FoundNode[],
  numbers: ReadonlyMap<string, number>,
  hosts: number,
): Int8Array {
  const level = new Int8Array(nodes.length).fill(-1)
  level.fill(0, 0, hosts)
  const queue = nodes.slice(0, hosts)
  for (const node of queue) {
    const next = level[numbers.get(node.id)!]! + 1
    for (const { peer } of node.ports.values()) {
      const number = numbers.get(peer)
      if (number === undefined || level[number]! >= 0) continue
      level[number] = next
      queue.push(nodes[number]!)
    }
  }
  return level
}
