import { products } from '../topology/fat-tree.js'
import type { Topology, TreeShape } from '../topology/topology.js'
import { TopologyError } from '../topology/topology-error.js'
import { hash, type LinkLoad, type Routing } from './routing.js'

/** How a fat tree is climbed. */
export type TreePolicy =
  /** Up-port of level l: floor(dest / (w1 .. wl)) mod (w p) of the level above. Zahavi 2012. */
  | 'd-mod-k'
  /** The same with the source. */
  | 's-mod-k'
  /** Drawn once for each pair of hosts. */
  | 'hash'
  /** The least loaded up-port that the switch sees when the message comes. */
  | 'adaptive'
  /** As if each switch knew the load of the whole way down as well: what adaptive routing could reach. */
  | 'adaptive-global'

/**
 * Routing on a generated fat tree by arithmetic alone: up to the first common ancestor by the policy,
 * then down the one way there is. No tables, so trees may have any size.
 */
export class TreeRouting implements Routing {
  readonly name: string
  readonly topology: Topology
  readonly adaptive: boolean
  readonly linksMax: number
  readonly #policy: TreePolicy
  readonly #seed: number
  readonly #tree: TreeShape
  readonly #height: number
  /** Hosts below a switch, and roots of a subtree, of each level. */
  readonly #hostsBelow: readonly number[]
  readonly #roots: readonly number[]
  readonly #ports: Int32Array

  /** @throws TopologyError when the topology is no generated fat tree */
  constructor(topology: Topology, policy: TreePolicy, seed = 0) {
    if (topology.tree === undefined) {
      throw new TopologyError(`${policy} routing needs a fat tree; ${topology.name} is none`)
    }
    this.topology = topology
    this.#policy = policy
    this.#seed = seed
    this.#tree = topology.tree
    this.#height = this.#tree.children.length
    this.#hostsBelow = products(this.#tree.children)
    this.#roots = products(this.#tree.parents)
    this.#ports = new Int32Array(this.#height)
    this.name = policy
    this.adaptive = policy === 'adaptive' || policy === 'adaptive-global'
    this.linksMax = 2 * this.#height
  }

  route(source: number, dest: number, path: Int32Array, load?: LinkLoad): number {
    if (source === dest) return 0
    let top = 1
    while (
      Math.floor(source / this.#hostsBelow[top]!) !== Math.floor(dest / this.#hostsBelow[top]!)
    )
      top++
    if (this.#policy === 'adaptive-global') this.#chooseWay(source, dest, top, path, load)
    else this.#climb(source, dest, top, path, load)
    this.#descend(dest, top, path)
    return 2 * top
  }

  /** Writes the links up, and which port was taken from which level. */
  #climb(
    source: number,
    dest: number,
    top: number,
    path: Int32Array,
    load: LinkLoad | undefined,
  ): void {
    const { topology } = this
    let node = source
    for (let level = 0; level < top; level++) {
      const up = topology.firstOf[node]! + this.#downPorts(level)
      const port = this.#portFor(level, node, up, source, dest, load)
      this.#ports[level] = port
      const link = topology.outgoing[up + port]!
      path[level] = link
      node = topology.to[link]!
    }
  }

  #portFor(
    level: number,
    node: number,
    up: number,
    source: number,
    dest: number,
    load: LinkLoad | undefined,
  ): number {
    const ports = this.#upPorts(level)
    if (ports === 1) return 0
    switch (this.#policy) {
      case 'd-mod-k':
        return Math.floor(dest / this.#roots[level]!) % ports
      case 's-mod-k':
        return Math.floor(source / this.#roots[level]!) % ports
      case 'hash':
        return hash(this.#seed, source, dest, level) % ports
      default:
        return this.#leastLoaded(up, ports, load, hash(this.#seed, node, source, dest) % ports)
    }
  }

  /** Ties go to the first port from `begin` on, so that idle switches do not all take the same one. */
  #leastLoaded(up: number, ports: number, load: LinkLoad | undefined, begin: number): number {
    if (load === undefined) return begin
    const { outgoing } = this.topology
    let least = begin
    let leastLoad = load.loadOf(outgoing[up + begin]!)
    for (let i = 1; i < ports && leastLoad > 0; i++) {
      const port = begin + i < ports ? begin + i : begin + i - ports
      const portLoad = load.loadOf(outgoing[up + port]!)
      if (portLoad < leastLoad) {
        least = port
        leastLoad = portLoad
      }
    }
    return least
  }

  /** Tries all ways up and takes the one whose most loaded link, up or down, is loaded least. */
  #chooseWay(
    source: number,
    dest: number,
    top: number,
    path: Int32Array,
    load: LinkLoad | undefined,
  ): void {
    let ways = 1
    for (let level = 0; level < top; level++) ways *= this.#upPorts(level)
    const begin = hash(this.#seed, source, dest) % ways
    let best = begin
    let bestLoad = load === undefined ? 0 : Infinity
    for (let i = 0; i < ways && bestLoad > 0; i++) {
      const way = (begin + i) % ways
      this.#takeWay(source, way, top, path)
      this.#descend(dest, top, path)
      let most = 0
      // The hosts' own links are on every way.
      for (let k = 1; k < 2 * top - 1; k++) most = Math.max(most, load!.loadOf(path[k]!))
      if (most < bestLoad) {
        best = way
        bestLoad = most
      }
    }
    this.#takeWay(source, best, top, path)
  }

  #takeWay(source: number, way: number, top: number, path: Int32Array): void {
    const { topology } = this
    let node = source
    for (let level = 0; level < top; level++) {
      const ports = this.#upPorts(level)
      const port = way % ports
      way = Math.floor(way / ports)
      this.#ports[level] = port
      const link = topology.outgoing[topology.firstOf[node]! + this.#downPorts(level) + port]!
      path[level] = link
      node = topology.to[link]!
    }
  }

  /** Down the way there is. Of parallel cables the one with the number of the way up, or the destination's. */
  #descend(dest: number, top: number, path: Int32Array): void {
    const { topology } = this
    let node = topology.to[path[top - 1]!]!
    for (let level = top; level > 0; level--) {
      const child =
        Math.floor(dest / this.#hostsBelow[level - 1]!) % this.#tree.children[level - 1]!
      const cables = this.#tree.cables[level - 1]!
      const parents = this.#tree.parents[level - 1]!
      const up =
        this.#policy === 'd-mod-k'
          ? Math.floor(dest / this.#roots[level - 1]!) % (parents * cables)
          : this.#ports[level - 1]!
      const down = child * cables + (cables === 1 ? 0 : Math.floor(up / parents))
      const link = topology.outgoing[topology.firstOf[node]! + down]!
      path[2 * top - level] = link
      node = topology.to[link]!
    }
  }

  #upPorts(level: number): number {
    return this.#tree.parents[level]! * this.#tree.cables[level]!
  }

  #downPorts(level: number): number {
    return level === 0 ? 0 : this.#tree.children[level - 1]! * this.#tree.cables[level - 1]!
  }
}
