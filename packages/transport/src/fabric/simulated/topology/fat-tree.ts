import { CableList } from './cable-list.js'
import type { Topology, TreeShape } from './topology.js'
import { checkSize, TopologyError } from './topology-error.js'

const NODES_MAX = 2 ** 22

/**
 * An extended generalized fat tree. With fewer parents than children a level is oversubscribed.
 *
 * A node of level l is a pair: the subtree it belongs to, and which of the subtree's w1 * .. * wl
 * roots it is. Children and parents are numbered so that routing is arithmetic (routing/tree-routing.ts).
 *
 * ```
 *   children [3, 2], parents [1, 2]        spine 0      spine 1
 *                                            | \        / |
 *                                            |    \  /    |
 *                                          leaf 0        leaf 1      ports 1 to 3 down, 4 and 5 up
 *                                          0 1 2         3 4 5
 * ```
 *
 * @throws TopologyError when a number is not from 1, or the lists differ in length
 */
export function fatTree(shape: {
  readonly children: readonly number[]
  readonly parents: readonly number[]
  readonly cables?: readonly number[] | undefined
}): Topology {
  const tree: TreeShape = { cables: shape.children.map(() => 1), ...withoutHoles(shape) }
  checkShape(tree)
  const { children, parents, cables } = tree
  const height = children.length
  const subtrees = products(children).map((size) => products(children)[height]! / size)
  const roots = products(parents)
  const firstOfLevel = [0]
  for (let level = 0; level <= height; level++) {
    firstOfLevel.push(firstOfLevel[level]! + subtrees[level]! * roots[level]!)
  }
  const nodes = firstOfLevel[height + 1]!
  if (nodes > NODES_MAX) throw new TopologyError(`a fat tree ${spell(tree)} is too large`)
  const list = new CableList()
  for (let level = 1; level <= height; level++) {
    const m = children[level - 1]!
    const w = parents[level - 1]!
    const p = cables[level - 1]!
    const rootsBelow = roots[level - 1]!
    const upFrom = level === 1 ? 1 : children[level - 2]! * cables[level - 2]! + 1
    for (let below = 0; below < subtrees[level - 1]!; below++) {
      for (let root = 0; root < rootsBelow; root++) {
        const child = firstOfLevel[level - 1]! + below * rootsBelow + root
        for (let up = 0; up < w * p; up++) {
          const parentRoot = root + rootsBelow * (up % w)
          const parent = firstOfLevel[level]! + Math.floor(below / m) * roots[level]! + parentRoot
          const down = (below % m) * p + Math.floor(up / w) + 1
          list.connect({ node: child, port: upFrom + up }, { node: parent, port: down })
        }
      }
    }
  }
  const hosts = firstOfLevel[1]!
  const level = new Int8Array(nodes)
  for (let l = 1; l <= height; l++) level.fill(l, firstOfLevel[l], firstOfLevel[l + 1])
  const titles = ['host', 'leaf', height === 2 ? 'spine' : 'middle', 'top']
  return list.build({
    name: `fat tree ${spell(tree)}`,
    hosts,
    switches: nodes - hosts,
    level,
    tree,
    nameOf: (node) => {
      const at = level[node]!
      return `${titles[at] ?? `level ${at}`} ${node - firstOfLevel[at]!}`
    },
  })
}

/** A k-ary n-tree (Petrini, Vanneschi 1997): k^n hosts, n levels of k^(n-1) switches. */
export function kAryNTree({ k, n }: { readonly k: number; readonly n: number }): Topology {
  checkSize('k of a k-ary n-tree', k)
  checkSize('n of a k-ary n-tree', n)
  const children = Array.from({ length: n }, () => k)
  return fatTree({ children, parents: children.map((_, level) => (level === 0 ? 1 : k)) })
}

/** All hosts at one crossbar. */
export function singleSwitch(hosts: number): Topology {
  checkSize('hosts of a switch', hosts)
  return fatTree({ children: [hosts], parents: [1] })
}

/** Products of the first 0, 1, .. numbers. */
export function products(numbers: readonly number[]): number[] {
  const result = [1]
  for (const number of numbers) result.push(result.at(-1)! * number)
  return result
}

function withoutHoles<T extends object>(shape: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(shape).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}

function checkShape({ children, parents, cables }: TreeShape): void {
  const levels = children.length
  if (levels < 1 || levels > 6) {
    throw new TopologyError(`a fat tree has 1 to 6 levels, not ${levels}`)
  }
  if (parents.length !== levels || cables.length !== levels) {
    throw new TopologyError(
      `a fat tree needs as many numbers of children, parents and cables as it has levels, ` +
        `not ${levels}, ${parents.length} and ${cables.length}`,
    )
  }
  for (const [what, list] of Object.entries({ children, parents, cables })) {
    for (const number of list) checkSize(`${what} of a fat tree`, number)
  }
  if (parents[0] !== 1 || cables[0] !== 1) {
    throw new TopologyError('hosts of a fat tree have one cable: parents and cables begin with 1')
  }
}

function spell({ children, parents, cables }: TreeShape): string {
  const lists = [children, parents].map((list) => list.join(','))
  if (cables.some((count) => count !== 1)) lists.push(cables.join(','))
  return `(${lists.join('; ')})`
}
