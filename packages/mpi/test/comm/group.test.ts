import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Group } from '../../src/api/group.js'
import { ArgumentError, GroupError, RankError } from '../../src/errors/index.js'
import { PROC_NULL } from '../../src/p2p/sentinels.js'

const WORLD = 12

/** World ranks in any order, each at most once. */
const members = fc.uniqueArray(fc.nat(WORLD - 1), { maxLength: WORLD })
const anyProcess = fc.nat(WORLD - 1)
/** Some ranks of a group, in any order. */
const subset = fc.tuple(members, fc.array(fc.nat(), { maxLength: WORLD })).map(([list, picks]) => ({
  list,
  ranks: list.length === 0 ? [] : [...new Set(picks.map((pick) => pick % list.length))],
}))

function listOf(group: Group): readonly number[] {
  return Group.membersOf(group, 'group')
}

test('Group knows this process by its world rank, in whatever is made of it', () => {
  fc.assert(
    fc.property(members, members, anyProcess, (first, second, process) => {
      const a = new Group(first, process)
      const b = new Group(second, process)
      const derived = [a.incl([]), a.excl([]), a.union(b), a.intersection(b), a.difference(b)]
      for (const group of [a, b, ...derived]) {
        const list = listOf(group)
        expect(group.size).toBe(list.length)
        expect(group.rank).toBe(list.includes(process) ? list.indexOf(process) : undefined)
      }
      // Out of the group and in again.
      expect(a.difference(a).union(a).rank).toBe(a.rank)
    }),
  )
})

test('Group.incl and excl part a group in two', () => {
  fc.assert(
    fc.property(subset, anyProcess, ({ list, ranks }, process) => {
      const group = new Group(list, process)
      const taken = listOf(group.incl(ranks))
      const rest = listOf(group.excl(ranks))
      for (const [i, rank] of ranks.entries()) expect(taken[i]).toBe(list[rank])
      expect(taken).toHaveLength(ranks.length)
      expect([...taken, ...rest].sort()).toEqual([...list].sort())
      const places = rest.map((member) => list.indexOf(member))
      expect(places).toEqual([...places].sort((a, b) => a - b))
    }),
  )
})

test('Group.rangeIncl and rangeExcl are incl and excl of the ranks in the ranges', () => {
  const size = 30
  const list = Array.from({ length: size }, (_, i) => 3 * ((i * 7) % size))
  const group = new Group(list, 0)
  const anyStride = fc.integer({ min: -6, max: 6 }).filter((stride) => stride !== 0)
  const range = fc
    .tuple(fc.nat(size - 1), fc.nat(size - 1), anyStride)
    .map(([a, b, stride]): [number, number, number] =>
      a < b === stride > 0 ? [a, b, stride] : [b, a, stride],
    )
  fc.assert(
    fc.property(fc.array(range, { maxLength: 3 }), (ranges) => {
      const ranks = ranges.flatMap(([first, last, stride]) => {
        const walked: number[] = []
        for (let at = first; stride > 0 ? at <= last : at >= last; at += stride) walked.push(at)
        return walked
      })
      if (new Set(ranks).size < ranks.length) {
        expect(() => group.rangeIncl(ranges)).toThrow(ArgumentError)
        expect(() => group.rangeExcl(ranges)).toThrow(ArgumentError)
      } else {
        expect(listOf(group.rangeIncl(ranges))).toEqual(listOf(group.incl(ranks)))
        expect(listOf(group.rangeExcl(ranges))).toEqual(listOf(group.excl(ranks)))
      }
    }),
    { numRuns: 1000 },
  )
})

test('Group.union, intersection and difference hold what sets hold, in the order of the first', () => {
  fc.assert(
    fc.property(members, members, (first, second) => {
      const a = new Group(first, 0)
      const b = new Group(second, 0)
      const inBoth = (member: number): boolean => first.includes(member) && second.includes(member)
      const onlyFirst = first.filter((member) => !inBoth(member))
      const onlySecond = second.filter((member) => !inBoth(member))
      expect(listOf(a.union(b))).toEqual([...first, ...onlySecond])
      expect(listOf(a.intersection(b))).toEqual(first.filter(inBoth))
      expect(listOf(a.difference(b))).toEqual(onlyFirst)
    }),
  )
})

test('Group.translateRanks finds the same processes', () => {
  fc.assert(
    fc.property(members, members, fc.array(fc.nat(), { maxLength: 20 }), (first, second, picks) => {
      const ranks = first.length === 0 ? [] : picks.map((pick) => pick % first.length)
      const there = new Group(first, 0).translateRanks(ranks, new Group(second, 0))
      expect(there).toHaveLength(ranks.length)
      for (const [i, rank] of there.entries()) {
        if (rank === undefined) expect(second).not.toContain(first[ranks[i]!])
        else expect(second[rank]).toBe(first[ranks[i]!])
      }
    }),
  )
})

test('Group.translateRanks leaves PROC_NULL as it is', () => {
  const group = new Group([4, 5], 4)
  expect(group.translateRanks([1, PROC_NULL, 0], new Group([5], 4))).toEqual([
    0,
    PROC_NULL,
    undefined,
  ])
})

test('Group.compare tells order from membership', () => {
  const changes = fc.constantFrom('none', 'order', 'member', 'size')
  fc.assert(
    fc.property(members, members, changes, fc.nat(), (list, other, change, pick) => {
      const altered = {
        none: list,
        order: list.toReversed(),
        member: list.map((member, i) => (i === pick % list.length ? WORLD : member)),
        size: list.slice(1),
      }
      for (const compared of [altered[change], other]) {
        const same = list.join() === compared.join()
        const alike = [...list].sort().join() === [...compared].sort().join()
        const expected = same ? 'identical' : alike ? 'similar' : 'unequal'
        expect(new Group(list, 0).compare(new Group(compared, 0))).toBe(expected)
      }
    }),
  )
})

