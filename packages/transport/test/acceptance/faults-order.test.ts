import { once } from 'node:events'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { startChoices } from '../../src/choice/choice-stream.js'
import { scripted, seeded } from '../../src/choice/sources.js'
import { FaultPlan } from '../../src/fabric/faults/fault-plan.js'
import type { FaultRule } from '../../src/fabric/faults/fault.js'
import { FaultyFabric } from '../../src/fabric/faults/faulty-fabric.js'
import { PacketFabric } from '../../src/fabric/packets/packet-fabric.js'
import type { PacketFabricOptions } from '../../src/fabric/packets/packet-fabric.js'
import {
  describePacket,
  operationOf,
  READ_REQUEST,
  SEND_LAST,
} from '../../src/fabric/packets/packet.js'
import type { SendRequest } from '../../src/verbs/work-request.js'
import { outcomes, pollAll } from '../verbs/pair.js'
import { bringUp, fill, link, part, peek, remote, sides } from '../verbs/packet-pair.js'
import type { Link, LinkOptions, Side } from '../verbs/packet-pair.js'

const MS = 1e6

function packets(options: PacketFabricOptions = {}, linkOptions: LinkOptions = {}) {
  const fabric = new PacketFabric(options)
  const both = link({ fabric, ...linkOptions })
  return { ...both, fabric }
}

