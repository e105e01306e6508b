import { describe, expect, test } from 'vitest'

import { Access } from '../../src/verbs/access.js'
import { outcomes, pollAll } from '../verbs/pair.js'
import { bringUp, BUFFER, fabrics, fill, link, part, peek } from '../verbs/packet-pair.js'
import { reconnect, remote, sides } from '../verbs/packet-pair.js'
import type { Link, LinkOptions } from '../verbs/packet-pair.js'

describe.each(fabrics)('more edges on the %s fabric', (_name, makeFabric) => {
  const make = (options: LinkOptions = {}): Link => link({ fabric: makeFabric(), ...options })

  test('F11: a message beyond 2 GiB is a local length error', () => {
    const both = make()
    const segments = Array.from({ length: 4 }, () => ({ ...part(both.a, 0, 2 ** 30) }))
    both.a.qp.postSend({ opcode: 'rdmaWrite', segments, ...remote(both.b, 0), workRequestId: 1 })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 localLengthError'])
    expect(both.b.qp.state).toBe('readyToSend')
  })
  test('F11: an atomic of four bytes is a local length error', () => {
    const both = make()
    both.a.qp.postSend({
      opcode: 'fetchAndAdd',
      operand: 1n,
      segments: [part(both.a, 0, 4)],
      ...remote(both.b, 0),
      workRequestId: 1,
    })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 localLengthError'])
  })
  test('1.7: sq_sig_all gives every request a completion', () => {
    const both = make({ pair: { signalAll: true } })
    both.a.qp.postSend({ opcode: 'rdmaWrite', workRequestId: 1 })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 success'])
  })
  test('case 32: sixteen segments at either side', () => {
    const both = make({ pair: { segmentsMax: 16 } })
    const { a, b } = both
    const sent = fill(a, 0, 1600, 7)
    const segments = Array.from({ length: 16 }, (_, i) => part(a, i * 100, 100))
    const target = Array.from({ length: 16 }, (_, i) =>
      part(b, 10000 + i * 200, i === 15 ? 200 : 90 + i),
    )
    b.qp.postReceive({ segments: target })
    a.qp.postSend({ opcode: 'send', segments, signaled: true })
    both.run()
    expect(outcomes(a.cq)).toEqual(['0 success'])
    const got = target.flatMap((t) => peek(b, t.address - b.buffer.address, t.bytes)).slice(0, 1600)
    expect(got).toEqual(sent)
    a.qp.postSend({
      opcode: 'rdmaRead',
      segments: Array.from({ length: 16 }, (_, i) => part(a, 20000 + i * 300, 100)),
      ...remote(b, 10000),
      signaled: true,
    })
    both.run()
    expect(outcomes(a.cq)).toEqual(['0 success'])
  })
  test('3.3: the requests of a list before the bad one stay posted', () => {
    const both = make()
    const bad = both.a.qp.postSendList([
      { opcode: 'rdmaWrite', workRequestId: 1, signaled: true },
      { opcode: 'send', segments: Array(9).fill(part(both.a, 0, 1)) },
      { opcode: 'rdmaWrite', workRequestId: 3 },
    ])
    expect(bad?.index).toBe(1)
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 success'])
  })
  test('1.2: ports pass data in state active only, and again when they are back', () => {
    for (const state of ['init', 'armed', 'down'] as const) {
      const both = make({ toSend: { timeout: 5 } })
      both.b.device.setPortState(1, state)
      both.a.qp.postSend({ opcode: 'rdmaWrite', workRequestId: 1 })
      both.run()
      expect(outcomes(both.a.cq)).toEqual(['1 retryExceeded'])
      both.b.device.setPortState(1, 'active')
      reconnect(both)
      both.a.qp.postSend({ opcode: 'rdmaWrite', workRequestId: 2, signaled: true })
      both.run()
      expect(outcomes(both.a.cq)).toEqual(['2 success'])
    }
  })
  test('F42: UD and UC send into a port that is down with success', () => {
    for (const service of ['unreliableConnected', 'unreliableDatagram'] as const) {
      const both = make({ service })
      const addressHandle = both.a.domain.createAddressHandle({ destinationLocalIdentifier: 2 })
      both.b.qp.postReceive({ segments: [part(both.b, 0, 100)] })
      both.a.device.setPortState(1, 'down')
      both.a.qp.postSend({
        opcode: 'send',
        workRequestId: 1,
        signaled: true,
        segments: [part(both.a, 0, 8)],
        ...(service === 'unreliableDatagram'
          ? {
              destination: {
                addressHandle,
                queuePairNumber: both.b.qp.number,
                queueKey: 0x11111111,
              },
            }
          : {}),
      })
      both.run()
      expect(outcomes(both.a.cq)).toEqual(['1 success'])
      expect(outcomes(both.b.cq)).toEqual([])
      expect(both.a.qp.state).toBe('readyToSend')
      expect(both.a.device.events.next()?.name).toBe('portError')
    }
  })
  test('F41: a device that fails flushes its own requests, and answers nobody', () => {
    const both = make({ toSend: { timeout: 5 } })
    both.a.qp.postSend({ opcode: 'send', workRequestId: 1 })
    both.a.qp.postReceive({ workRequestId: 2 })
    both.run(1e3)
    both.a.device.fail()
    both.run()
    expect(outcomes(both.a.cq).sort()).toEqual(['1 flushed', '2 flushed'])
    expect(both.a.device.events.next()?.name).toBe('deviceFatal')
    both.b.qp.postSend({ opcode: 'rdmaWrite', workRequestId: 3 })
    both.run()
    expect(outcomes(both.b.cq)).toEqual(['3 retryExceeded'])
  })
  test('objects that were destroyed refuse everything but to be destroyed again', () => {
    const { a } = make()
    a.qp.destroy()
    a.qp.destroy()
    expect(() => a.qp.postSend({ opcode: 'send' })).toThrow(/EINVAL/)
    expect(() => a.qp.postReceive({})).toThrow(/EINVAL/)
    expect(() => a.qp.modify({ state: 'init' })).toThrow(/EINVAL/)
    expect(() => a.qp.query()).toThrow(/EINVAL/)
    a.buffer.deregister()
    a.buffer.deregister()
    a.cq.destroy()
    a.cq.destroy()
    a.domain.deallocate()
    a.domain.deallocate()
    expect(() => a.domain.register(0, 64, 0)).toThrow(/EINVAL/)
    expect(() => a.domain.allocateWindow(1)).toThrow(/EINVAL/)
    expect(() => a.domain.createQueuePair({ sendQueue: a.cq, receiveQueue: a.cq })).toThrow(
      /EINVAL/,
    )
  })
  test('a queue pair takes no queues of another device', () => {
    const { a, b } = make()
    expect(() => a.domain.createQueuePair({ sendQueue: b.cq, receiveQueue: a.cq })).toThrow(
      /EINVAL/,
    )
  })
  test('a queue pair takes no queues that were destroyed', () => {
    const { a } = make()
    const cq = a.device.createCompletionQueue({ entries: 8 })
    cq.destroy()
    expect(() => a.domain.createQueuePair({ sendQueue: cq, receiveQueue: a.cq })).toThrow(/EINVAL/)
    const srq = a.domain.createSharedReceiveQueue({ entries: 4 })
    srq.destroy()
    expect(() => srq.postReceive({})).toThrow(/EINVAL/)
    expect(() =>
      a.domain.createQueuePair({ sendQueue: a.cq, receiveQueue: a.cq, sharedReceiveQueue: srq }),
    ).toThrow(/EINVAL/)
  })
  test('case 39: what a shared receive queue holds, and a limit that is reached when it is armed', () => {
    const both = sides({ fabric: makeFabric() })
    const { a, b } = both
    const srq = b.domain.createSharedReceiveQueue({ entries: 4, segmentsMax: 2 })
    for (let i = 0; i < srq.entries; i++)
      expect(srq.postReceive({ workRequestId: i, segments: [part(b, 0, 8)] })).toBe('ok')
    expect(srq.postReceive({})).toBe('queueFull')
    expect(() =>
      srq.postReceive({ segments: [part(b, 0, 1), part(b, 0, 1), part(b, 0, 1)] }),
    ).toThrow(/EINVAL/)
    srq.modify({ limit: srq.entries })
    b.device.progress()
    expect(b.device.events.next()).toBeUndefined()
    const qp = b.domain.createQueuePair({
      sendQueue: b.cq,
      receiveQueue: b.cq,
      sharedReceiveQueue: srq,
    })
    const other = { ...b, qp }
    bringUp(a, other)
    bringUp(other, a)
    expect(() => qp.postReceive({})).toThrow(/EINVAL/)
    a.qp.postSend({ opcode: 'send', segments: [part(a, 0, 8)], signaled: true })
    both.run()
    expect(b.device.events.next()?.name).toBe('sharedReceiveQueueLimitReached')
    expect(srq.limit).toBe(0)
    expect(() => srq.destroy()).toThrow(/EBUSY/)
    srq.modify({ limit: srq.entries })
    b.device.progress()
    expect(b.device.events.next()?.name).toBe('sharedReceiveQueueLimitReached')
  })
  test('1.10: a queue pair with an event that is not acknowledged cannot be destroyed', () => {
    const both = make({ access: 0 })
    both.a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(both.a, 0, 8)],
      ...remote(both.b, 0),
    })
    both.run()
    const event = both.b.device.events.next()!
    expect(() => both.b.qp.destroy()).toThrow(/EBUSY/)
    event.acknowledge()
    both.b.qp.destroy()
  })
  test('F33: a key that is no window cannot be invalidated; an unsignaled bind is silent', () => {
    const both = make()
    const { b } = both
    const w = b.domain.allocateWindow(2)
    b.qp.postSend({
      opcode: 'bindWindow',
      bind: {
        window: w,
        region: b.buffer,
        address: b.buffer.address,
        bytes: 8,
        access: Access.remoteRead,
      },
    })
    both.run()
    expect(outcomes(b.cq)).toEqual([])
    expect(() => b.buffer.deregister()).toThrow(/EBUSY/)
    b.qp.postSend({
      opcode: 'localInvalidate',
      invalidateKey: b.buffer.remoteKey,
      workRequestId: 3,
    })
    both.run()
    expect(outcomes(b.cq)).toEqual(['3 localQueuePairOperationError'])
    expect(b.qp.state).toBe('error')
  })
  test('case 35: receives complete in the order of the SENDs, among WRITEs', () => {
    const both = make()
    const { a, b } = both
    for (let i = 0; i < 10; i++) b.qp.postReceive({ workRequestId: i })
    for (let i = 0; i < 10; i++) {
      a.qp.postSend({
        opcode: 'rdmaWrite',
        segments: [part(a, i * 2000, 1999)],
        ...remote(b, i * 2000),
        workRequestId: 100 + i,
        signaled: i % 2 === 0,
      })
      a.qp.postSend({
        opcode: i % 2 ? 'send' : 'sendWithImmediate',
        immediate: i,
        workRequestId: i,
        signaled: true,
        solicited: true,
      })
    }
    both.run()
    expect(pollAll(b.cq).map((c) => c.workRequestId)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(pollAll(a.cq)).toHaveLength(15)
  })
  test('case 36: the last byte fits, and addresses do not wrap around 2^64', () => {
    const both = make()
    both.a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(both.a, 0, 100)],
      ...remote(both.b, BUFFER - 100),
      signaled: true,
      workRequestId: 1,
    })
    both.a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(both.a, 0, 100)],
      remoteAddress: 2n ** 64n - 50n,
      remoteKey: both.b.buffer.remoteKey,
      workRequestId: 2,
    })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 success', '2 remoteAccessError'])
  })
  test('numbers that are none are refused at the call', () => {
    const { a, memory } = make()
    for (const [x, n] of [
      [-1, 8],
      [0.5, 8],
      [0, -1],
      [memory.u8.length - 4, 8],
      [NaN, 1],
    ] as const)
      expect(() => a.domain.register(x, n, 1)).toThrow(/EINVAL/)
    expect(() => a.domain.register(0, 8, -1)).toThrow(/EINVAL/)
    for (const id of [-1, 2 ** 32, 0.5])
      expect(() => a.qp.postSend({ opcode: 'rdmaWrite', workRequestId: id }), String(id)).toThrow(
        /EINVAL/,
      )
    expect(() =>
      a.qp.postSend({ opcode: 'rdmaWrite', segments: [{ address: -5, bytes: 3, localKey: 1 }] }),
    ).toThrow(/EINVAL/)
    expect(() =>
      a.qp.postSend({ opcode: 'rdmaWrite', segments: [{ address: 0, bytes: -3, localKey: 1 }] }),
    ).toThrow(/EINVAL/)
  })
})
