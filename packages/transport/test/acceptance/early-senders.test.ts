import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createHcaTable } from '../../src/hca/hca-table.js'
import { WorldMemory } from '../../src/memory/world-memory.js'
import { Device } from '../../src/verbs/device.js'
import { outcomes } from '../verbs/pair.js'
import { bringUp, fabrics, FULL, part, sides, steps } from '../verbs/packet-pair.js'
import type { Side } from '../verbs/packet-pair.js'

function post(side: Side, id: number): void {
  side.qp.postSend({ opcode: 'send', workRequestId: id, signaled: true })
}

describe.each(fabrics)('case 21: a peer that is late, on the %s fabric', (_name, makeFabric) => {
  test.each(['reset', 'init'] as const)('one in %s is waited for', (state) => {
    const both = sides({ fabric: makeFabric() })
    const { a, b } = both
    const [toInit, toReceive, toSend] = steps(b, a)
    if (state === 'init') b.qp.modify(toInit!)
    bringUp(a, b)
    for (const id of [1, 2]) post(a, id)
    both.run(1e6)
    if (state === 'reset') b.qp.modify(toInit!)
    for (const id of [11, 12]) b.qp.postReceive({ workRequestId: id })
    both.run(1e6)
    expect([outcomes(a.cq), outcomes(b.cq)]).toEqual([[], []])
    b.qp.modify(toReceive!)
    b.qp.modify(toSend!)
    both.run()
    expect(outcomes(a.cq)).toEqual(['1 success', '2 success'])
    expect(outcomes(b.cq)).toEqual(['11 success', '12 success'])
  })

  test.each<[string, (b: Side, a: Side) => void]>([
    ['is destroyed', ({ qp }) => qp.destroy()],
    ['goes to the error state', ({ qp }) => qp.modify({ state: 'error' })],
    [
      'is connected to another one',
      (b, a) => b.qp.modify({ ...steps(b, a)[1], destinationQueuePairNumber: 0x99 }),
    ],
  ])('one that %s instead is unreachable', (_title, fail) => {
    const both = sides({ fabric: makeFabric() })
    const { a, b } = both
    bringUp(b, a, {}, 1)
    bringUp(a, b)
    for (const id of [1, 2]) post(a, id)
    both.run(1e6)
    fail(b, a)
    both.run()
    expect(outcomes(a.cq)).toEqual(['1 retryExceeded', '2 flushed'])
    expect(a.qp.state).toBe('error')
  })
})

test('a sender that is early takes no waking from one that waits for a receive', () => {
  const memory = WorldMemory.create({ bytes: 4 * 2 ** 20 })
  createHcaTable(memory, 3)
  const [b, a, c] = [0, 1, 2].map((index) => {
    const device = Device.open(memory, index)
    const domain = device.allocateProtectionDomain()
    const cq = device.createCompletionQueue({ entries: 64 })
    const buffer = domain.register(memory.heap.allocate(64), 64, FULL)
    return { memory, device, domain, cq, buffer }
  }) as [Omit<Side, 'qp'>, Omit<Side, 'qp'>, Omit<Side, 'qp'>]
  const srq = b.domain.createSharedReceiveQueue({ entries: 16 })
  const pair = (own: Omit<Side, 'qp'>, shared?: typeof srq): Side => ({
    ...own,
    qp: own.domain.createQueuePair({
      ...{ sendQueue: own.cq, receiveQueue: own.cq },
      ...(shared === undefined ? {} : { sharedReceiveQueue: shared }),
    }),
  })
  const [early, waiting] = [pair(a), pair(c)]
  const [late, ready] = [pair(b, srq), pair(b, srq)]
  bringUp(early, late)
  bringUp(waiting, ready)
  bringUp(ready, waiting)
  post(early, 1)
  post(waiting, 2)
  srq.postReceive({ workRequestId: 71, segments: [part(ready, 0, 8)] })
  for (const { device } of [a, c]) device.progress()
  expect([outcomes(a.cq), outcomes(c.cq)]).toEqual([[], ['2 success']])
  bringUp(late, early)
  a.device.progress()
  expect(outcomes(a.cq)).toEqual([])
  srq.postReceive({ workRequestId: 72 })
  a.device.progress()
  expect(outcomes(a.cq)).toEqual(['1 success'])
})

test('whatever the peer does on its way, requests end as its last state says', () => {
  const step = fc.constantFrom('send', 'receive', 'up', 'reset', 'error')
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (drawn) => {
      const { a, b } = sides()
      bringUp(a, b)
      let [sent, received, stage, failed] = [0, 0, 0, false]
      for (const kind of drawn) {
        a.device.progress()
        if (kind === 'send') post(a, ++sent)
        if (kind === 'receive' && stage > 0) b.qp.postReceive({ workRequestId: ++received })
        // Connected once, it may not be left: what is sent then fails, and that is another test's.
        if (stage === 3) continue
        if (kind === 'up') b.qp.modify(steps(b, a)[stage++]!)
        if (kind === 'error' && stage > 0 && !failed) {
          b.qp.modify({ state: 'error' })
          failed = true
          break
        }
        if (kind === 'reset' && stage < 2) {
          b.qp.modify({ state: 'reset' })
          ;[stage, received] = [0, 0]
        }
      }
      a.device.progress()
      const done = stage < 2 ? 0 : Math.min(sent, received)
      const expected = failed
        ? [...outcomesBefore(done), ...(sent > done ? failures(done + 1, sent) : [])]
        : outcomesBefore(done)
      expect(outcomes(a.cq)).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

function outcomesBefore(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index + 1} success`)
}

function failures(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    return `${first + index} ${index === 0 ? 'retryExceeded' : 'flushed'}`
  })
}
