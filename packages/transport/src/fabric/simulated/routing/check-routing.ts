import { LOOPS, type Routing } from './routing.js'

/** A pair of hosts. */
export interface Pair {
  readonly source: number
  readonly dest: number
}

/** What a routing does wrong, and where its traffic goes. */
export interface RoutingReport {
  readonly pairs: number
  readonly unreachable: number
  readonly loops: number
  /** The first few of each, in the order of hosts. */
  readonly unreachablePairs: readonly Pair[]
  readonly loopingPairs: readonly Pair[]
  /** Links that wait for each other in a circle on one virtual lane, or none. Dally, Seitz 1987. */
  readonly creditCycle: readonly number[] | undefined
  readonly linksMax: number
  /** Of each level: its switches, and how many of them forward anything. */
  readonly levels: readonly {
    readonly level: number
    readonly switches: number
    readonly carrying: number
  }[]
}

const SHOWN_MAX = 8

/**
 * Follows the way of every pair of hosts: are all reached, without loops, and is the graph of channel
 * dependencies (a link, and the one that a message takes after it) free of cycles?
 */
export function checkRouting(routing: Routing): RoutingReport {
  const { topology } = routing
  const { hosts } = topology
  const path = new Int32Array(routing.linksMax + 1)
  const followers: (Set<number> | undefined)[] = Array.from({ length: topology.links })
  const carries = new Uint8Array(topology.nodes)
  const unreachablePairs: Pair[] = []
  const loopingPairs: Pair[] = []
  let unreachable = 0
  let loops = 0
  let linksMax = 0
  for (let source = 0; source < hosts; source++) {
    for (let dest = 0; dest < hosts; dest++) {
      if (source === dest) continue
      const length = routing.route(source, dest, path)
      if (length < 0) {
        const list = length === LOOPS ? loopingPairs : unreachablePairs
        if (list.length < SHOWN_MAX) list.push({ source, dest })
        if (length === LOOPS) loops++
        else unreachable++
        continue
      }
      linksMax = Math.max(linksMax, length)
      for (let i = 0; i + 1 < length; i++) {
        const link = path[i]!
        carries[topology.to[link]!] = 1
        ;(followers[link] ??= new Set()).add(path[i + 1]!)
      }
    }
  }
  return {
    pairs: hosts * (hosts - 1),
    unreachable,
    loops,
    unreachablePairs,
    loopingPairs,
    creditCycle: findCycle(followers),
    linksMax,
    levels: countLevels(routing, carries),
  }
}

/** Depth-first search with an explicit stack. @returns the links of a cycle, in order */
export function findCycle(
  followers: readonly (ReadonlySet<number> | undefined)[],
): number[] | undefined {
  const UNSEEN = 0
  const OPEN = 1
  const CLOSED = 2
  const state = new Uint8Array(followers.length)
  const stack: { link: number; rest: Iterator<number> }[] = []
  const open = (link: number): void => {
    state[link] = OPEN
    stack.push({ link, rest: (followers[link] ?? new Set<number>()).values() })
  }
  for (let start = 0; start < followers.length; start++) {
    if (state[start] !== UNSEEN) continue
    open(start)
    while (stack.length > 0) {
      const { link, rest } = stack.at(-1)!
      const step = rest.next()
      if (step.done) {
        state[link] = CLOSED
        stack.pop()
      } else if (state[step.value] === OPEN) {
        const cycle = stack.map((entry) => entry.link)
        return cycle.slice(cycle.indexOf(step.value))
      } else if (state[step.value] === UNSEEN) open(step.value)
    }
  }
  return undefined
}

function countLevels({ topology }: Routing, carries: Uint8Array): RoutingReport['levels'] {
  const counts = new Map<number, { switches: number; carrying: number }>()
  for (let node = topology.hosts; node < topology.nodes; node++) {
    const level = topology.level[node]!
    let count = counts.get(level)
    if (count === undefined) counts.set(level, (count = { switches: 0, carrying: 0 }))
    count.switches++
    count.carrying += carries[node]!
  }
  return [...counts.entries()]
    .sort(([a], [b]) => a - b)
    .map(([level, count]) => ({ level, ...count }))
}
