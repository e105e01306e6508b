import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  childrenMax,
  childSubtreeMax,
  subtreeSize,
  treeEdges,
  treeRounds,
  type OrderedTree,
} from '../../src/coll/pattern/ordered-tree.js'

const trees = fc
  .record({ size: fc.integer({ min: 1, max: 150 }), radix: fc.integer({ min: 2, max: 6 }) })
  .chain(({ size, radix }) =>
    fc.record({ size: fc.constant(size), radix: fc.constant(radix), root: fc.nat(size - 1) }),
  )

/** All edges as parents see them, round by round. */
function edgesDown(tree: OrderedTree) {
  return range(treeRounds(tree)).flatMap((k) =>
    range(tree.size).flatMap((parent) =>
      treeEdges(k, parent, tree)
        .filter(({ up }) => !up)
        .map((edge) => ({ ...edge, k, parent })),
    ),
  )
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i)
}

test('treeEdges give each rank but the root one parent, which sees the same edge', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const down = edgesDown(tree)
      const children = down.map(({ peer }) => peer).toSorted((a, b) => a - b)
      expect(children).toEqual(range(tree.size).filter((rank) => rank !== tree.root))
      for (const { k, parent, peer, first, count } of down) {
        expect(treeEdges(k, peer, tree)).toEqual([{ peer: parent, up: true, first, count }])
        expect(first).toBe(peer)
        expect(subtreeSize(peer, tree)).toBe(count)
      }
    }),
  )
})

test('treeEdges come in the order of rounds so that neighbours join', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const has = range(tree.size).map((rank) => ({ first: rank, end: rank + 1 }))
      for (const { parent, first, count } of edgesDown(tree)) {
        const own = has[parent]!
        expect([own.first, own.end]).toContain(first < own.first ? first + count : first)
        own.first = Math.min(own.first, first)
        own.end = Math.max(own.end, first + count)
      }
      expect(has[tree.root]).toEqual({ first: 0, end: tree.size })
    }),
  )
})

test('childrenMax and childSubtreeMax are those of the busiest ranks', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const down = edgesDown(tree)
      const children = range(tree.size).map(() => 0)
      for (const { parent } of down) children[parent]!++
      expect(childrenMax(tree)).toBe(Math.max(...children))
      expect(childSubtreeMax(tree)).toBe(Math.max(0, ...down.map(({ count }) => count)))
    }),
  )
})
