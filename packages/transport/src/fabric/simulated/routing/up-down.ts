import type { Topology } from '../topology/topology.js'
import { TopologyError } from '../topology/topology-error.js'
import { switchesOfHosts } from './switch-distances.js'
import { TableRouting } from './table-routing.js'

const UNKNOWN = 0x7fff

/**
 * Up*\/down* (Schroeder et al. 1991): switches have ranks, and no way goes up again after it went down,
 * so there is no cycle of links that wait for each other. Where a way down leads to the destination
 * it is taken, even if a shorter one leads up first: tables know no more than the destination.
 *
 * @param roots switches of rank 0; when left out those that are farthest from all hosts
 * @throws TopologyError when a root is no switch, or there are none
 */
export function upDown(topology: Topology, roots?: readonly number[]): TableRouting {
  const { hosts, switches } = topology
  const rank = rankSwitches(topology, roots ?? farthestSwitches(topology))
  const next = new Int32Array(switches * hosts).fill(-1)
  const given = new Int32Array(topology.links)
  const homes = switchesOfHosts(topology)
  const order = Array.from({ length: switches }, (_, at) => at)
  order.sort((a, b) => rank[a]! - rank[b]! || a - b)
  for (let dest = 0; dest < hosts; dest++) {
    if (homes[dest]! >= 0) routeTo(topology, { dest, home: homes[dest]!, rank, order, given, next })
  }
  return new TableRouting(topology, 'up-down', next)
}

function routeTo(
  { hosts, switches, firstOf, outgoing, to }: Topology,
  run: {
    readonly dest: number
    readonly home: number
    readonly rank: Int16Array
    /** Switches from the roots down. */
    readonly order: readonly number[]
    readonly given: Int32Array
    readonly next: Int32Array
  },
): void {
  const { dest, home, rank, order, given, next } = run
  const down = new Int16Array(switches).fill(UNKNOWN)
  const any = new Int16Array(switches).fill(UNKNOWN)
  /** Takes the best link out of a switch among those that go up, or down. */
  const choose = (at: number, goesUp: boolean, distance: Int16Array): void => {
    let best = -1
    let bestDistance = UNKNOWN
    for (let i = firstOf[hosts + at]!; i < firstOf[hosts + at + 1]!; i++) {
      const link = outgoing[i]!
      const node = to[link]!
      if (node < hosts || isUp(rank, at, node - hosts) !== goesUp) continue
      const far = distance[node - hosts]!
      if (
        far > bestDistance ||
        (far === bestDistance && (best < 0 || given[link]! >= given[best]!))
      )
        continue
      best = link
      bestDistance = far
    }
    if (bestDistance === UNKNOWN) return
    any[at] = bestDistance + 1
    if (!goesUp) down[at] = bestDistance + 1
    given[best]!++
    next[at * hosts + dest] = best
  }
  down[home] = 0
  any[home] = 0
  for (let i = firstOf[hosts + home]!; i < firstOf[hosts + home + 1]!; i++) {
    if (to[outgoing[i]!] === dest) next[home * hosts + dest] = outgoing[i]!
  }
  // From the leaves up every switch knows its ways down when it is looked at, then from the roots down.
  for (let i = order.length - 1; i >= 0; i--) {
    if (order[i] !== home) choose(order[i]!, false, down)
  }
  for (const at of order) if (down[at] === UNKNOWN) choose(at, true, any)
}

/** Between equal ranks the lower number is above: every link has a direction. */
function isUp(rank: Int16Array, from: number, to: number): boolean {
  return rank[to]! < rank[from]! || (rank[to] === rank[from] && to < from)
}

function rankSwitches(topology: Topology, roots: readonly number[]): Int16Array {
  const { hosts, switches, firstOf, outgoing, to } = topology
  const rank = new Int16Array(switches).fill(UNKNOWN)
  const queue: number[] = []
  for (const root of roots) {
    if (!Number.isInteger(root) || root < 0 || root >= switches) {
      throw new TopologyError(`${root} is no switch: they are 0 to ${switches - 1}`)
    }
    rank[root] = 0
    queue.push(root)
  }
  if (queue.length === 0) throw new TopologyError('up/down routing needs a root')
  for (let head = 0; head < queue.length; head++) {
    const at = queue[head]!
    for (let i = firstOf[hosts + at]!; i < firstOf[hosts + at + 1]!; i++) {
      const node = to[outgoing[i]!]! - hosts
      if (node < 0 || rank[node] !== UNKNOWN) continue
      rank[node] = rank[at]! + 1
      queue.push(node)
    }
  }
  return rank
}

/** Of a tree that is its top. Found by a search that starts at all hosts at once. */
function farthestSwitches(topology: Topology): number[] {
  const { switches } = topology
  const leaves = [...new Set(switchesOfHosts(topology))].filter((at) => at >= 0)
  const height = rankSwitches(topology, leaves)
  const heights = [...height].filter((h) => h !== UNKNOWN)
  const top = heights.reduce((most, h) => Math.max(most, h), 0)
  // Where all switches have hosts there is no top: the first will do.
  if (top === 0) return [leaves[0]!]
  return Array.from({ length: switches }, (_, at) => at).filter((at) => height[at] === top)
}
