import { describe, expect, test } from 'vitest'

import { Access } from '../../src/verbs/access.js'
import { replyAddress } from '../../src/verbs/address-handle.js'
import { outcomes, pollAll } from '../verbs/pair.js'
import { BUFFER, fabrics, fill, FULL, link, part, peek, remote } from '../verbs/packet-pair.js'
import { sides, steps } from '../verbs/packet-pair.js'
import type { Link, LinkOptions } from '../verbs/packet-pair.js'

describe.each(fabrics)('edges on the %s fabric', (_name, makeFabric) => {
  const make = (options: LinkOptions = {}): Link => link({ fabric: makeFabric(), ...options })

  test('case 31: inline data of exactly the most, and one byte more', () => {
    const both = make({ pair: { inlineBytesMax: 300 } })
    const most = both.a.qp.inlineBytesMax
    expect(most).toBeGreaterThanOrEqual(300)
    const sent = fill(both.a, 0, most, 3)
    both.b.qp.postReceive({ segments: [part(both.b, 0, most)] })
    both.a.qp.postSend({
      opcode: 'send',
      inline: true,
      segments: [{ ...part(both.a, 0, most), localKey: 0 }],
      signaled: true,
    })
    both.memory.kernels.fill(both.a.buffer.address, 0, most)
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['0 success'])
    expect(peek(both.b, 0, most)).toEqual(sent)
    expect(() =>
      both.a.qp.postSend({ opcode: 'send', inline: true, segments: [part(both.a, 0, most + 1)] }),
    ).toThrow(/EINVAL/)
    both.b.qp.postReceive({ segments: [part(both.b, 0, most)] })
    const segments = Array.from({ length: 4 }, (_, i) => part(both.a, i * 10, 10))
    fill(both.a, 0, 40, 8)
    both.a.qp.postSend({
      opcode: 'sendWithImmediate',
      immediate: 0xffffffff,
      inline: true,
      segments,
      signaled: true,
    })
    both.run()
    expect(pollAll(both.b.cq).map((c) => [c.immediate, c.bytes, c.hasImmediate])).toEqual([
      [0, most, false],
      [0xffffffff, 40, true],
    ])
  })
  test('3.3: more segments than the queue pair has, inline or not', () => {
    const both = make()
    const segments = Array.from({ length: 5 }, (_, i) => part(both.a, i * 4, 4))
    expect(() => both.a.qp.postSend({ opcode: 'send', inline: true, segments })).toThrow(/EINVAL/)
    expect(() => both.a.qp.postSend({ opcode: 'send', segments })).toThrow(/EINVAL/)
    expect(() =>
      both.b.qp.postReceive({
        segments: segments.map((s) => ({ ...s, localKey: both.b.buffer.localKey })),
      }),
    ).toThrow(/EINVAL/)
  })
  test('case 26: empty messages of every kind', () => {
    for (const opcode of [
      'send',
      'sendWithImmediate',
      'rdmaWrite',
      'rdmaWriteWithImmediate',
      'rdmaRead',
    ] as const) {
      const both = make()
      both.b.qp.postReceive({ workRequestId: 5 })
      both.a.qp.postSend({
        opcode,
        immediate: 3,
        signaled: true,
        remoteAddress: 12345,
        remoteKey: 999,
      })
      both.run()
      expect(outcomes(both.a.cq)).toEqual(['0 success'])
      const received = pollAll(both.b.cq)
      expect(received.length).toBe(opcode === 'rdmaWrite' || opcode === 'rdmaRead' ? 0 : 1)
      for (const r of received) expect(r.bytes).toBe(0)
    }
  })
  test('1.5: a window of type 2 is invalidated at home, and bound again under its next key', () => {
    const both = make()
    const { a, b } = both
    const w = b.domain.allocateWindow(2)
    const k = w.nextKey
    const bind = {
      window: w,
      region: b.buffer,
      address: b.buffer.address,
      bytes: 64,
      access: Access.remoteWrite,
      key: k,
    }
    b.qp.postSend({ opcode: 'bindWindow', bind, signaled: true, workRequestId: 1 })
    both.run()
    expect(outcomes(b.cq)).toEqual(['1 success'])
    a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(a, 0, 64)],
      remoteAddress: b.buffer.address,
      remoteKey: k,
      signaled: true,
    })
    both.run()
    expect(outcomes(a.cq)).toEqual(['0 success'])
    b.qp.postSend({ opcode: 'localInvalidate', invalidateKey: k, signaled: true, workRequestId: 2 })
    const k2 = w.nextKey
    b.qp.postSend({
      opcode: 'bindWindow',
      bind: { ...bind, key: k2 },
      signaled: true,
      workRequestId: 3,
    })
    both.run()
    expect(outcomes(b.cq)).toEqual(['2 success', '3 success'])
    expect(k2).not.toBe(k)
    a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(a, 0, 64)],
      remoteAddress: b.buffer.address,
      remoteKey: k2,
      signaled: true,
      workRequestId: 7,
    })
    a.qp.postSend({
      opcode: 'rdmaRead',
      segments: [part(a, 0, 64)],
      remoteAddress: b.buffer.address,
      remoteKey: k2,
      workRequestId: 8,
    })
    both.run()
    expect(outcomes(a.cq)).toEqual(['7 success', '8 remoteAccessError'])
  })
  test('F32: a bind beyond the region; 1.5: a zero-based window', () => {
    for (const change of [{ address: -1 }, { bytes: BUFFER + 1 }] as const) {
      const both = make()
      const { b } = both
      const w = b.domain.allocateWindow(2)
      const bind = {
        window: w,
        region: b.buffer,
        address: b.buffer.address + (change.address ?? 0),
        bytes: change.bytes ?? 64,
        access: Access.remoteWrite,
      }
      b.qp.postSend({ opcode: 'bindWindow', bind, workRequestId: 1 })
      both.run()
      expect(outcomes(b.cq)).toEqual(['1 memoryWindowBindError'])
      expect(b.qp.state).toBe('error')
    }
    const both = make()
    const { a, b } = both
    const w = b.domain.allocateWindow(2)
    b.qp.postSend({
      opcode: 'bindWindow',
      bind: {
        window: w,
        region: b.buffer,
        address: b.buffer.address + 128,
        bytes: 64,
        access: Access.remoteWrite | Access.zeroBased,
      },
      workRequestId: 1,
    })
    both.run()
    const sent = fill(a, 0, 64, 1)
    a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(a, 0, 64)],
      remoteAddress: 0,
      remoteKey: w.remoteKey,
      signaled: true,
    })
    both.run()
    expect(outcomes(a.cq)).toEqual(['0 success'])
    expect(peek(b, 128, 64)).toEqual(sent)
    a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(a, 0, 64)],
      remoteAddress: 1,
      remoteKey: w.remoteKey,
    })
    both.run()
    expect(outcomes(a.cq)).toEqual(['0 remoteAccessError'])
  })
  test('3.8: queues wrap around many times, and work request ids keep 32 bits', () => {
    const both = make({ pair: { sendEntries: 8, receiveEntries: 8 } })
    const { a, b } = both
    for (let i = 0; i < 600; i++) {
      b.qp.postReceive({ workRequestId: i, segments: [part(b, 0, 8)] })
      expect(
        a.qp.postSend({
          opcode: 'send',
          workRequestId: 0xffffffff - i,
          segments: [part(a, 0, 8)],
          signaled: i % 4 === 3,
        }),
      ).toBe('ok')
      if (i % 4 === 3) {
        both.run()
        expect(outcomes(a.cq)).toEqual([`${0xffffffff - i} success`])
        expect(outcomes(b.cq)).toEqual([i - 3, i - 2, i - 1, i].map((x) => `${x} success`))
      }
    }
  })
  test('F43: a send queue full of unsignaled requests, for single requests and batches', () => {
    const both = make({ pair: { sendEntries: 8 } })
    both.a.device.events.on('warning', () => {})
    for (let i = 0; i < 8; i++)
      expect(
        both.a.qp.postSend({
          opcode: 'rdmaWrite',
          segments: [part(both.a, 0, 8)],
          ...remote(both.b, 0),
        }),
      ).toBe('ok')
    both.run()
    expect(both.a.qp.postSend({ opcode: 'rdmaWrite' })).toBe('queueFull')
    expect(() => both.a.qp.start().rdmaWrite(remote(both.b, 0)).complete()).toThrow(/ENOMEM/)
  })
  test('2.2: RESET takes away completions of its own queue pair only', () => {
    const both = make()
    const { a, b } = both
    const second = a.domain.createQueuePair({ sendQueue: a.cq, receiveQueue: a.cq })
    second.modify({ state: 'init', port: 1, partitionKeyIndex: 0, access: 0 })
    second.postReceive({ workRequestId: 50 })
    second.modify({ state: 'error' })
    a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(a, 0, 8)],
      ...remote(b, 0),
      signaled: true,
      workRequestId: 1,
    })
    both.run()
    a.qp.modify({ state: 'reset' })
    expect(outcomes(a.cq)).toEqual(['50 flushed'])
  })
  test('F9: an atomic whose result may not be written is not carried out', () => {
    const both = make()
    const ro = both.a.domain.register(both.a.buffer.address, 64, 0)
    both.a.qp.postSend({
      opcode: 'fetchAndAdd',
      operand: 1n,
      segments: [{ address: ro.address, bytes: 8, localKey: ro.localKey }],
      ...remote(both.b, 0),
    })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['0 localProtectionError'])
    expect(both.b.qp.state).toBe('readyToSend')
    expect(both.memory.i64[both.b.buffer.address / 8]).toBe(0n)
  })
  test('2.2: SQE of UC: the rest is flushed, receives go on, RTS recovers', () => {
    const both = make({ service: 'unreliableConnected' })
    const { a, b } = both
    a.qp.postReceive({ workRequestId: 70, segments: [part(a, 0, 8)] })
    a.qp.postSend({
      opcode: 'send',
      workRequestId: 1,
      segments: [{ ...part(a, 0, 8), localKey: 77 }],
    })
    a.qp.postSend({ opcode: 'send', workRequestId: 2, segments: [part(a, 0, 8)] })
    expect(a.qp.state).toBe('sendError')
    both.run()
    expect(outcomes(a.cq)).toEqual(['1 localProtectionError', '2 flushed'])
    b.qp.postSend({ opcode: 'send', segments: [part(b, 0, 8)], signaled: true })
    both.run()
    expect(outcomes(a.cq)).toEqual(['70 success'])
    a.qp.modify({ state: 'readyToSend', currentState: 'sendError' })
    b.qp.postReceive({ workRequestId: 71, segments: [part(b, 0, 8)] })
    a.qp.postSend({ opcode: 'send', workRequestId: 3, segments: [part(a, 0, 8)], signaled: true })
    both.run()
    expect(outcomes(a.cq)).toEqual(['3 success'])
    expect(outcomes(b.cq)).toEqual(['0 success', '71 success'])
  })
  test('F16 and F19: a datagram of exactly the MTU and one byte more; the way back; a wrong key', () => {
    const both = make({ service: 'unreliableDatagram' })
    const { a, b } = both
    const gid = b.device.globalIdentifier
    const ah = a.domain.createAddressHandle({
      destinationLocalIdentifier: 2,
      serviceLevel: 3,
      global: { destinationGlobalIdentifier: gid, flowLabel: 77, trafficClass: 9, hopLimit: 3 },
    })
    const destination = { addressHandle: ah, queuePairNumber: b.qp.number, queueKey: 0x80000000 }
    for (const id of [70, 71])
      b.qp.postReceive({ workRequestId: id, segments: [part(b, 0, 4096 + 40)] })
    const sent = fill(a, 0, 4096, 1)
    a.qp.postSend({
      opcode: 'sendWithImmediate',
      immediate: 9,
      segments: [part(a, 0, 4096)],
      destination,
      signaled: true,
      workRequestId: 1,
    })
    both.run()
    expect(outcomes(a.cq)).toEqual(['1 success'])
    const [c] = pollAll(b.cq)
    expect([
      c?.bytes,
      c?.hasGlobalRouteHeader,
      c?.immediate,
      c?.sourceQueuePairNumber,
      c?.sourceLocalIdentifier,
    ]).toEqual([4136, true, 9, a.qp.number, 1])
    expect(peek(b, 40, 4096)).toEqual(sent)
    const grh = Uint8Array.from(peek(b, 0, 40))
    const reply = replyAddress(c!, grh)
    expect(reply).toMatchObject({
      ...{ destinationLocalIdentifier: 1, serviceLevel: 3 },
      global: { flowLabel: 77, trafficClass: 9 },
    })
    expect([...reply.global!.destinationGlobalIdentifier]).toEqual([...a.device.globalIdentifier])
    expect(grh[7]).toBe(3)
    expect(((grh[0]! & 15) << 4) | (grh[1]! >> 4)).toBe(9)
    // BTH, DETH, immediate data, payload, invariant CRC.
    expect((grh[4]! << 8) | grh[5]!).toBe(12 + 8 + 4 + 4096 + 4)
    a.qp.postSend({ opcode: 'send', segments: [part(a, 0, 4097)], destination, workRequestId: 2 })
    both.run()
    expect(outcomes(a.cq)).toEqual(['2 localLengthError'])
    expect(a.qp.state).toBe('sendError')
    a.qp.modify({ state: 'readyToSend' })
    a.qp.postSend({
      opcode: 'send',
      segments: [part(a, 0, 8)],
      destination: { ...destination, queueKey: 5 },
      workRequestId: 3,
      signaled: true,
    })
    both.run()
    expect(outcomes(a.cq)).toEqual(['3 success'])
    expect(outcomes(b.cq)).toEqual([])
    expect(b.device.queryPort(1).queueKeyViolationCount).toBe(1)
  })
  test('2.1: attributes are changed in SQD, and what was posted goes afterwards', () => {
    const both = make()
    const { a, b } = both
    a.qp.modify({ state: 'drained', drainNotify: 1 })
    both.run()
    expect(a.device.events.next()?.name).toBe('sendQueueDrained')
    a.qp.modify({
      timeout: 10,
      retryCount: 3,
      receiverNotReadyRetryCount: 5,
      initiatorReadsMax: 2,
      responderReadsMax: 3,
      access: FULL,
      receiverNotReadyTimer: 3,
      destinationLocalIdentifier: 2,
      serviceLevel: 4,
    })
    expect(a.qp.query()).toMatchObject({
      timeout: 10,
      retryCount: 3,
      responderReadsMax: 3,
      serviceLevel: 4,
    })
    a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(a, 0, 8)],
      ...remote(b, 0),
      signaled: true,
    })
    b.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(b, 0, 8)],
      ...remote(a, 0),
      signaled: true,
    })
    both.run()
    expect([outcomes(a.cq), outcomes(b.cq)]).toEqual([[], ['0 success']])
    a.qp.modify({ state: 'readyToSend', currentState: 'drained' })
    both.run()
    expect(outcomes(a.cq)).toEqual(['0 success'])
    expect(() => a.qp.modify({ state: 'init' })).toThrow(/EINVAL/)
  })
  test('F29: a queue pair in ERR leaves its peer as it is, which finds out by sending', () => {
    const both = make()
    const { a, b } = both
    a.qp.postSend({ opcode: 'send', workRequestId: 1 })
    both.run(1e6)
    a.qp.modify({ state: 'error' })
    both.run(1e6)
    expect(outcomes(a.cq)).toEqual(['1 flushed'])
    expect(b.qp.state).toBe('readyToSend')
    b.qp.postReceive({ workRequestId: 2 })
    b.qp.postSend({ opcode: 'send', workRequestId: 3 })
    both.run()
    expect(outcomes(b.cq)).toEqual(['3 retryExceeded', '2 flushed'])
  })
  test('F15: two limited members of a partition do not match', () => {
    const both = sides({ fabric: makeFabric() })
    for (const { device } of both.sides) device.setPartitionKey(1, 1, 0x1234)
    for (const { qp } of both.sides) {
      qp.modify({ state: 'init', port: 1, partitionKeyIndex: 1, access: FULL })
    }
    for (const [own, peer] of [both.sides, [both.b, both.a]] as const) {
      for (const step of steps(own, peer).slice(1)) own.qp.modify(step)
    }
    both.b.qp.postReceive({})
    both.a.qp.postSend({ opcode: 'send', workRequestId: 1 })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 retryExceeded'])
    expect(both.b.device.queryPort(1).badPartitionKeyCount).toBeGreaterThan(0)
  })
})
