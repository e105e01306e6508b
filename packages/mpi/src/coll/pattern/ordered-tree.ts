import { ceilLog } from './logarithm.js'

/** A tree of all ranks; environments of algorithms with a root and a radix are such. */
export interface OrderedTree {
  readonly size: number
  readonly root: number
  readonly radix: number
}

/** What one rank has to do with one other in one round. */
export interface TreeEdge {
  readonly peer: number
  /** Whether the peer is the parent. */
  readonly up: boolean
  /** Ranks below the edge: `count` of them from `first` on. */
  readonly first: number
  readonly count: number
}

/**
 * A binomial tree, or a k-nomial one with a radix, that keeps the order of ranks at any root: in round
 * k intervals of radix^k ranks join to intervals of radix^(k+1). The lowest rank of an interval leads
 * it; the root leads all that it is in. So what is below an edge never wraps around.
 *
 * ```
 *   p = 7, root 4     round 0    0-1     2-3     4-5     6        1 -> 0, 3 -> 2, 5 -> 4
 *                     round 1    0-----3         4-----6          2 -> 0, 6 -> 4
 *                     round 2    0-------------6                  0 -> 4
 * ```
 */
export function treeRounds({ size, radix }: OrderedTree): number {
  return ceilLog(size, radix)
}

/**
 * Edges of a rank in round k: one to its parent, or those to its children, the nearest first. There is
 * none outside the rounds.
 */
export function treeEdges(k: number, rank: number, tree: OrderedTree): TreeEdge[] {
  const { size, radix } = tree
  if (k < 0) return []
  const width = radix ** k
  const own = rank - (rank % width)
  if (leaderOf(own, width, tree) !== rank) return []
  const joined = rank - (rank % (radix * width))
  const end = Math.min(joined + radix * width, size)
  const leader = leaderOf(joined, radix * width, tree)
  const edge = (peer: number, first: number): TreeEdge => {
    return { peer, up: peer === leader, first, count: Math.min(width, size - first) }
  }
  if (leader !== rank) return [edge(leader, own)]
  const edges: TreeEdge[] = []
  for (let first = own - width; first >= joined; first -= width) edges.push(edge(first, first))
  for (let first = own + width; first < end; first += width) edges.push(edge(first, first))
  return edges
}

/** Ranks below one, itself included: from it on, unless it is the root. */
export function subtreeSize(rank: number, tree: OrderedTree): number {
  const { size, root, radix } = tree
  if (rank === root) return size
  let width = 1
  while (leaderOf(rank - (rank % (radix * width)), radix * width, tree) === rank) width *= radix
  return Math.min(width, size - rank)
}

/** Children of the rank that has most of them: that is the root, or rank 0, which has all it can. */
export function childrenMax(tree: OrderedTree): number {
  return Math.max(childrenOf(tree.root, tree), childrenOf(0, tree))
}

/** Ranks below the child of the root that has most. */
export function childSubtreeMax(tree: OrderedTree): number {
  let most = 0
  for (let k = 0; k < treeRounds(tree); k++) {
    for (const { count } of treeEdges(k, tree.root, tree)) most = Math.max(most, count)
  }
  return most
}

function childrenOf(rank: number, tree: OrderedTree): number {
  let children = 0
  for (let k = 0; k < treeRounds(tree); k++) {
    children += treeEdges(k, rank, tree).filter(({ up }) => !up).length
  }
  return children
}

function leaderOf(start: number, width: number, { root }: OrderedTree): number {
  return root >= start && root < start + width ? root : start
}