test('Group may be empty', () => {
  const empty = new Group([0, 1, 2], 1).incl([])
  const full = new Group([2, 1], 1)
  expect([empty.size, empty.rank]).toEqual([0, undefined])
  expect(empty.compare(full.excl([0, 1]))).toBe('identical')
  expect(empty.compare(full)).toBe('unequal')
  expect(empty.union(full).compare(full)).toBe('identical')
  expect(full.union(empty).rank).toBe(1)
  expect(full.difference(empty).compare(full)).toBe('identical')
  expect(full.intersection(empty).size).toBe(0)
  expect(empty.difference(full).size).toBe(0)
  expect(full.translateRanks([0, 1], empty)).toEqual([undefined, undefined])
  expect(empty.translateRanks([], full)).toEqual([])
  expect(empty.rangeIncl([]).size).toBe(0)
  expect(empty.rangeExcl([]).size).toBe(0)
  expect(() => empty.incl([0])).toThrow('`ranks[0]`: rank 0 is not in `group`, which has 0 ranks')
})

test('Group makes nothing of ranks that it has not, or has twice', () => {
  const group = new Group([5, 6, 7, 8], 5)
  for (const rank of [-1, 4, 0.5, NaN, '1', undefined, null, 1n, PROC_NULL]) {
    const ranks = [0, rank as number]
    expect(() => group.incl(ranks)).toThrow(RankError)
    expect(() => group.excl(ranks)).toThrow(RankError)
    if (rank !== PROC_NULL) expect(() => group.translateRanks(ranks, group)).toThrow(RankError)
  }
  expect(() => group.incl([0, 4])).toThrow(
    '`ranks[1]`: rank 4 is outside 0..3 of `group`, which has 4 ranks',
  )
  expect(() => group.incl([1, 0, 1])).toThrow(
    '`ranks[2]` must be a rank that the list does not have already, but is 1',
  )
  expect(() => group.excl([1, 1])).toThrow(ArgumentError)
  const holes = [0, 1]
  delete holes[0]
  expect(() => group.incl(holes)).toThrow(RankError)
  for (const list of [undefined, 1, 'ab', new Set([1]), new Int32Array(2)]) {
    expect(() => group.incl(list as never)).toThrow(ArgumentError)
    expect(() => group.excl(list as never)).toThrow(ArgumentError)
    expect(() => group.rangeIncl(list as never)).toThrow(ArgumentError)
    expect(() => group.rangeExcl(list as never)).toThrow(ArgumentError)
    expect(() => group.translateRanks(list as never, group)).toThrow(ArgumentError)
  }
})

test('Group refuses ranges that are none, leave it, or meet', () => {
  const group = new Group([5, 6, 7, 8], 5)
  const refused = (range: unknown, error: abstract new (...facts: never[]) => Error): void => {
    expect(() => group.rangeIncl([range as never])).toThrow(error)
    expect(() => group.rangeExcl([range as never])).toThrow(error)
  }
  for (const range of [undefined, 1, [0, 3], [0, 3, 1, 1], { 0: 0, 1: 3, 2: 1 }]) {
    refused(range, ArgumentError)
  }
  for (const stride of [0, 0.5, NaN, '1', undefined, 1n]) refused([0, 3, stride], ArgumentError)
  for (const last of [0.5, NaN, Infinity, '1', undefined, 1n]) refused([0, last, 1], ArgumentError)
  for (const first of [-1, 4, 0.5, '1', undefined]) refused([first, 0, -1], RankError)
  refused([0, 4, 1], RankError)
  refused([0, Number.MAX_SAFE_INTEGER, 1], RankError)
  refused([3, -1, -1], RankError)
  refused([0, 3, -1], ArgumentError)
  refused([3, 0, 1], ArgumentError)
  expect(() => group.rangeIncl([[0, 2, 0]])).toThrow(
    '`ranges[0][2]` must be an integer other than 0 that leads from `first` to `last`, but is 0',
  )
  const meeting = [[0, 2, 2] as const, [3, 1, -1] as const]
  expect(() => group.rangeIncl(meeting)).toThrow(ArgumentError)
  expect(() => group.rangeIncl(meeting)).toThrow('Rank 2 is in both')
})

test('Group takes a range whose last rank its stride steps over', () => {
  const group = new Group([5, 6, 7, 8], 5)
  expect(listOf(group.rangeIncl([[0, 5, 3]]))).toEqual([5, 8])
  expect(listOf(group.rangeIncl([[2, 2, 9]]))).toEqual([7])
  expect(listOf(group.rangeIncl([[2, 2, -9]]))).toEqual([7])
  expect(listOf(group.rangeExcl([[3, 0, -2]]))).toEqual([5, 7])
})

test('Group works with groups only', () => {
  const group = new Group([5, 6], 5)
  for (const other of [undefined, null, 1, [5, 6], {}, { size: 2, rank: 0 }]) {
    for (const use of ['union', 'intersection', 'difference', 'compare'] as const) {
      expect(() => group[use](other as never)).toThrow(GroupError)
    }
    expect(() => group.translateRanks([0], other as never)).toThrow(GroupError)
  }
  expect(() => group.union(7 as never)).toThrow('`other` must be a Group, but is 7')
})