describe('retries in virtual time', () => {
  test('case 34: without a receive, two retries of 0.64 ms, then receiverNotReadyRetryExceeded (F12)', () => {
    const both = packets({}, { toSend: { receiverNotReadyRetryCount: 2 } })
    both.a.qp.postSend({ opcode: 'send', workRequestId: 1 })
    both.run(1.27 * MS)
    expect(outcomes(both.a.cq)).toEqual([])
    both.run(0.1 * MS)
    expect(outcomes(both.a.cq)).toEqual(['1 receiverNotReadyRetryExceeded'])
    expect([both.a.qp.state, both.b.qp.state]).toEqual(['error', 'readyToSend'])
  })

  test('case 34: seven is for ever, until a receive is posted (F13)', () => {
    const both = packets()
    both.a.qp.postSend({ opcode: 'send', workRequestId: 1, signaled: true })
    both.run(1000 * MS)
    expect(outcomes(both.a.cq)).toEqual([])
    both.b.qp.postReceive({ workRequestId: 70 })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 success'])
    expect(outcomes(both.b.cq)).toEqual(['70 success'])
  })

  test.each([0, 3, 7])(
    'F14: a dead peer is given up after %i retries and one timeout more',
    (retryCount) => {
      const both = packets({}, { toSend: { retryCount, timeout: 10 } })
      const timeoutNs = 4096 * 2 ** 10
      both.b.device.setPortState(1, 'down')
      both.a.qp.postSend({ opcode: 'send', workRequestId: 1 })
      both.run(timeoutNs * (retryCount + 1) - 1)
      expect(outcomes(both.a.cq)).toEqual([])
      both.run(2)
      expect(outcomes(both.a.cq)).toEqual(['1 retryExceeded'])
    },
  )

  test('3.6: a timeout of 0 waits for ever', () => {
    const both = packets({ faults: new FaultPlan([{ fault: 'loss' }]) }, { toSend: { timeout: 0 } })
    both.b.qp.postReceive({})
    both.a.qp.postSend({ opcode: 'send', signaled: true })
    both.run()
    expect(outcomes(both.a.cq)).toEqual([])
    expect(both.a.qp.state).toBe('readyToSend')
  })

  test('F25: a link that comes back in time is not noticed', () => {
    const faults = new FaultPlan([{ fault: 'linkFlap', hca: 1, at: 2, forNs: 100 * MS }])
    const both = packets({ faults })
    const sent = fill(both.a, 0, 4000, 1)
    both.a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(both.a, 0, 4000)],
      ...remote(both.b, 0),
      signaled: true,
    })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['0 success'])
    expect(peek(both.b, 0, 4000)).toEqual(sent)
    expect([both.b.device.events.next()?.name, both.b.device.events.next()?.name]).toEqual([
      'portError',
      'portActive',
    ])
  })

  test.each<[string, LinkOptions, string, RegExp]>([
    [
      'F37: the sender is ahead',
      { toReceive: { receivePacketSequenceNumber: 50 } },
      'retryExceeded',
      /sends from packet 100, its peer expects 50: .* none is accepted/,
    ],
    [
      'F36: the MTUs differ',
      { toReceive: { pathMtuBytes: 512 } },
      'remoteInvalidRequest',
      /path MTU of 512 bytes, its peer one of 1024/,
    ],
  ])('%s', (_title, options, status, expected) => {
    const fabric = new PacketFabric()
    const both = sides({ fabric })
    const warnings: string[] = []
    both.b.device.events.on('warning', (text) => warnings.push(text))
    bringUp(both.a, both.b, { toSend: { timeout: 5 } })
    bringUp(both.b, both.a, options)
    expect(warnings).toEqual([expect.stringMatching(expected)])
    both.b.qp.postReceive({ segments: [part(both.b, 0, 8192)] })
    both.a.qp.postSend({ opcode: 'send', workRequestId: 1, segments: [part(both.a, 0, 3000)] })
    both.run()
    expect(outcomes(both.a.cq)).toEqual([`1 ${status}`])
    if (status === 'remoteInvalidRequest')
      expect(both.b.device.events.next()?.name).toBe('queuePairRequestError')
  })

  test('F38: the sender is behind: acknowledged without being delivered, after a warning', () => {
    const both = sides({ fabric: new PacketFabric() })
    const { a, b } = both
    const warnings: string[] = []
    b.device.events.on('warning', (text) => warnings.push(text))
    bringUp(a, b, { toSend: { timeout: 5 } })
    bringUp(b, a, { toReceive: { receivePacketSequenceNumber: 102 } })
    expect(warnings).toEqual([
      expect.stringMatching(/from packet 100, its peer expects 102: .* not delivered/),
    ])
    for (const id of [71, 72, 73])
      b.qp.postReceive({ workRequestId: id, segments: [part(b, 0, 8)] })
    for (const id of [1, 2, 3]) a.qp.postSend({ opcode: 'send', workRequestId: id, signaled: true })
    both.run()
    expect(outcomes(a.cq)).toEqual(['1 success', '2 success', '3 success'])
    expect(outcomes(b.cq)).toEqual(['71 success'])
    expect([a.qp.state, b.qp.state]).toEqual(['readyToSend', 'readyToSend'])
  })

  test('F36 to F38: ends that agree are no matter for a warning; nor are datagrams', () => {
    for (const service of [
      'reliableConnected',
      'unreliableConnected',
      'unreliableDatagram',
    ] as const) {
      for (const fabric of [undefined, new PacketFabric()]) {
        const both = sides({ service, ...(fabric === undefined ? {} : { fabric }) })
        const warnings: string[] = []
        for (const { device } of both.sides)
          device.events.on('warning', (text) => warnings.push(text))
        bringUp(both.a, both.b)
        bringUp(both.b, both.a)
        expect(warnings).toEqual([])
      }
    }
  })

  test('F36 and F38 on the direct fabric: a warning of the process, and messages arrive', async () => {
    const both = sides()
    const warned = once(process, 'warning') as Promise<[Error]>
    bringUp(both.a, both.b)
    bringUp(both.b, both.a, { toReceive: { receivePacketSequenceNumber: 102 } })
    both.b.qp.postReceive({ workRequestId: 71 })
    both.a.qp.postSend({ opcode: 'send', workRequestId: 1, signaled: true })
    expect(outcomes(both.b.cq)).toEqual(['71 success'])
    const [{ name, message }] = await warned
    expect([name, message]).toEqual(['VerbsWarning', expect.stringContaining('expects 102')])
  })

  test('F6: a requester that has more READs under way than the responder takes', () => {
    const both = packets(
      {},
      { toReceive: { responderReadsMax: 1 }, toSend: { initiatorReadsMax: 8 } },
    )
    for (let id = 0; id < 3; id++) {
      both.a.qp.postSend({
        opcode: 'rdmaRead',
        workRequestId: id,
        segments: [part(both.a, 0, 8)],
        ...remote(both.b, 0),
        signaled: true,
      })
    }
    both.run()
    expect(outcomes(both.a.cq).some((text) => text.endsWith('remoteInvalidRequest'))).toBe(true)
    expect(both.b.device.events.next()?.name).toBe('queuePairAccessError')
  })

  test('8.7: a requester at its own READ depth holds further ones back', () => {
    const both = packets(
      {},
      { toReceive: { responderReadsMax: 1 }, toSend: { initiatorReadsMax: 1 } },
    )
    for (let id = 0; id < 5; id++) {
      both.a.qp.postSend({
        opcode: 'rdmaRead',
        workRequestId: id,
        segments: [part(both.a, 0, 8)],
        ...remote(both.b, 0),
        signaled: true,
      })
    }
    both.run()
    expect(outcomes(both.a.cq)).toEqual([0, 1, 2, 3, 4].map((id) => `${id} success`))
  })

  test('F18: a UC message of which a packet is lost is dropped, and its receive kept', () => {
    const faults = new FaultPlan([{ fault: 'loss', at: 2 }])
    const both = packets({ faults }, { service: 'unreliableConnected' })
    both.b.qp.postReceive({ workRequestId: 70, segments: [part(both.b, 0, 4096)] })
    both.a.qp.postSend({
      opcode: 'send',
      segments: [part(both.a, 0, 3000)],
      signaled: true,
      workRequestId: 1,
    })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 success'])
    expect(outcomes(both.b.cq)).toEqual([])
    const sent = fill(both.a, 0, 3000, 5)
    both.a.qp.postSend({ opcode: 'send', segments: [part(both.a, 0, 3000)] })
    both.run()
    expect(outcomes(both.b.cq)).toEqual(['70 success'])
    expect(peek(both.b, 0, 3000)).toEqual(sent)
  })

  test('section 5: of a WRITE that fails on the way, what came before is in memory', () => {
    const both = packets()
    const region = both.b.domain.register(both.b.buffer.address, 8192, 15)
    let seen = 0
    both.fabric.tap((packet) => {
      if (packet.destination === 1 && ++seen === 3)
        both.fabric.time.schedule(900, () => region.deregister())
    })
    const sent = fill(both.a, 0, 8192, 6)
    const range = { remoteAddress: region.address, remoteKey: region.remoteKey }
    both.a.qp.postSend({
      opcode: 'rdmaWrite',
      workRequestId: 1,
      segments: [part(both.a, 0, 8192)],
      ...range,
    })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 remoteAccessError'])
    const got = peek(both.b, 0, 8192)
    const arrived = got.findIndex((byte, index) => byte !== sent[index])
    expect(arrived).toBeGreaterThan(0)
    expect(arrived % 1024).toBe(0)
    expect(got.slice(arrived)).toEqual(Array(8192 - arrived).fill(0))
  })
})

