import { describe, expect, test } from 'vitest'

import { Access } from '../../src/verbs/access.js'
import { DEVICE_LIMITS } from '../../src/verbs/device-limits.js'
import type { MemoryWindow } from '../../src/verbs/memory-window.js'
import type { SendRequest } from '../../src/verbs/work-request.js'
import { outcomes, pollAll } from '../verbs/pair.js'
import {
  fabrics,
  fill,
  FULL,
  link,
  part,
  peek,
  reconnect,
  remote,
  sides,
} from '../verbs/packet-pair.js'
import type { Link } from '../verbs/packet-pair.js'

describe('devices, ports and domains', () => {
  test('case 1: a fresh device has limits above zero, a GUID, and a port', () => {
    const { a, b } = sides()
    const attributes = a.device.query()
    for (const [name, limit] of Object.entries(attributes.limits))
      expect(limit, name).toBeGreaterThan(0)
    expect(attributes.nodeGuid).not.toBe(0n)
    expect(attributes.nodeGuid).not.toBe(b.device.query().nodeGuid)
    expect(attributes.systemImageGuid).toBe(b.device.query().systemImageGuid)
    expect(attributes.physicalPortCount).toBeGreaterThanOrEqual(1)
  })

  test('case 2: a port that does not exist is EINVAL; the one there is tells what it is', () => {
    const { a } = sides()
    for (const port of [0, 2]) expect(() => a.device.queryPort(port)).toThrow(/EINVAL/)
    expect(a.device.queryPort(1)).toMatchObject({
      ...{ state: 'active', physicalState: 'linkUp', localIdentifier: a.device.localIdentifier },
      ...{ activeMtuBytes: 4096, activeWidth: 4, activeSpeed: 'EDR', linkLayer: 'infiniBand' },
    })
    expect(() => a.device.queryGlobalIdentifier(1, 1)).toThrow(/EINVAL/)
    expect(a.device.queryPartitionKey(1, 0)).toBe(0xffff)
    expect(() => a.device.queryPartitionKey(1, 8)).toThrow(/EINVAL/)
  })

  test('case 3: domains are distinct, and closing one twice is harmless', () => {
    const { a } = sides()
    const domains = Array.from({ length: 20 }, () => a.device.allocateProtectionDomain())
    expect(new Set(domains.map(({ address }) => address)).size).toBe(20)
    for (const domain of [...domains, ...domains]) domain.deallocate()
  })

  test('case 4: a domain with something left in it is EBUSY', () => {
    const { a } = sides()
    const domain = a.device.allocateProtectionDomain()
    const region = domain.register(a.buffer.address, 64, FULL)
    expect(() => domain.deallocate()).toThrow(/EBUSY/)
    region.deregister()
    const window = domain.allocateWindow(1)
    expect(() => domain.deallocate()).toThrow(/EBUSY/)
    window.deallocate()
    const handle = domain.createAddressHandle({ destinationLocalIdentifier: 1 })
    expect(() => domain.deallocate()).toThrow(/EBUSY/)
    handle.destroy()
    domain.deallocate()
  })
})

