import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deadlockReport } from '../../src/diagnose/deadlock-report.js'
import { describeNearMiss, nearMisses } from '../../src/diagnose/near-miss.js'
import { Scene } from '../../src/diagnose/scene.js'
import type { OperationRecord } from '../../src/record/operation.js'
import type { RankSnapshot, RankState } from '../../src/record/rank-snapshot.js'
import { operation } from './waits.js'

/** A rank that waits for one receive, beside the messages it has not taken and the sends it has open. */
function receiving(
  rank: number,
  receive: Partial<OperationRecord>,
  more: Partial<RankSnapshot> = {},
): RankSnapshot {
  const record = operation(receive)
  const peer = record.peer === 'any' ? 'any' : (record.worldPeer ?? (record.peer as number))
  return {
    rank,
    state: 'blocked',
    operation: record,
    waits: { mode: 'and', arcs: [{ peer, operation: record }] },
    posted: [record],
    unexpected: [],
    pendingSends: [],
    openRequests: [],
    recent: [],
    ...more,
  }
}

const send = (facts: Partial<OperationRecord>) => operation({ name: 'send', ...facts })

function missesOf(snapshots: readonly RankSnapshot[], states: Record<number, RankState> = {}) {
  const told = snapshots.map(({ rank, state, waits }) => ({ rank, state, ...waits }))
  const rest = Object.entries(states).map(([rank, state]) => ({
    rank: Number(rank),
    state,
    mode: 'and' as const,
    arcs: [],
  }))
  const scene = new Scene([...told, ...rest], snapshots)
  return nearMisses(
    scene,
    snapshots.filter((one) => one.state === 'blocked').map((one) => one.rank),
  )
}

describe('nearMisses', () => {
  it('names the communicator, also when both bear one name', () => {
    const message = send({ peer: 0, worldPeer: 0, tag: 3, communicator: 'row', context: 4 })
    const other = receiving(1, { peer: 0, tag: 3, context: 0 }, { unexpected: [message] })
    const [miss] = missesOf([other], { 0: 'finished' })
    expect(miss?.differs).toBe('communicator')
    expect(miss && describeNearMiss(miss)).toBe(
      'rank 0 did send to rank 1 (tag 3, on row); rank 1 asks on world.\nOnly the communicator differs.',
    )
    const twin = { ...message, communicator: 'world' }
    const [same] = missesOf([{ ...other, unexpected: [twin] }], { 0: 'finished' })
    expect(same && describeNearMiss(same)).toContain('asks on another communicator named world')
  })

  it('names the destination when the message lies with another stuck or finished rank', () => {
    const waiting = receiving(1, { peer: 0, tag: 3 })
    const message = send({ peer: 0, tag: 3 })
    const lost = { ...receiving(2, { peer: 1, tag: 0 }), unexpected: [message] }
    const [miss] = missesOf([waiting, lost], { 0: 'finished' })
    expect(miss).toMatchObject({ differs: 'destination', sender: 0, addressee: 2, receiver: 1 })
  })

  it('leaves a message alone that its running receiver may still take', () => {
    const waiting = receiving(1, { peer: 0, tag: 3 })
    const running = {
      ...receiving(2, { peer: 1, tag: 0 }),
      unexpected: [send({ peer: 0, tag: 3 })],
    }
    expect(missesOf([waiting, { ...running, state: 'running' }], { 0: 'finished' })).toEqual([])
  })

  it('tells a pending rendezvous send once, with its own site', () => {
    const pending = send({ peer: 1, tag: 7, site: '/p/a.ts:3:1' })
    const sender = {
      ...receiving(0, { peer: 1, tag: 0 }, { pendingSends: [pending] }),
    }
    const receiver = receiving(1, { peer: 0, tag: 8 }, { unexpected: [send({ peer: 0, tag: 7 })] })
    const misses = missesOf([sender, receiver])
    expect(misses).toHaveLength(1)
    expect(misses[0]?.message.site).toBe('/p/a.ts:3:1')
  })

  it('does not pair messages of different kinds', () => {
    const message = send({ peer: 0, tag: 7, kind: 'float64' })
    const receive = { peer: 0, tag: 8, kind: 'int32' }
    expect(missesOf([receiving(1, receive, { unexpected: [message] })])).toEqual([])
  })

  it('sees that the tags follow a loop index', () => {
    const sends = [0, 1, 2].map((tag) => send({ peer: 1, tag, sequence: tag }))
    const receiver = receiving(
      1,
      { peer: 0, tag: 0 },
      { unexpected: [send({ peer: 0, tag: 1 }), send({ peer: 0, tag: 2 })] },
    )
    const sender = receiving(0, { peer: 1, tag: 9 }, { recent: sends })
    const snapshots = [sender, receiver]
    const waits = snapshots.map(({ rank, state, waits: wait }) => ({ rank, state, ...wait }))
    const texts = deadlockReport(waits, snapshots)?.remarks.map((remark) => remark.text) ?? []
    expect(texts).toContain('the tags rank 0 sends with grow by 1 each time, as a loop index does.')
  })

  it('differ in exactly one part of the envelope, whatever was sent', () => {
    const peer = fc.constantFrom(0, 1, 2)
    const tag = fc.constantFrom(0, 1)
    const context = fc.constantFrom(0, 1)
    const message = fc.record({ peer, tag, context }).map((facts) => send(facts))
    const receive = fc.record({
      peer: fc.oneof(peer, fc.constant('any' as const)),
      tag: fc.oneof(tag, fc.constant('any' as const)),
      context,
    })
    const rank = fc.tuple(receive, fc.array(message, { maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(rank, { minLength: 3, maxLength: 3 }), (ranks) => {
        const snapshots = ranks.map(([asked, unexpected], at) =>
          receiving(at, asked, { unexpected }),
        )
        for (const { receive: asked, message: sent, ...miss } of missesOf(snapshots)) {
          const agrees = {
            tag: asked.tag === 'any' || asked.tag === sent.tag,
            communicator: asked.context === sent.context,
            source: asked.peer === 'any' || asked.peer === miss.sender,
            destination: miss.addressee === miss.receiver,
          }
          const wrong = Object.entries(agrees).flatMap(([name, fine]) => (fine ? [] : name))
          expect(wrong).toEqual([miss.differs])
        }
      }),
    )
  })
})