describe('fault plan', () => {
  const write = (both: Link, id: number, bytes = 8): SendRequest => ({
    ...{ opcode: 'rdmaWrite', workRequestId: id, signaled: true },
    ...{ segments: [part(both.a, 0, bytes)], ...remote(both.b, 0) },
  })

  test('F24: an atomic whose answer is lost is carried out once', () => {
    const faults = new FaultPlan([{ fault: 'loss', match: { source: 1 }, times: 3 }])
    const both = packets({ faults })
    both.a.qp.postSend({
      opcode: 'fetchAndAdd',
      operand: 5n,
      segments: [part(both.a, 0, 8)],
      ...remote(both.b, 0),
      signaled: true,
    })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['0 success'])
    expect(both.memory.i64[both.b.buffer.address / 8]).toBe(5n)
    expect(both.memory.i64[both.a.buffer.address / 8]).toBe(0n)
    expect(faults.struck).toEqual([3])
  })

  test.each<[string, FaultRule[], string[], string[]]>([
    [
      'loss always (F21)',
      [{ fault: 'loss', match: { destination: 1 }, times: 99 }],
      ['1 retryExceeded', '2 flushed'],
      [],
    ],
    ['corruption once (F23)', [{ fault: 'corruption' }], ['1 success', '2 success'], []],
    ['duplicates (F22)', [{ fault: 'duplicate', times: 9 }], ['1 success', '2 success'], []],
    ['delay (F22)', [{ fault: 'delay', at: 1 }], ['1 success', '2 success'], []],
    [
      'a killed peer',
      [{ fault: 'killed', hca: 1, match: { destination: 1 }, at: 1 }],
      ['1 retryExceeded', '2 flushed'],
      ['deviceFatal'],
    ],
    [
      'a port that goes down',
      [{ fault: 'portDown', hca: 1 }],
      ['1 retryExceeded', '2 flushed'],
      ['portError'],
    ],
  ])('on packets: %s', (_title, rules, expected, events) => {
    const both = packets({ faults: new FaultPlan(rules) }, { toSend: { timeout: 6 } })
    for (const id of [1, 2]) both.a.qp.postSend(write(both, id))
    both.run()
    expect(outcomes(both.a.cq)).toEqual(expected)
    for (const name of events) expect(both.b.device.events.next()?.name).toBe(name)
  })

  test.each<[string, FaultRule[], string[]]>([
    ['a few losses', [{ fault: 'loss', at: 2, times: 7 }], ['1 success', '2 success', '3 success']],
    [
      'one loss too many',
      [{ fault: 'loss', at: 2, times: 8 }],
      ['1 success', '2 retryExceeded', '3 flushed'],
    ],
    [
      'no receive for too long',
      [{ fault: 'receiverNotReady', at: 2, times: 4 }],
      ['1 success', '2 receiverNotReadyRetryExceeded', '3 flushed'],
    ],
    [
      'a killed peer',
      [{ fault: 'killed', hca: 1, at: 3 }],
      ['1 success', '2 success', '3 retryExceeded'],
    ],
    [
      'a port down',
      [{ fault: 'portDown', hca: 1, at: 2 }],
      ['1 success', '2 retryExceeded', '3 flushed'],
    ],
  ])('on the direct fabric: %s', (_title, rules, expected) => {
    const fabric = new FaultyFabric(new FaultPlan(rules))
    const both = link({ fabric, toSend: { receiverNotReadyRetryCount: 3 } })
    for (const id of [1, 2, 3]) both.a.qp.postSend(write(both, id))
    expect(outcomes(both.a.cq)).toEqual(expected)
    if (rules[0]!.fault === 'loss') expect(fabric.waitedNs).toBe(rules[0]!.times! * 4096 * 2 ** 14)
  })

  test('F31: a reserved operation is an invalid request, and an event at the responder', () => {
    const faults = new FaultPlan([{ fault: 'malformed', match: { destination: 1 } }])
    const both = packets({ faults })
    both.b.qp.postReceive({ workRequestId: 70 })
    both.a.qp.postSend({ opcode: 'send', workRequestId: 1, segments: [part(both.a, 0, 8)] })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 remoteInvalidRequest'])
    expect(both.b.device.events.next()?.name).toBe('queuePairRequestError')
    expect(outcomes(both.b.cq)).toEqual(['70 flushed'])
    expect([both.a.qp.state, both.b.qp.state]).toEqual(['error', 'error'])
  })

  test.each<[string, SendRequest['opcode'], number]>([
    ['an acknowledgement of no meaning', 'rdmaWrite', 8],
    ['READ data of a wrong length', 'rdmaRead', 3000],
    ['an atomic answer with data', 'fetchAndAdd', 8],
  ])('F35: %s is a bad response, and leaves the responder as it was', (_title, opcode, bytes) => {
    const faults = new FaultPlan([{ fault: 'malformed', match: { source: 1 } }])
    const both = packets({ faults })
    both.a.qp.postSend({ ...write(both, 1, bytes), opcode })
    both.a.qp.postSend(write(both, 2))
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 badResponse', '2 flushed'])
    expect(both.a.qp.firstError?.cause).toBe('the answer of the peer makes no sense')
    expect([both.a.qp.state, both.b.qp.state]).toEqual(['error', 'readyToSend'])
  })

  test('F35: on the direct fabric too, where the request has been carried out', () => {
    const both = link({ fabric: new FaultyFabric(new FaultPlan([{ fault: 'malformed' }])) })
    const sent = fill(both.a, 0, 8, 1)
    both.a.qp.postSend(write(both, 1))
    expect(outcomes(both.a.cq)).toEqual(['1 badResponse'])
    expect(peek(both.b, 0, 8)).toEqual(sent)
    expect([both.a.qp.state, both.b.qp.state]).toEqual(['error', 'readyToSend'])
  })

  test.each([
    [3, ['1 success']],
    [4, ['1 receiverNotReadyRetryExceeded']],
  ])('F12: a peer that refuses %i times, though it has a receive', (times, expected) => {
    const faults = new FaultPlan([{ fault: 'receiverNotReady', match: { destination: 1 }, times }])
    const both = packets({ faults }, { toSend: { receiverNotReadyRetryCount: 3 } })
    both.b.qp.postReceive({ segments: [part(both.b, 0, 8)] })
    both.a.qp.postSend({ ...write(both, 1), opcode: 'send' })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(expected)
    expect(both.fabric.time.nowNs).toBeGreaterThan(3 * 0.64 * MS)
  })

  test('F43: a send queue full of unsignaled requests is warned of, once; a busy one is not', () => {
    for (const signaled of [false, true]) {
      const both = link({ pair: { sendEntries: 4 } })
      const warnings: string[] = []
      both.a.device.events.on('warning', (text) => warnings.push(text))
      for (let id = 0; id < 4; id++)
        both.a.qp.postSend({ ...write(both, id), signaled: signaled && id === 1 })
      for (let again = 0; again < 3; again++)
        expect(both.a.qp.postSend(write(both, 9))).toBe('queueFull')
      expect(warnings).toEqual(signaled ? [] : [expect.stringContaining('full of requests')])
    }
  })

  test('on the direct fabric: a key that is revoked, a completion queue that is full', () => {
    const both = sides()
    const key = both.b.buffer.remoteKey
    const fabric = new FaultyFabric(new FaultPlan([{ fault: 'keyRevoked', hca: 1, key, at: 2 }]))
    const revoked = link({ fabric })
    for (const id of [1, 2]) revoked.a.qp.postSend(write(revoked, id))
    expect(outcomes(revoked.a.cq)).toEqual(['1 success', '2 remoteAccessError'])
    const full = link({
      fabric: new FaultyFabric(new FaultPlan([{ fault: 'completionQueueFull', hca: 1 }])),
    })
    full.b.qp.postReceive({ workRequestId: 70 })
    full.a.qp.postSend({ opcode: 'send', workRequestId: 1 })
    full.b.device.progress()
    expect(outcomes(full.a.cq)).toEqual(['1 remoteOperationError'])
    expect(full.b.device.events.next()?.name).toBe('completionQueueError')
    expect(full.b.qp.state).toBe('error')
  })

  test('strikes where a choice stream says, and nowhere at first come', () => {
    const draw = (choices = startChoices(seeded(5))) => {
      const plan = new FaultPlan([{ fault: 'loss', percent: 30 }], choices)
      const transmission = { source: 0, destination: 1, opcode: 0, queuePairNumber: 1 }
      return Array.from({ length: 50 }, () => plan.judge(transmission).length)
    }
    expect(draw()).toEqual(draw())
    expect(draw()).toContain(1)
    expect(draw(startChoices(scripted([])))).not.toContain(1)
    expect(() => new FaultPlan([{ fault: 'loss', percent: 1 }])).toThrow(RangeError)
  })
})