describe.each(fabrics)('regions and windows on the %s fabric', (_, makeFabric) => {
  const make = (): Link => link({ fabric: makeFabric() })

  function attempt(both: Link, request: SendRequest): { here: string[]; there: string[] } {
    both.a.qp.postSend({ signaled: true, workRequestId: 1, ...request })
    both.run()
    return { here: outcomes(both.a.cq), there: outcomes(both.b.cq) }
  }

  function writeTo(both: Link, remoteAddress: number, remoteKey: number): string[] {
    const segments = [part(both.a, 0, 8)]
    return attempt(both, { opcode: 'rdmaWrite', segments, remoteAddress, remoteKey }).here
  }

  test('case 5: remote write or atomic without local write is EINVAL', () => {
    const { a } = make()
    for (const access of [Access.remoteWrite, Access.remoteAtomic, 1 << 15]) {
      expect(() => a.domain.register(a.buffer.address, 64, access)).toThrow(/EINVAL/)
    }
  })

  test('case 6: overlapping regions have keys of their own, and both work', () => {
    const both = make()
    const { domain, buffer } = both.b
    const regions = [0, 32].map((skip) => domain.register(buffer.address + skip, 64, FULL))
    expect(regions[0]!.remoteKey).not.toBe(regions[1]!.remoteKey)
    for (const region of regions) {
      expect(writeTo(both, buffer.address + 40, region.remoteKey)).toEqual(['1 success'])
    }
  })

  test('case 7: a receive with a translation that has changed is a remote operation error', () => {
    const both = make()
    const region = both.b.domain.register(both.b.buffer.address, 128, FULL)
    both.b.qp.postReceive({
      workRequestId: 70,
      segments: [{ address: region.address, bytes: 64, localKey: region.localKey }],
    })
    region.reregister({ range: { address: both.b.buffer.address + 4096, bytes: 128 } })
    const send = { opcode: 'send', segments: [part(both.a, 0, 8)] } as const
    expect(attempt(both, send)).toEqual({
      here: ['1 remoteOperationError'],
      there: ['70 localProtectionError'],
    })
    reconnect(both)
    both.b.qp.postReceive({
      workRequestId: 71,
      segments: [{ address: region.address, bytes: 64, localKey: region.localKey }],
    })
    expect(attempt(both, send)).toEqual({ here: ['1 success'], there: ['71 success'] })
  })

  test('case 8: a receive whose region went to another domain, and back', () => {
    const both = make()
    const region = both.b.domain.register(both.b.buffer.address, 128, FULL)
    const other = both.b.device.allocateProtectionDomain()
    const receive = () => ({
      workRequestId: 70,
      segments: [{ address: region.address, bytes: 64, localKey: region.localKey }],
    })
    region.reregister({ domain: other })
    both.b.qp.postReceive(receive())
    const send = { opcode: 'send', segments: [part(both.a, 0, 8)] } as const
    expect(attempt(both, send).here).toEqual(['1 remoteOperationError'])
    region.reregister({ domain: both.b.domain })
    other.deallocate()
    reconnect(both)
    both.b.qp.postReceive(receive())
    expect(attempt(both, send).here).toEqual(['1 success'])
  })

  test('reregister that is refused leaves the region as it was', () => {
    const both = make()
    const { buffer } = both.b
    expect(() => buffer.reregister({ access: Access.remoteWrite })).toThrow(/EINVAL/)
    expect(() => buffer.reregister({ range: { address: 0, bytes: 2 ** 40 } })).toThrow(/EINVAL/)
    expect(writeTo(both, buffer.address, buffer.remoteKey)).toEqual(['1 success'])
  })

  /** A window of type 1 over the first 64 bytes of b's buffer, bound by b. */
  function bindFirst(both: Link): MemoryWindow {
    const { domain, buffer, qp } = both.b
    const region = domain.register(buffer.address, 4096, Access.localWrite | Access.windowBind)
    expect(region.remoteKey).toBe(0)
    const window = domain.allocateWindow(1)
    const key = qp.bindWindow(
      { window, region, address: buffer.address, bytes: 64, access: Access.remoteWrite },
      { signaled: true, workRequestId: 5 },
    )
    both.run()
    expect(pollAll(both.b.cq)).toMatchObject([
      { status: 0, workRequestId: 5, opcodeName: 'bindWindow' },
    ])
    expect(key).toBe(window.remoteKey)
    return window
  }

  test('case 9: a window gives a right that its region does not give', () => {
    const both = make()
    const window = bindFirst(both)
    const sent = fill(both.a, 0, 8, 1)
    expect(writeTo(both, both.b.buffer.address, window.remoteKey)).toEqual(['1 success'])
    expect(peek(both.b, 0, 8)).toEqual(sent)
    expect(writeTo(both, both.b.buffer.address + 57, window.remoteKey)).toEqual([
      '1 remoteAccessError',
    ])
  })

  test('case 10: bound to nothing, the window is a remote access error', () => {
    const both = make()
    const window = bindFirst(both)
    const key = window.remoteKey
    both.b.qp.bindWindow({ window, region: both.b.buffer, address: 0, bytes: 0, access: 0 })
    both.run()
    expect(window.bound).toBe(false)
    expect(writeTo(both, both.b.buffer.address, key)).toEqual(['1 remoteAccessError'])
    expect(both.b.qp.state).toBe('error')
  })

  test('a window of type 1 that is bound again has another key', () => {
    const both = make()
    const window = bindFirst(both)
    const old = window.remoteKey
    const { buffer, qp } = both.b
    const key = qp.bindWindow({
      window,
      region: buffer,
      address: buffer.address,
      bytes: 16,
      access: Access.remoteWrite,
    })
    both.run()
    expect(key).not.toBe(old)
    expect(writeTo(both, buffer.address, Number(key))).toEqual(['1 success'])
    expect(writeTo(both, buffer.address, old)).toEqual(['1 remoteAccessError'])
  })

  /** A window of type 2 over the first 64 bytes of b's buffer. */
  function bindSecond(both: Link, access = Access.remoteWrite | Access.remoteRead): MemoryWindow {
    const { domain, buffer, qp } = both.b
    const window = domain.allocateWindow(2)
    const bind = {
      window,
      region: buffer,
      address: buffer.address,
      bytes: 64,
      access,
      key: window.nextKey,
    }
    qp.postSend({ opcode: 'bindWindow', bind, signaled: true, workRequestId: 6 })
    both.run()
    expect(outcomes(both.b.cq)).toEqual(['6 success'])
    expect(window.remoteKey).toBe(bind.key)
    return window
  }

  test('case 11: SEND with invalidate takes the window away, and says which', () => {
    const both = make()
    const window = bindSecond(both)
    const key = window.remoteKey
    expect(writeTo(both, both.b.buffer.address, key)).toEqual(['1 success'])
    both.b.qp.postReceive({ workRequestId: 70, segments: [part(both.b, 4096, 64)] })
    both.a.qp.postSend({
      opcode: 'sendWithInvalidate',
      invalidateKey: key,
      segments: [part(both.a, 0, 8)],
    })
    both.run()
    const [received] = pollAll(both.b.cq)
    expect(received).toMatchObject({ status: 0, hasInvalidated: true, invalidatedKey: key })
    expect(window.bound).toBe(false)
    expect(writeTo(both, both.b.buffer.address, key)).toEqual(['1 remoteAccessError'])
  })

  test('case 12: a window that was deallocated; types that do not exist or do not fit', () => {
    const both = make()
    const window = bindSecond(both)
    const key = window.remoteKey
    window.deallocate()
    window.deallocate()
    expect(writeTo(both, both.b.buffer.address, key)).toEqual(['1 remoteAccessError'])
    expect(() => both.b.domain.allocateWindow(3 as 1)).toThrow(/EINVAL/)
    const second = both.a.domain.allocateWindow(2)
    const bind = {
      window: second,
      region: both.a.buffer,
      address: both.a.buffer.address,
      bytes: 8,
      access: 0,
    }
    expect(() => both.a.qp.bindWindow(bind)).toThrow(/EINVAL/)
  })

  test('case 13: a window of type 2 is bound once until it is invalidated', () => {
    const both = make()
    const window = bindSecond(both)
    const { buffer, qp, cq } = both.b
    const bind = () => ({
      ...{ window, region: buffer, address: buffer.address, bytes: 8 },
      ...{ access: Access.remoteRead, key: window.nextKey },
    })
    qp.postSend({
      opcode: 'localInvalidate',
      invalidateKey: window.remoteKey,
      signaled: true,
      workRequestId: 7,
    })
    qp.postSend({ opcode: 'bindWindow', bind: bind(), signaled: true, workRequestId: 8 })
    both.run()
    qp.postSend({ opcode: 'bindWindow', bind: bind(), workRequestId: 9 })
    both.run()
    expect(outcomes(cq)).toEqual(['7 success', '8 success', '9 memoryWindowBindError'])
    expect(qp.state).toBe('error')
  })

  test.each<[string, (both: Link) => object]>([
    ['lacks windowBind', ({ b }) => ({ region: b.domain.register(b.buffer.address, 64, FULL) })],
    [
      'is zero-based',
      ({ b }) => ({
        region: b.domain.register(
          b.buffer.address,
          64,
          FULL | Access.windowBind | Access.zeroBased,
        ),
      }),
    ],
    ['is shorter', () => ({ bytes: 70_000 })],
    [
      'lacks local write',
      ({ b }) => ({ region: b.domain.register(b.buffer.address, 64, Access.windowBind) }),
    ],
    [
      'is of another domain',
      ({ b }) => ({
        region: b.device
          .allocateProtectionDomain()
          .register(b.buffer.address, 64, FULL | Access.windowBind),
      }),
    ],
  ])('F32: a bind to a region that %s is a bind error', (_title, change) => {
    const both = make()
    const { buffer, domain, qp, cq } = both.b
    const window = domain.allocateWindow(1)
    const base = {
      window,
      region: buffer,
      address: buffer.address,
      bytes: 64,
      access: Access.remoteWrite,
    }
    qp.bindWindow({ ...base, ...change(both) }, { workRequestId: 5 })
    both.run()
    expect(outcomes(cq)).toEqual(['5 memoryWindowBindError'])
  })

  test('F33: invalidating a key that is no bound window of the own queue pair', () => {
    const both = make()
    both.a.qp.postSend({
      opcode: 'localInvalidate',
      invalidateKey: both.a.buffer.localKey,
      workRequestId: 3,
    })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['3 localQueuePairOperationError'])
  })

  test('F34: SEND with invalidate of a wrong key fails at both sides', () => {
    const both = make()
    both.b.qp.postReceive({ workRequestId: 70, segments: [part(both.b, 0, 64)] })
    const request = { opcode: 'sendWithInvalidate', invalidateKey: 0x7777 } as const
    expect(attempt(both, request)).toEqual({
      here: ['1 remoteInvalidRequest'],
      there: ['70 remoteInvalidRequest'],
    })
  })

  test('F7: a window of type 2 through another queue pair is a remote access error', () => {
    const both = make()
    const window = bindSecond(both)
    const [near, far] = [both.a, both.b].map(({ domain, cq }) =>
      domain.createQueuePair({ sendQueue: cq, receiveQueue: cq }),
    ) as [Link['a']['qp'], Link['a']['qp']]
    const again = { ...both, a: { ...both.a, qp: near }, b: { ...both.b, qp: far } }
    reconnect(again)
    expect(writeTo(again, both.b.buffer.address, window.remoteKey)).toEqual(['1 remoteAccessError'])
  })

  test('case 14: a region with a bound window is EBUSY', () => {
    const both = make()
    const window = bindSecond(both)
    expect(() => both.b.buffer.deregister()).toThrow(/EBUSY/)
    window.deallocate()
    both.b.buffer.deregister()
    expect(both.b.buffer.registered).toBe(false)
  })

  test('case 15, as regions go: SEND, WRITE, READ and atomics through a zero-based region', () => {
    const both = make()
    const region = both.b.domain.register(
      both.b.buffer.address + 4096,
      256,
      FULL | Access.zeroBased,
    )
    const sent = fill(both.a, 0, 64, 3)
    const range = { remoteAddress: 16, remoteKey: region.remoteKey }
    expect(
      attempt(both, { opcode: 'rdmaWrite', segments: [part(both.a, 0, 64)], ...range }).here,
    ).toEqual(['1 success'])
    expect(peek(both.b, 4112, 64)).toEqual(sent)
    expect(
      attempt(both, { opcode: 'rdmaRead', segments: [part(both.a, 128, 64)], ...range }).here,
    ).toEqual(['1 success'])
    expect(peek(both.a, 128, 64)).toEqual(sent)
    const atomic = { opcode: 'fetchAndAdd', operand: 1n, segments: [part(both.a, 256, 8)] } as const
    expect(attempt(both, { ...atomic, ...range }).here).toEqual(['1 success'])
    both.b.qp.postReceive({
      workRequestId: 9,
      segments: [{ address: 100, bytes: 64, localKey: region.localKey }],
    })
    expect(attempt(both, { opcode: 'send', segments: [part(both.a, 0, 64)] }).there).toEqual([
      '9 success',
    ])
    expect(peek(both.b, 4096 + 100, 64)).toEqual(sent)
    const beyond = { remoteAddress: 250, remoteKey: region.remoteKey }
    expect(
      attempt(both, { opcode: 'rdmaWrite', segments: [part(both.a, 0, 8)], ...beyond }).here,
    ).toEqual(['1 remoteAccessError'])
  })

  test('case 15: device memory is reached by copies and through a zero-based region', () => {
    const both = make()
    const memory = both.b.device.allocateDeviceMemory(256)
    const access = FULL | Access.zeroBased
    expect(() =>
      both.b.domain.registerDeviceMemory(memory, { offset: 0, bytes: 64 }, FULL),
    ).toThrow(/EINVAL/)
    expect(() =>
      both.b.domain.registerDeviceMemory(memory, { offset: 0, bytes: 257 }, access),
    ).toThrow(/EINVAL/)
    expect(() => memory.copyIn(250, new Uint8Array(8))).toThrow(/EINVAL/)
    expect(() => memory.copyIn(1, new Uint8Array(4))).toThrow(/EINVAL/)
    const region = both.b.domain.registerDeviceMemory(memory, { offset: 0, bytes: 256 }, access)
    expect(() => memory.free()).toThrow(/EBUSY/)
    const range = { remoteAddress: 0, remoteKey: region.remoteKey }
    const sent = fill(both.a, 0, 64, 8)
    const segments = [part(both.a, 0, 64)]
    expect(attempt(both, { opcode: 'rdmaWrite', segments, ...range }).here).toEqual(['1 success'])
    expect([...memory.copyOut(0, 64)]).toEqual(sent)
    memory.copyIn(64, Uint8Array.from([5, 0, 0, 0, 0, 0, 0, 0]))
    const at = { remoteAddress: 64, remoteKey: region.remoteKey }
    const result = [part(both.a, 128, 8)]
    expect(
      attempt(both, { opcode: 'fetchAndAdd', operand: 2n, segments: result, ...at }).here,
    ).toEqual(['1 success'])
    expect(
      attempt(both, { opcode: 'compareAndSwap', compare: 7n, operand: 9n, segments: result, ...at })
        .here,
    ).toEqual(['1 success'])
    expect(memory.copyOut(64, 4)[0]).toBe(9)
    expect(
      attempt(both, { opcode: 'rdmaRead', segments: [part(both.a, 256, 64)], ...range }).here,
    ).toEqual(['1 success'])
    expect(peek(both.a, 256, 64)).toEqual(sent)
    both.b.qp.postReceive({
      workRequestId: 2,
      segments: [{ address: 128, bytes: 64, localKey: region.localKey }],
    })
    both.b.qp.postReceive({ workRequestId: 3 })
    expect(attempt(both, { opcode: 'send', segments }).there).toEqual(['2 success'])
    expect([...memory.copyOut(128, 64)]).toEqual(sent)
    const write = { opcode: 'rdmaWriteWithImmediate', immediate: 1, segments, ...range } as const
    expect(attempt(both, write).there).toEqual(['3 success'])
    region.deregister()
    memory.free()
  })

  test('a region with a base of its own is named by addresses from there', () => {
    const both = make()
    const region = both.b.domain.registerAt(
      0x1000_0000,
      { address: both.b.buffer.address, bytes: 64 },
      FULL,
    )
    const sent = fill(both.a, 0, 8, 4)
    expect(writeTo(both, 0x1000_0008, region.remoteKey)).toEqual(['1 success'])
    expect(peek(both.b, 8, 8)).toEqual(sent)
    expect(writeTo(both, both.b.buffer.address, region.remoteKey)).toEqual(['1 remoteAccessError'])
  })

  test('case 16: on-demand paging is not announced, and cannot be had', () => {
    const { a } = make()
    expect(a.device.query().onDemandPaging).toBe(false)
    const implicit = (): unknown => a.domain.register(0, 2 ** 53 - 1, FULL | Access.onDemand)
    expect(implicit).toThrow(/EOPNOTSUPP/)
    expect(() => a.domain.register(a.buffer.address, 64, Access.onDemand)).toThrow(/EOPNOTSUPP/)
  })

  test('cases 25 and 44: XRC and tag matching are not announced, and cannot be had', () => {
    const { a } = make()
    const { extendedReliableConnection, tagMatching } = a.device.query()
    expect([extendedReliableConnection, tagMatching]).toEqual([false, false])
    const queues = { sendQueue: a.cq, receiveQueue: a.cq }
    const services = [
      ...(['extendedReliableConnectedSend', 'extendedReliableConnectedReceive'] as const),
      'rawPacket' as const,
    ]
    for (const service of services) {
      expect(() => a.domain.createQueuePair({ ...queues, service })).toThrow(/EOPNOTSUPP/)
    }
    const wrong = 'reliableDatagram' as 'reliableConnected'
    expect(() => a.domain.createQueuePair({ ...queues, service: wrong })).toThrow(/EINVAL/)
    for (const type of ['extendedReliableConnected', 'tagMatching'] as const) {
      expect(() => a.domain.createSharedReceiveQueue({ entries: 4, type })).toThrow(/EOPNOTSUPP/)
    }
  })

  test('F6: more READs than the responder takes are an invalid request', () => {
    const both = link({ fabric: makeFabric(), toReceive: { responderReadsMax: 0 } })
    const segments = [part(both.a, 0, 8)]
    expect(attempt(both, { opcode: 'rdmaRead', segments, ...remote(both.b, 0) }).here).toEqual([
      '1 remoteInvalidRequest',
    ])
    expect(both.b.device.events.next()?.name).toBe('queuePairAccessError')
    expect(both.b.qp.query().access).toBe(FULL)
    expect(DEVICE_LIMITS.maxResponderReads).toBe(128)
  })
})
