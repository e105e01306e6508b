import { expect, test } from 'vitest'
import { orUnsent } from '../../src/device/unsent.js'
import { findDeadlock } from '../../src/diagnose/wait-graph.js'
import type { Arc, RankWait } from '../../src/record/rank-snapshot.js'

const arc = (peer: number): Arc => ({
  peer,
  operation: { name: 'send', communicator: 'world', sequence: 0 },
})

/** Ranks 0 and 2 wait for each other, and rank 1 holds buffers that rank 0 sends from. */
function waits(holders: readonly number[], holder: RankWait): RankWait[] {
  return [
    { rank: 0, state: 'blocked', ...orUnsent({ mode: 'and', arcs: [arc(2)] }, holders) },
    holder,
    { rank: 2, state: 'blocked', mode: 'and', arcs: [arc(0)] },
  ]
}

test('a rank whose buffers another holds is not stuck while that one runs', () => {
  const running: RankWait = { rank: 1, state: 'running', mode: 'and', arcs: [] }
  expect(findDeadlock(waits([], running))).toEqual([0, 2])
  expect(findDeadlock(waits([1], running))).toEqual([])
})

test('a rank whose buffers another holds is stuck when that one is', () => {
  const blocked: RankWait = { rank: 1, state: 'blocked', mode: 'and', arcs: [arc(0)] }
  expect(findDeadlock(waits([1], blocked))).toEqual([0, 1, 2])
})
