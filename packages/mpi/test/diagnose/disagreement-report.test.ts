import { describe, expect, it } from 'vitest'
import {
  disagreementReport,
  type Disagreement,
  type RefusedCall,
} from '../../src/diagnose/disagreement-report.js'
import { formatReport } from '../../src/diagnose/format.js'
import type { CollectiveFacts } from '../../src/errors/index.js'
import type { OperationRecord } from '../../src/record/operation.js'
import type { RankSnapshot, RankState } from '../../src/record/rank-snapshot.js'
import { operation } from './waits.js'

const context = 1
const number = 7

const bcast: CollectiveFacts = { operation: 'bcastInto', root: 0, kind: 'float64', count: 100 }
const reduce: CollectiveFacts = { ...bcast, operation: 'reduceInto', reduction: 'SUM' }

function textOf(
  refused: readonly RefusedCall[],
  others: readonly RankSnapshot[],
  disagreement: Partial<Disagreement> = {},
): string[] {
  const waits = [
    ...refused.map(({ rank }) => ({
      rank,
      state: 'failed' as const,
      mode: 'and' as const,
      arcs: [],
    })),
    ...others.map(({ rank, state, waits: { mode, arcs } }) => ({ rank, state, mode, arcs })),
  ]
  const report = disagreementReport(
    { communicator: 'world', context, number, first: bcast, ...disagreement },
    refused,
    { waits, snapshots: others },
  )
  expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  const lines = formatReport(report, { base: '/p' }).split('\n')
  for (const line of lines) {
    expect(line.length).toBeLessThanOrEqual(100)
    expect(line).toMatch(/^[\x20-\x7e]*$/)
    expect(line).toBe(line.trimEnd())
  }
  return lines
}

function snapshot(rank: number, state: RankState, rest: Partial<RankSnapshot> = {}): RankSnapshot {
  const nothing = { posted: [], unexpected: [], pendingSends: [], openRequests: [], recent: [] }
  return { rank, state, waits: { mode: 'and', arcs: [] }, ...nothing, ...rest }
}

/** A rank that waits in a collective of the communicator. */
function inside(rank: number, facts: Partial<OperationRecord>, line: number): RankSnapshot {
  const site = `/p/a.ts:${line}:3`
  const record = operation({ name: 'bcastInto', context, number, root: 0, site, ...facts })
  const waits = { mode: 'and' as const, arcs: [{ peer: 9, operation: record }] }
  return snapshot(rank, 'blocked', { operation: record, waits })
}

/** A rank that is somewhere else, after so many collectives. */
function elsewhere(
  rank: number,
  collectives: number,
  rest: Partial<RankSnapshot> = {},
): RankSnapshot {
  const group = [0, 1, 2, 3]
  const one = { name: 'world', context: 0, collectiveContext: context, collectives, rank, group }
  return snapshot(rank, 'finished', { communicators: [one], ...rest })
}

const at = (rank: number, called: CollectiveFacts, line: number): RefusedCall => {
  return { rank, called, site: `/p/a.ts:${line}:5` }
}

const float64s = { kind: 'float64', count: 100 }

