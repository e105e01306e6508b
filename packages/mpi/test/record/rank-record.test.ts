import { expect, test } from 'vitest'
import { RankRecord, rankRecordBytes } from '../../src/record/rank-record.js'
import type { Arc, Begun } from '../../src/record/rank-snapshot.js'
import { firstOf } from '../../src/record/waits.js'

const RANKS = 5
const BEGUN = 4000

function record() {
  const i32 = new Int32Array(new SharedArrayBuffer(64 * 1024))
  expect(rankRecordBytes(RANKS)).toBeLessThan(BEGUN * 4)
  return { i32, record: new RankRecord(i32, 0, RANKS) }
}

const operation = { name: 'recv', communicator: 'world', sequence: 0 } as const
const read = { name: 'wait', communicator: '', sequence: 0 } as const

function into(peer: number, number: number, members?: readonly number[]): Arc {
  const begun: Begun = { word: BEGUN + peer, number, members }
  return { peer, operation, begun }
}

test('RankRecord keeps what a rank waits for', () => {
  const { record: one } = record()
  const arcs: Arc[] = [
    { peer: 3, operation },
    { peer: 'any', members: [1, 2], operation },
    { peer: 'all', operation },
  ]
  one.sleep('blocked', { mode: 'and', arcs }, 7)
  expect(one.read(2)).toEqual({
    rank: 2,
    state: 'blocked',
    mode: 'and',
    arcs: arcs.map((arc) => ({ ...arc, operation: read })),
  })
})

test('RankRecord tells of each peer whether it has begun the collective by now', () => {
  const { i32, record: one } = record()
  const members = [0, 2, 4]
  const arcs = [into(2, 6, members), into(4, 6, members), into(1, 9), { peer: 3, operation }]
  one.sleep('awaiting', { mode: 'or', arcs }, 0)
  const throughs = (): (readonly number[] | undefined)[] =>
    one.read(0)!.arcs.map(({ through }) => through)
  expect(one.read(0)!.arcs.map(({ peer }) => peer)).toEqual([2, 4, 1, 3])
  expect(throughs()).toEqual([undefined, undefined, undefined, undefined])
  // As many as came before it, which is not enough, and one more.
  i32[BEGUN + 2] = 6
  i32[BEGUN + 4] = 7
  i32[BEGUN + 1] = 10
  expect(throughs()).toEqual([undefined, members, [0, 1, 2, 3, 4], undefined])
})

test('RankRecord takes a rank for one that runs when there is no room for what it waits for', () => {
  const { record: one } = record()
  const arcs = Array.from({ length: 200 }, (_, peer): Arc => ({ peer, operation }))
  one.sleep('blocked', { mode: 'and', arcs }, 0)
  expect(one.read(0)).toMatchObject({ state: 'running', arcs: [] })
})

test('firstOf several waits lacks nothing as soon as one of them does', () => {
  const wait = { mode: 'and', arcs: [{ peer: 1, operation }] } as const
  expect(firstOf([wait, wait])).toEqual({ mode: 'or', arcs: [...wait.arcs, ...wait.arcs] })
  expect(firstOf([wait, { mode: 'and', arcs: [] }])).toEqual({ mode: 'and', arcs: [] })
  expect(firstOf([])).toEqual({ mode: 'or', arcs: [] })
})