/** Whether these bytes lie at an offset of a side's buffer. */
function isAt({ memory, buffer }: Side, offset: number, bytes: Uint8Array): boolean {
  const start = buffer.address + offset
  return Buffer.compare(memory.u8.subarray(start, start + bytes.length), bytes) === 0
}

describe('case 43: loss, duplicates and reordering', () => {
  /** Mixed operations against a model of both memories; the trace of all packets. */
  function run(seed: number, percent: number, count: number): string {
    const choices = startChoices(seeded(seed))
    const faults = new FaultPlan(
      (['loss', 'duplicate', 'delay', 'corruption'] as const).map((fault) => ({ fault, percent })),
      choices,
    )
    const both = packets(
      { faults, choices },
      {
        toSend: { timeout: 3, receiverNotReadyRetryCount: 7 },
        toReceive: { receiverNotReadyTimer: 1 },
      },
    )
    const { a, b } = both
    const trace: string[] = []
    both.fabric.tap((packet, fate, timeNs) =>
      trace.push(`${timeNs.toFixed(2)} ${fate} ${describePacket(packet)}`),
    )
    const draw = startChoices(seeded(seed + 1))
    let counter = 0n
    let expectedReceives: number[] = []
    const SLOTS = 16
    const BYTES = 2048
    const model = Array.from({ length: SLOTS }, () => new Uint8Array(BYTES))
    for (let done = 0; done < count; done += 8) {
      const checks: (() => void)[] = []
      for (let index = 0; index < 8; index++) {
        const slot = index * 2 + draw.choose(2, 'slot')
        const bytes = 1 + draw.choose(BYTES, 'bytes')
        const local = 32768 + index * BYTES
        const there = slot * BYTES
        switch (draw.choose(4, 'operation')) {
          case 0: {
            const sent = fill(a, local, bytes, done + index)
            model[slot]!.set(sent)
            a.qp.postSend({
              opcode: 'rdmaWrite',
              segments: [part(a, local, bytes)],
              ...remote(b, there),
              signaled: true,
            })
            break
          }
          case 1: {
            const expected = model[slot]!.slice(0, bytes)
            const request = {
              opcode: 'rdmaRead',
              fence: true,
              segments: [part(a, local, bytes)],
              ...remote(b, there),
            } as const
            a.qp.postSend({ ...request, signaled: true })
            // What follows might overtake it.
            a.qp.postSend({ opcode: 'rdmaWrite', fence: true, ...remote(b, 0) })
            checks.push(() => expect(isAt(a, local, expected)).toBe(true))
            break
          }
          case 2: {
            const before = counter++
            const counterAt = {
              remoteAddress: b.buffer.address + 40960,
              remoteKey: b.buffer.remoteKey,
            }
            a.qp.postSend({
              opcode: 'fetchAndAdd',
              operand: 1n,
              segments: [part(a, 60000, 8)],
              ...counterAt,
              signaled: true,
            })
            a.qp.postSend({ opcode: 'rdmaWrite', fence: true, ...remote(b, 0) })
            checks.push(() =>
              expect(both.memory.i64[(b.buffer.address + 40960) / 8]).toBeGreaterThan(before),
            )
            break
          }
          default: {
            b.qp.postReceive({ workRequestId: done + index, segments: [part(b, 49152, BYTES)] })
            expectedReceives.push(done + index)
            fill(a, local, bytes, done)
            a.qp.postSend({ opcode: 'send', segments: [part(a, local, bytes)], signaled: true })
          }
        }
      }
      both.run()
      for (const completion of pollAll(a.cq)) expect(completion.statusName).toBe('success')
      expect(pollAll(b.cq).map(({ workRequestId }) => workRequestId)).toEqual(expectedReceives)
      expectedReceives = []
      for (const check of checks) check()
      for (const [slot, bytes] of model.entries()) {
        expect(isAt(b, slot * BYTES, bytes)).toBe(true)
      }
    }
    expect(both.memory.i64[(b.buffer.address + 40960) / 8]).toBe(counter)
    return trace.join('\n')
  }

  test('data are right and atomics carried out once at 1 to 20 percent', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 5 }), (seed, percent) => {
        run(seed, percent, 80)
      }),
      { numRuns: 12 },
    )
  })

  test('ten thousand operations, and the same trace again', () => {
    expect(run(3, 2, 10_000).length).toBeGreaterThan(0)
    expect(run(4, 5, 800)).toBe(run(4, 5, 800))
  })
})

