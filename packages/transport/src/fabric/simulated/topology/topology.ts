/**
 * Hosts, switches and the links between them. Nodes are numbered, hosts first. Links have a
 * direction; `link ^ 1` is the way back through the same cable.
 */
export class Topology {
  readonly name: string
  readonly hosts: number
  readonly switches: number
  /** Links in both directions. */
  readonly links: number
  readonly from: Int32Array
  readonly to: Int32Array
  /** Number of the port at `from`, counted from 1. */
  readonly port: Int32Array
  /** Data rate in Gb/s, 0 where the profile of the network says it. */
  readonly gigabits: Float64Array
  /** Latency of the link and the switch behind it in ns, -1 where the profile says it. */
  readonly latencyNs: Float64Array
  /** Links out of node n: `outgoing[firstOf[n]]` to `outgoing[firstOf[n + 1] - 1]`, by port. */
  readonly firstOf: Int32Array
  readonly outgoing: Int32Array
  /** Height above the hosts, which are at 0; -1 where that means nothing. */
  readonly level: Int8Array
  /** Of an extended generalized fat tree. */
  readonly tree: TreeShape | undefined
  /** Of a torus: switches in each dimension. */
  readonly dimensions: readonly number[] | undefined
  /** Local identifiers as a subnet manager gave them; 0 of nodes that have none. */
  readonly localIdentifier: Int32Array | undefined
  readonly #names: (node: number) => string
  readonly #guids: readonly string[] | undefined

  constructor(facts: TopologyFacts) {
    this.name = facts.name
    this.hosts = facts.hosts
    this.switches = facts.switches
    this.from = facts.from
    this.to = facts.to
    this.port = facts.port
    this.links = facts.from.length
    this.gigabits = facts.gigabits ?? new Float64Array(this.links)
    this.latencyNs = facts.latencyNs ?? new Float64Array(this.links).fill(-1)
    this.level = facts.level ?? new Int8Array(this.nodes).fill(-1)
    this.tree = facts.tree
    this.dimensions = facts.dimensions
    this.localIdentifier = facts.localIdentifier
    this.#names = facts.nameOf ?? ((node) => this.#plainName(node))
    this.#guids = facts.guids
    const { firstOf, outgoing } = groupByNode(this)
    this.firstOf = firstOf
    this.outgoing = outgoing
  }

  get nodes(): number {
    return this.hosts + this.switches
  }

  isHost(node: number): boolean {
    return node < this.hosts
  }

  nameOf(node: number): string {
    return this.#names(node)
  }

  guidOf(node: number): string | undefined {
    return this.#guids?.[node]
  }

  /** `leaf 3 port 19 -> spine 1`. */
  linkName(link: number): string {
    const from = this.nameOf(this.from[link]!)
    return `${from} port ${this.port[link]} -> ${this.nameOf(this.to[link]!)}`
  }

  /** The link of a host to its switch, or -1 when it has none. */
  hostLink(host: number): number {
    return this.firstOf[host] === this.firstOf[host + 1] ? -1 : this.outgoing[this.firstOf[host]!]!
  }

  /** The link out of a node by a port, or -1. */
  linkAt(node: number, port: number): number {
    for (let i = this.firstOf[node]!; i < this.firstOf[node + 1]!; i++) {
      if (this.port[this.outgoing[i]!] === port) return this.outgoing[i]!
    }
    return -1
  }

  #plainName(node: number): string {
    return this.isHost(node) ? `host ${node}` : `switch ${node - this.hosts}`
  }
}

export interface TopologyFacts {
  readonly name: string
  readonly hosts: number
  readonly switches: number
  readonly from: Int32Array
  readonly to: Int32Array
  readonly port: Int32Array
  readonly gigabits?: Float64Array
  readonly latencyNs?: Float64Array
  readonly level?: Int8Array
  readonly tree?: TreeShape
  readonly dimensions?: readonly number[]
  readonly localIdentifier?: Int32Array
  readonly guids?: readonly string[]
  readonly nameOf?: (node: number) => string
}

/**
 * An extended generalized fat tree XGFT(h; m1..mh; w1..wh) with parallel cables p1..ph (Öhring et al.
 * 1995; Zahavi 2011): from level to level m children below each switch, w parents above each node.
 */
export interface TreeShape {
  readonly children: readonly number[]
  readonly parents: readonly number[]
  readonly cables: readonly number[]
}

function groupByNode(topology: Topology): { firstOf: Int32Array; outgoing: Int32Array } {
  const { nodes, links, from, port } = topology
  const firstOf = new Int32Array(nodes + 1)
  for (let link = 0; link < links; link++) firstOf[from[link]! + 1]!++
  for (let node = 0; node < nodes; node++) firstOf[node + 1]! += firstOf[node]!
  const outgoing = new Int32Array(links)
  const end = firstOf.slice()
  for (let link = 0; link < links; link++) outgoing[end[from[link]!]!++] = link
  for (let node = 0; node < nodes; node++) {
    const own = outgoing.subarray(firstOf[node], firstOf[node + 1])
    own.sort((a, b) => port[a]! - port[b]! || a - b)
  }
  return { firstOf, outgoing }
}
