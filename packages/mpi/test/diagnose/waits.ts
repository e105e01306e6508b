import fc from 'fast-check'
import type { OperationRecord } from '../../src/record/operation.js'
import type { Arc, RankWait } from '../../src/record/rank-snapshot.js'

export function operation(facts: Partial<OperationRecord> = {}): OperationRecord {
  return { name: 'recv', communicator: 'world', sequence: 0, ...facts }
}

function arc(peer: number | 'any' | 'all'): Arc {
  const record = peer === 'all' ? operation({ name: 'barrier' }) : operation({ peer })
  if (typeof peer === 'number') record.worldPeer = peer
  return { peer, operation: record }
}

export function blockedOn(rank: number, peers: readonly (number | 'any' | 'all')[]): RankWait {
  return { rank, state: 'blocked', mode: 'and', arcs: peers.map(arc) }
}

export function awaiting(rank: number, peers: readonly (number | 'any' | 'all')[]): RankWait {
  return { rank, state: 'awaiting', mode: 'or', arcs: peers.map(arc) }
}

export function running(rank: number): RankWait {
  return { rank, state: 'running', mode: 'and', arcs: [] }
}

export function ended(rank: number, state: 'finished' | 'failed' = 'finished'): RankWait {
  return { rank, state, mode: 'and', arcs: [] }
}

const MOST_RANKS = 6

/** Small wait-for graphs in which every shape is likely: wildcards, collectives, finished ranks. */
const graph: fc.Arbitrary<RankWait[]> = fc.integer({ min: 1, max: MOST_RANKS }).chain((size) => {
  const rank = fc.nat({ max: size - 1 })
  const members = fc.uniqueArray(rank, { maxLength: size })
  const anArc: fc.Arbitrary<Arc> = fc.oneof(
    { weight: 4, arbitrary: rank.map(arc) },
    {
      weight: 1,
      arbitrary: fc.tuple(rank, members).map(([peer, through]) => ({ ...arc(peer), through })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('any' as const, 'all' as const), members)
        .map(([peer, some]) => ({ ...arc(peer), members: some })),
    },
    { weight: 1, arbitrary: fc.constantFrom('any' as const, 'all' as const).map(arc) },
  )
  const state = fc.oneof(
    { weight: 7, arbitrary: fc.constant('blocked' as const) },
    { weight: 2, arbitrary: fc.constant('awaiting' as const) },
    { weight: 1, arbitrary: fc.constantFrom('running', 'outside', 'starting') },
    { weight: 1, arbitrary: fc.constantFrom('finished', 'failed') },
  ) as fc.Arbitrary<RankWait['state']>
  const wait = fc.record({
    state,
    mode: fc.constantFrom('and' as const, 'or' as const),
    arcs: fc.array(anArc, { maxLength: 3 }),
  })
  return fc
    .array(wait, { minLength: size, maxLength: size })
    .map((waits) => waits.map((one, index) => ({ rank: index, ...one })))
})

export const aWait = { graph }
