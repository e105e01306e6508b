import { describe, expect, it } from 'vitest'
import { deadlockReport } from '../../src/diagnose/deadlock-report.js'
import { formatReport } from '../../src/diagnose/format.js'
import type { OperationRecord } from '../../src/record/operation.js'
import type { RankSnapshot, RankState } from '../../src/record/rank-snapshot.js'
import { operation } from './waits.js'

const base = '/home/a/course'

/** A rank that is blocked in one call; waits, posted and pending lists follow from it. */
function blocked(rank: number, call: Partial<OperationRecord>, site: string): RankSnapshot {
  const record = operation({ ...call, site: `${base}/${site}:3` })
  const sends = record.name.includes('send')
  const peer = record.peer === 'any' ? 'any' : (record.worldPeer ?? (record.peer as number))
  return {
    rank,
    state: 'blocked',
    operation: record,
    waits: { mode: 'and', arcs: [{ peer, operation: record }] },
    posted: sends ? [] : [record],
    unexpected: [],
    pendingSends: sends ? [record] : [],
    openRequests: [],
    recent: [record],
  }
}

function idle(rank: number, state: RankState): RankSnapshot {
  const nothing = { posted: [], unexpected: [], pendingSends: [], openRequests: [], recent: [] }
  return { rank, state, waits: { mode: 'and', arcs: [] }, ...nothing }
}

function reportOn(snapshots: readonly RankSnapshot[]) {
  const waits = snapshots.map((one) => ({ rank: one.rank, state: one.state, ...one.waits }))
  return deadlockReport(waits, snapshots)
}

function textOf(snapshots: readonly RankSnapshot[]): string[] {
  const report = reportOn(snapshots)
  expect(report).toBeDefined()
  expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  const text = report ? formatReport(report, { base }) : ''
  for (const line of text.split('\n')) {
    expect(line.length).toBeLessThanOrEqual(100)
    expect(line).toMatch(/^[\x20-\x7e]*$/)
    expect(line).toBe(line.trimEnd())
  }
  return text.split('\n')
}