describe('order, and no more of it than specified', () => {
  const BYTES = 900

  /** Polls the last byte of a WRITE in place of a completion; whether the first was there by then. */
  function pollTail(options: PacketFabricOptions): boolean {
    const both = packets(options)
    expect(both.a.qp.queryDataInOrder('rdmaWrite')).toBe(
      options.dataInOrder === false ? 'none' : 'wholeMessage',
    )
    expect(both.a.qp.queryDataInOrder('rdmaRead')).toBe('none')
    both.memory.kernels.fill(both.a.buffer.address, 1, BYTES)
    both.a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(both.a, 0, BYTES)],
      ...remote(both.b, 0),
    })
    while (peek(both.b, BYTES - 1, 1)[0] === 0)
      if (!both.fabric.step()) throw new Error('it never came')
    return !peek(both.b, 0, BYTES).includes(0)
  }

  test('case 45: polling the tail is safe where whole messages are in order', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => pollTail({ choices: startChoices(seeded(seed)) })),
      { numRuns: 50 },
    )
  })

  test('case 45: where they are not, some schedule breaks it', () => {
    const outcomesOf = (seed: number): boolean =>
      pollTail({ choices: startChoices(seeded(seed)), dataInOrder: false })
    expect(Array.from({ length: 30 }, (_, seed) => outcomesOf(seed))).toContain(false)
    expect(outcomesOf(1)).toBe(outcomesOf(1))
  })

  /** READs into a buffer and SENDs that buffer at once: what the peer gets. */
  function forward(fence: boolean): number[] {
    const both = packets()
    const wanted = fill(both.b, 0, 64, 3)
    both.b.qp.postReceive({ segments: [part(both.b, 4096, 64)] })
    both.a.qp.postSend({
      opcode: 'rdmaRead',
      segments: [part(both.a, 0, 64)],
      ...remote(both.b, 0),
    })
    both.a.qp.postSend({ opcode: 'send', fence, segments: [part(both.a, 0, 64)] })
    both.run()
    const got = peek(both.b, 4096, 64)
    return got.map((byte, index) => byte - wanted[index]!)
  }

  test('3.7: a SEND overtakes a READ unless it has a fence', () => {
    expect(forward(true)).toEqual(Array(64).fill(0))
    expect(forward(false)).not.toEqual(Array(64).fill(0))
  })

  test('3.7: an unfenced WRITE may be seen by the READ before it, and may not', () => {
    const seen = (seed: number): boolean => {
      const both = packets({ choices: startChoices(seeded(seed)) })
      both.memory.kernels.fill(both.a.buffer.address + 1024, 9, 8)
      both.a.qp.postSend({
        opcode: 'rdmaRead',
        segments: [part(both.a, 0, 8)],
        ...remote(both.b, 0),
      })
      both.a.qp.postSend({
        opcode: 'rdmaWrite',
        segments: [part(both.a, 1024, 8)],
        ...remote(both.b, 0),
      })
      both.run()
      return peek(both.a, 0, 1)[0] === 9
    }
    const all = Array.from({ length: 30 }, (_, seed) => seen(seed))
    expect(new Set(all)).toEqual(new Set([true, false]))
  })

  test('3.7: requests of one queue pair complete in order, whatever is lost', () => {
    const both = packets(
      { faults: new FaultPlan([{ fault: 'loss', percent: 10 }], startChoices(seeded(2))) },
      { toSend: { timeout: 4 } },
    )
    const kinds = ['rdmaRead', 'rdmaWrite', 'fetchAndAdd'] as const
    for (let id = 0; id < 60; id++) {
      const bytes = id % 3 === 2 ? 8 : 1500
      both.a.qp.postSend({
        opcode: kinds[id % 3]!,
        workRequestId: id,
        segments: [part(both.a, 0, bytes)],
        ...remote(both.b, 0),
        signaled: true,
      })
    }
    both.run()
    expect(outcomes(both.a.cq)).toEqual(Array.from({ length: 60 }, (_, id) => `${id} success`))
  })

  test('3.5: packets are as long as the path allows, and numbered without gaps', () => {
    const both = packets()
    const seen: string[] = []
    both.fabric.tap((packet) =>
      seen.push(`${operationOf(packet)} ${packet.psn} ${packet.payload.length}`),
    )
    both.b.qp.postReceive({ segments: [part(both.b, 0, 4096)] })
    both.a.qp.postSend({
      opcode: 'rdmaRead',
      segments: [part(both.a, 4096, 2500)],
      ...remote(both.b, 0),
      signaled: true,
    })
    both.run()
    both.a.qp.postSend({ opcode: 'send', segments: [part(both.a, 0, 2500)], signaled: true })
    both.run()
    expect(seen).toEqual([
      ...[`${READ_REQUEST} 100 0`, '13 100 1024', '14 101 1024', '15 102 452'],
      ...['0 103 1024', '1 104 1024', `${SEND_LAST} 105 452`, '17 105 0'],
    ])
  })
})