describe('disagreementReport', () => {
  it('shows what each rank called, where, and who is the odd one', () => {
    expect(textOf([at(2, reduce, 52)], [inside(0, float64s, 40), inside(1, float64s, 40)])).toEqual(
      [
        'error CL02 collective #7 on `world` does not agree',
        '          call             root  type     count  where',
        '  rank 0  bcastInto        0     float64  100    a.ts:40',
        '  rank 1  bcastInto        0     float64  100    a.ts:40',
        '  rank 2  reduceInto(SUM)  0     float64  100    a.ts:52  <-- differs',
        '  try: let every rank of the communicator make the same calls in the same order',
        '  more: mpiexec explain CL02',
      ],
    )
  })

  it('marks the one that came first when all others call something else', () => {
    const refused = [at(1, bcast, 40), at(0, bcast, 40)]
    const text = textOf(
      refused,
      [inside(2, { ...float64s, name: 'reduceInto', reduction: 'SUM' }, 52)],
      {
        first: reduce,
      },
    )
    expect(text.slice(2, 5)).toEqual([
      '  rank 0  bcastInto        0     float64  100    a.ts:40',
      '  rank 1  bcastInto        0     float64  100    a.ts:40',
      '  rank 2  reduceInto(SUM)  0     float64  100    a.ts:52  <-- differs',
    ])
  })

  it('takes of two the lower rank for right', () => {
    const [, , zero, one] = textOf([at(0, reduce, 52)], [inside(1, float64s, 40)])
    expect(zero).not.toContain('differs')
    expect(one).toContain('<-- differs')
  })

  it('knows that who has gone on agreed with the first', () => {
    const text = textOf([at(3, { ...bcast, root: 3 }, 9)], [elsewhere(0, 8), elsewhere(1, 12)])
    expect(text.slice(1, -2)).toEqual([
      '          call       root  type     count  where',
      '  rank 0  bcastInto  0     float64  100    has gone on',
      '  rank 1  bcastInto  0     float64  100    has gone on',
      '  rank 3  bcastInto  3     float64  100    a.ts:9       <-- differs',
    ])
    expect(text.at(-2)).toMatch(/try: name the same root on every rank; .* it is rank 0/)
  })

  it('tells what the first one called when nobody is left to be asked', () => {
    const [, , first, second] = textOf([at(3, reduce, 9)], [])
    expect(first).toBe('  another  bcastInto        0     float64  100    came first')
    expect(second).toBe('  rank 3   reduceInto(SUM)  0     float64  100    a.ts:9      <-- differs')
  })

  it('lists ranks apart that have not come, or are in another collective', () => {
    const early = inside(1, { number: 6, name: 'barrier' }, 30)
    const foreign = inside(2, { context: 2 }, 31)
    const late = elsewhere(3, 7, { state: 'running' })
    const text = textOf([at(4, reduce, 52)], [inside(0, float64s, 40), early, foreign, late])
    expect(text.filter((line) => /a\.ts:4|a\.ts:5/.test(line))).toHaveLength(2)
    const others = text.slice(text.indexOf('  the others at that moment:') + 1, -2).join(' ')
    expect(others).toMatch(/rank 1 .*barrier.* a\.ts:30 .*rank 2 .* a\.ts:31 .*rank 3 .*running/)
  })

  it('finds collectives that were begun, waited for or not', () => {
    const record = operation({ name: 'ibcastInto', context, number, root: 0, ...float64s })
    const begun = snapshot(0, 'blocked', { openRequests: [{ ...record, site: '/p/a.ts:3:1' }] })
    const arcs = [{ peer: 2, operation: { ...record, site: '/p/a.ts:4:1' } }]
    const wait = operation({ name: 'wait', site: '/p/a.ts:5:1' })
    const waited = snapshot(1, 'blocked', { operation: wait, waits: { mode: 'and', arcs } })
    const text = textOf([at(2, bcast, 9)], [begun, waited]).join('\n')
    expect(text).toMatch(/rank 0 {2}ibcastInto .* a\.ts:3\n/)
    expect(text).toMatch(/rank 1 {2}ibcastInto .* a\.ts:4\n/)
    expect(text).toMatch(/rank 2 {2}bcastInto .* a\.ts:9 {2}<-- differs\n/)
    expect(text).toContain('try: use one form on every rank: blocking, non-blocking and persistent')
  })

  it('shows persistent calls as the program wrote them', () => {
    const persistent = { name: 'ibcastInto', called: 'bcastIntoInit', ...float64s } as const
    const text = textOf([at(1, bcast, 9)], [inside(0, persistent, 3)])
    expect(text[2]).toContain('bcastIntoInit')
  })

  it('puts many ranks that call alike into one line', () => {
    const many = Array.from({ length: 20 }, (_, rank) => inside(rank, float64s, 40))
    const text = textOf([at(20, { ...bcast, count: 99 }, 40)], many)
    expect(text.slice(2, 4)).toEqual([
      '  ranks 0-19  bcastInto  0     float64  100    a.ts:40',
      '  rank 20     bcastInto  0     float64  99     a.ts:40  <-- differs',
    ])
    expect(text[4]).toMatch(/try: give as many elements on every rank/)
  })

  it('tells reductions of one name apart', () => {
    const mine: CollectiveFacts = { operation: 'allreduce', reduction: 'mine' }
    const record = { name: 'allreduce', reduction: 'mine', root: undefined } as never
    const text = textOf([at(1, mine, 4), at(2, mine, 4)], [inside(0, record, 4)], { first: mine })
    expect(text.slice(1, 6)).toEqual([
      '          call             where',
      '  rank 0  allreduce(mine)  a.ts:4  <-- differs',
      '  rank 1  allreduce(mine)  a.ts:4',
      '  rank 2  allreduce(mine)  a.ts:4',
      '  why: the reductions bear one name, but they are different functions.',
    ])
  })

  it('names a rank that is known to have called something else', () => {
    const grid = (dims: string): CollectiveFacts => ({
      operation: 'createCart',
      others: `dims ${dims}`,
    })
    const text = textOf([at(0, grid('[2, 2]'), 5)], [], { peer: 3, first: grid('[4, 1]') })
    expect(text.slice(1, 4)).toEqual([
      '          call                     where',
      '  rank 0  createCart(dims [2, 2])  a.ts:5',
      '  rank 3  createCart(dims [4, 1])  -       <-- differs',
    ])
    const unnumbered = textOf([at(0, grid('[2, 2]'), 5)], [], {
      number: undefined,
      peer: 3,
      first: grid('[4, 1]'),
    })
    expect(unnumbered[0]).toBe('error CL02 createCart on `world` does not agree')
  })

  it.each<[Partial<CollectiveFacts>, RegExp]>([
    [{ root: 1 }, /name the same root/],
    [{ kind: 'float32' }, /use arrays of the same kind/],
    [{ count: 3 }, /some give 100 elements, others fewer/],
    [{ count: 3, root: 1 }, /let every rank of the communicator give the same arguments/],
    [{ operation: 'ibcastInto' }, /blocking, non-blocking and persistent calls do not match/],
    [{ operation: 'bcast' }, /calls on values, on memory and v-forms do not match/],
    [{ operation: 'allgatherInto', root: undefined }, /make the same calls in the same order/],
  ])('suggests what to change where %j differs', (other, words) => {
    const text = textOf([at(1, { ...bcast, ...other }, 9)], [inside(0, float64s, 3)])
    expect(text.join(' ')).toMatch(words)
  })
})