describe('deadlockReport', () => {
  it('is undefined while somebody can move', () => {
    const waiting = blocked(0, { peer: 1, tag: 0 }, 'a.ts:1')
    expect(reportOn([waiting, idle(1, 'running')])).toBeUndefined()
  })

  it('names the only difference: a tag', () => {
    const rank0 = blocked(0, { peer: 1, tag: 7 }, 'swap.ts:18')
    const rank1: RankSnapshot = {
      ...blocked(1, { peer: 0, tag: 8 }, 'swap.ts:24'),
      unexpected: [operation({ name: 'send', peer: 0, tag: 7, kind: 'float64', count: 1 })],
    }
    const sent = operation({ name: 'send', peer: 1, tag: 7, site: `${base}/swap.ts:17:3` })
    const told = { ...rank0, recent: [sent, ...rank0.recent] }
    expect(textOf([told, rank1, idle(2, 'finished'), idle(3, 'finished')])).toEqual([
      'error DL01 deadlock: ranks 0 and 1 can never continue (ranks 2 and 3 have finished)',
      '  rank 0  recv(src 1, tag 7, world)  swap.ts:18  waits for a message from rank 1',
      '  rank 1  recv(src 0, tag 8, world)  swap.ts:24  waits for a message from rank 0',
      '  near miss: rank 0 did send to rank 1 (swap.ts:17, tag 7, 1 x float64); rank 1 asks for tag 8.',
      '             Only the tag differs.',
      '  try: use one tag constant on both sides          more: mpiexec explain DL01',
    ])
  })

  it('sees that both receive first, and that a third still computes', () => {
    const snapshots = [
      blocked(0, { peer: 1, tag: 'any' }, 'swap.ts:5'),
      blocked(1, { peer: 0, tag: 'any' }, 'swap.ts:5'),
      idle(2, 'running'),
    ]
    expect(textOf(snapshots)).toEqual([
      'error DL01 deadlock: ranks 0 and 1 can never continue (rank 2 is running)',
      '  rank 0  recv(src 1, tag any, world)  swap.ts:5  waits for a message from rank 1',
      '  rank 1  recv(src 0, tag any, world)  swap.ts:5  waits for a message from rank 0',
      '  likely cause: both receive first, so nobody gets to its send.',
      '  try: let one side send first, or use sendrecv    more: mpiexec explain DL01',
    ])
  })

  it('sees that both send first', () => {
    const send = (peer: number) => ({ name: 'send' as const, peer, tag: 0, bytes: 4096 })
    const text = textOf([blocked(0, send(1), 'x.ts:5'), blocked(1, send(0), 'x.ts:5')])
    expect(text[1]).toContain(
      'send(dest 1, tag 0, 4096 bytes, world)  x.ts:5  waits for rank 1 to receive',
    )
    expect(text[3]).toContain('likely cause: all of them send first')
    expect(text[4]).toContain('  try: use sendrecv, or post the receives first (irecv)    more:')
  })

  it('says that the partner has finished, and after how many messages', () => {
    const rank1 = blocked(1, { peer: 0, tag: 0 }, 'loop.ts:9')
    const snapshots = [
      idle(0, 'finished'),
      { ...rank1, traffic: [{ peer: 0, sent: 0, received: 9 }] },
      blocked(2, { peer: 1, tag: 0 }, 'loop.ts:12'),
    ]
    expect(textOf(snapshots)).toEqual([
      'error DL02 rank 1 waits for rank 0, which has finished',
      '  rank 1  recv(src 0, tag 0, world)  loop.ts:9  waits for a message from rank 0, which has finished',
      '  stuck behind them:',
      '  rank 2  recv(src 1, tag 0, world)  loop.ts:12  waits for a message from rank 1',
      '  count: rank 0 sent 9 messages that rank 1 received, and then finished; rank 1 asks for one more.',
      '  try: let both sides run the same number of rounds    more: mpiexec explain DL02',
    ])
  })

  it('merges ranks that wait alike', () => {
    const barrier = operation({ name: 'barrier', site: `${base}/b.ts:4:1` })
    const at = (rank: number): RankSnapshot => ({
      ...blocked(rank, barrier, 'b.ts:4'),
      waits: { mode: 'and', arcs: [{ peer: 'all', members: [3], operation: barrier }] },
      posted: [],
    })
    const text = textOf([at(0), at(1), at(2), idle(3, 'finished')])
    expect(text[0]).toBe('error DL02 ranks 0-2 wait for rank 3, which has finished')
    expect(text[1]).toBe(
      '  ranks 0-2  barrier(world)  b.ts:4  waits for rank 3 to call barrier, but it has finished',
    )
  })

  it('tells apart who has not come to a collective and who waits in it', () => {
    const inside = (rank: number, number: number, peers: readonly number[]): RankSnapshot => {
      const scan = operation({ name: 'scan', context: 1, number, site: `${base}/s.ts:4:1` })
      const arcs = peers.map((peer) => ({ peer, operation: scan }))
      return { ...blocked(rank, scan, 's.ts:4'), waits: { mode: 'and', arcs }, posted: [] }
    }
    const text = textOf([
      inside(0, 7, [1]),
      inside(1, 7, [2, 3, 4]),
      idle(2, 'finished'),
      idle(3, 'failed'),
      inside(4, 6, [2]),
      inside(5, 7, [0, 3]),
    ])
    const lines = text.join(' ').replace(/ +/g, ' ')
    for (const words of [
      'rank 1 scan(world) s.ts:4 waits for ranks 2-4 to call scan, but ranks 2 and 3 have ended',
      'rank 4 scan(world) s.ts:4 waits for rank 2 to call scan, but it has finished',
      'rank 5 scan(world) s.ts:4 waits for rank 3 to call scan, but it has failed; and for rank 0, in it',
      'stuck behind them: rank 0 scan(world) s.ts:4 waits for rank 1, which is in it as well',
    ]) {
      expect(lines).toContain(words)
    }
  })

  it('tells a collective on one side and point to point on the other', () => {
    const barrier = operation({ name: 'barrier', site: `${base}/b.ts:4:1` })
    const inside: RankSnapshot = {
      ...blocked(0, barrier, 'b.ts:4'),
      waits: { mode: 'and', arcs: [{ peer: 'all', members: [1], operation: barrier }] },
      posted: [],
    }
    const text = textOf([inside, blocked(1, { peer: 0, tag: 0 }, 'b.ts:9')]).join('\n')
    expect(text).toContain('rank 0 is in barrier(world), a collective, and rank 1 in recv(')
  })

  it('lists the requests of a waitAll with the places they were made', () => {
    const requests = [1, 2].map((peer, at) =>
      operation({ name: 'irecv', peer, tag: 0, sequence: at, site: `${base}/w.ts:${at + 1}:1` }),
    )
    const waitAll = operation({ name: 'waitAll', sequence: 2, site: `${base}/w.ts:3:1` })
    const rank0: RankSnapshot = {
      ...idle(0, 'blocked'),
      operation: waitAll,
      waits: {
        mode: 'and',
        arcs: requests.map((one) => ({ peer: one.peer as number, operation: one })),
      },
      posted: requests,
    }
    const text = textOf([rank0, idle(1, 'finished'), idle(2, 'running')])
    expect(text.slice(1, 4)).toEqual([
      '  rank 0  waitAll()                     w.ts:3  waits for these 2 requests',
      '            irecv(src 1, tag 0, world)  w.ts:1  waits for a message from rank 1, which has finished',
      '            irecv(src 2, tag 0, world)  w.ts:2  waits for a message from rank 2',
    ])
  })

  it('keeps the requests of each rank together', () => {
    const waiting = (rank: number, peer: number): RankSnapshot => {
      const request = operation({ name: 'irecv', peer, tag: 0, site: `${base}/w.ts:1:1` })
      return {
        ...idle(rank, 'blocked'),
        operation: operation({ name: 'wait', site: `${base}/w.ts:2:1` }),
        waits: { mode: 'and', arcs: [{ peer, operation: request }] },
      }
    }
    const ranks = reportOn([waiting(0, 1), waiting(1, 0)])?.evidence.map((row) => row.ranks)
    expect(ranks).toEqual([[0], [], [1], []])
    const alike = reportOn([waiting(0, 2), waiting(1, 2), idle(2, 'finished')])?.evidence
    expect(alike?.map((row) => row.ranks)).toEqual([[0, 1], []])
  })

  it('tells which half of a sendrecv is missing', () => {
    const receiving = operation({ name: 'sendrecv', peer: 2, tag: 5 })
    const call = operation({
      name: 'sendrecv',
      peer: 1,
      tag: 4,
      receiving,
      site: `${base}/s.ts:1:1`,
    })
    const rank0: RankSnapshot = {
      ...idle(0, 'blocked'),
      operation: call,
      waits: { mode: 'and', arcs: [{ peer: 2, operation: call }] },
    }
    const [, line] = textOf([rank0, idle(1, 'running'), idle(2, 'finished')])
    expect(line).toContain('sendrecv(dest 1, tag 4, src 2, tag 5, world)')
    expect(reportOn([rank0, idle(1, 'running'), idle(2, 'finished')])?.evidence[0]?.says).toBe(
      'waits for a message from rank 2, which has finished',
    )
  })

  it('names everybody a wait for any of several requests could have come from', () => {
    const request = (peer: number) => ({ peer, operation: operation({ name: 'irecv', peer }) })
    const rank0: RankSnapshot = {
      ...idle(0, 'blocked'),
      operation: operation({ name: 'waitAny' }),
      waits: { mode: 'or', arcs: [request(1), request(2)] },
    }
    const [verdict] = textOf([rank0, idle(1, 'finished'), idle(2, 'finished')])
    expect(verdict).toBe('error DL02 rank 0 waits for ranks 1 and 2, which have finished')
  })

  it('knows a rank of the world where a rank of the communicator is meant', () => {
    const row = { communicator: 'row', context: 9 }
    const rank4 = blocked(4, { ...row, peer: 3, worldPeer: 7, tag: 0 }, 'g.ts:8')
    const message = operation({ ...row, name: 'send', peer: 1, worldPeer: 3, tag: 0 })
    const text = textOf([
      { ...rank4, unexpected: [message] },
      blocked(7, { peer: 4, tag: 0 }, 'g.ts:11'),
    ]).join('\n')
    expect(text).toContain('waits for a message from rank 7 (rank 3 of row)')
    expect(text).toContain('Only the source differs.')
    expect(text).toContain('why: rank 3 of row is rank 7 of world: peer ranks are relative')
  })

  it('says where a site was not recorded how to record it', () => {
    const bare = blocked(0, { peer: 1, tag: 0 }, 'a.ts:1')
    const { site: _site, ...rest } = bare.operation as OperationRecord
    const text = textOf([{ ...bare, operation: rest }, idle(1, 'finished')]).join('\n')
    expect(text).toContain('run with --sites')
  })

  it('tells an await of what nothing can settle', () => {
    const snapshot: RankSnapshot = {
      ...idle(0, 'awaiting'),
      operation: operation({ name: 'await' }),
      waits: { mode: 'or', arcs: [] },
    }
    expect(reportOn([snapshot, idle(1, 'finished')])?.code).toBe('TS02')
  })
})
