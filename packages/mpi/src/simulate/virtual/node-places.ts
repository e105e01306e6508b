import type { Topology } from '@commworld/transport/simulated'

/** Where to draw a node, between 0 and 1 each way. */
export interface NodePlace {
  readonly x: number
  readonly y: number
}

/** Trees by level, hosts below; tori of two dimensions as grids; anything else as two rings. */
export function nodePlaces(topology: Topology): NodePlace[] {
  const { nodes, level, dimensions } = topology
  if (level.every((height) => height >= 0)) return inRows(topology)
  const places: NodePlace[] = []
  const grid = dimensions?.length === 2 ? dimensions : undefined
  for (let node = 0; node < nodes; node++) {
    const host = topology.isHost(node)
    const number = host ? homeOf(topology, node) - topology.hosts : node - topology.hosts
    places.push(grid === undefined ? onRing(topology, node) : onGrid(number, grid, host))
  }
  return places
}

function inRows({ nodes, level }: Topology): NodePlace[] {
  const counts: number[] = []
  for (const height of level) counts[height] = (counts[height] ?? 0) + 1
  const seen = counts.map(() => 0)
  const top = Math.max(1, counts.length - 1)
  return Array.from({ length: nodes }, (_, node) => {
    const height = level[node]!
    return { x: (seen[height]!++ + 0.5) / counts[height]!, y: 1 - height / top }
  })
}

function onGrid(number: number, [columns, rows]: readonly number[], host: boolean): NodePlace {
  const aside = host ? 0.25 : 0
  const x = ((number % columns!) + 0.4 + aside) / columns!
  return { x, y: (Math.floor(number / columns!) + 0.4 + aside) / rows! }
}

function onRing(topology: Topology, node: number): NodePlace {
  const { hosts, switches } = topology
  const host = topology.isHost(node)
  const turn = (host ? (node + 0.5) / hosts : (node - hosts + 0.5) / switches) * 2 * Math.PI
  const radius = host ? 0.5 : 0.35
  return { x: 0.5 + radius * Math.sin(turn), y: 0.5 - radius * Math.cos(turn) }
}

function homeOf(topology: Topology, host: number): number {
  const link = topology.hostLink(host)
  return link < 0 ? topology.hosts : topology.to[link]!
}
