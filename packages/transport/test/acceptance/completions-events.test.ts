import { describe, expect, test } from 'vitest'

import type { PacketFabric } from '../../src/fabric/packets/packet-fabric.js'
import { COMPLETION_QUEUE_ENTRIES_MAX } from '../../src/verbs/completion-queue.js'
import { DATAGRAM_QUEUE_KEY } from '../../src/verbs/connection/connection-identifier.js'
import type { EventChannel } from '../../src/verbs/connection/event-channel.js'
import { outcomes, pollAll } from '../verbs/pair.js'
import { bringUp, fabrics, fill, link, part, peek, sides } from '../verbs/packet-pair.js'
import type { Link } from '../verbs/packet-pair.js'

describe('completion queues', () => {
  test('case 37: sizes from 1 to the most, and no others', () => {
    const { a } = sides()
    for (const entries of [1, 1000, COMPLETION_QUEUE_ENTRIES_MAX / 16]) {
      const cq = a.device.createCompletionQueue({ entries })
      expect(cq.entries).toBeGreaterThanOrEqual(entries)
      cq.destroy()
    }
    for (const entries of [0, -1, 1.5, COMPLETION_QUEUE_ENTRIES_MAX + 1]) {
      expect(() => a.device.createCompletionQueue({ entries })).toThrow(/EINVAL/)
    }
    expect(() => a.device.createCompletionQueue({ entries: 4, completionVector: 1 })).toThrow(
      /EINVAL/,
    )
  })

  test('case 37: a resize keeps completions, and is refused where they do not fit', () => {
    const { a, b } = link()
    for (let id = 0; id < 20; id++) {
      a.qp.postSend({ opcode: 'rdmaWrite', workRequestId: id, signaled: true })
    }
    expect(() => a.cq.resize(19)).toThrow(/EINVAL/)
    a.cq.resize(2000)
    expect(a.cq.entries).toBeGreaterThanOrEqual(2000)
    for (let id = 20; id < 30; id++) {
      a.qp.postSend({ opcode: 'rdmaWrite', workRequestId: id, signaled: true })
    }
    const ids = pollAll(a.cq).map(({ workRequestId }) => workRequestId)
    expect(ids).toEqual(Array.from({ length: 30 }, (_, id) => id))
    a.cq.resize(4)
    a.qp.postSend({ opcode: 'rdmaWrite', workRequestId: 30, signaled: true })
    expect(outcomes(a.cq)).toEqual(['30 success'])
    expect(() => a.cq.destroy()).toThrow(/EBUSY/)
    a.qp.destroy()
    a.cq.destroy()
    b.qp.destroy()
  })
})

describe.each(fabrics)('events on the %s fabric', (_name, makeFabric) => {
  function withChannel() {
    const both = sides({ fabric: makeFabric() })
    const channel = both.b.device.createCompletionChannel()
    const cq = both.b.device.createCompletionQueue({ entries: 64, channel })
    both.b.qp.destroy()
    both.b.qp = both.b.domain.createQueuePair({ sendQueue: both.b.cq, receiveQueue: cq })
    both.b.cq = cq
    bringUp(both.a, both.b)
    bringUp(both.b, both.a)
    const send = (solicited = false): void => {
      both.b.qp.postReceive({ segments: [part(both.b, 0, 64)] })
      both.a.qp.postSend({ opcode: 'send', solicited })
      both.run()
    }
    return { both, channel, cq, send }
  }

  test('case 38: one event an arm, none without', () => {
    const { channel, cq, send } = withChannel()
    send()
    expect(channel.poll()).toBeUndefined()
    cq.arm()
    expect(channel.poll()).toBeUndefined()
    send()
    send()
    expect(channel.poll()).toBe(cq)
    expect(channel.poll()).toBeUndefined()
    expect(() => cq.acknowledge(2)).toThrow(/EINVAL/)
    cq.arm()
    pollAll(cq)
    send()
    pollAll(cq)
    expect(channel.poll()).toBe(cq)
    cq.acknowledge(2)
    expect(() => channel.destroy()).toThrow(/EBUSY/)
  })

  test('case 38: solicited only', () => {
    const { both, channel, cq, send } = withChannel()
    cq.arm({ solicitedOnly: true })
    send()
    expect(channel.poll()).toBeUndefined()
    send(true)
    expect(channel.poll()).toBe(cq)
    expect(pollAll(cq).map(({ flags }) => flags)).toEqual([0, 0])
    cq.arm({ solicitedOnly: true })
    both.b.qp.postReceive({ segments: [part(both.b, 0, 4)] })
    both.a.qp.postSend({ opcode: 'send', segments: [part(both.a, 0, 8)] })
    both.run()
    expect(channel.poll()).toBe(cq)
    cq.acknowledge(2)
  })

  test('1.9: of two arms the wider holds; a queue with events unacknowledged stays', () => {
    const { both, channel, cq, send } = withChannel()
    cq.arm({ solicitedOnly: true })
    cq.arm()
    cq.arm({ solicitedOnly: true })
    send()
    expect(channel.poll()).toBe(cq)
    both.b.qp.destroy()
    expect(() => cq.destroy()).toThrow(/EBUSY/)
    cq.acknowledge()
    cq.destroy()
    channel.destroy()
  })

  test('case 39: the limit of a shared receive queue (F26)', () => {
    const fabric = makeFabric()
    const both = sides({ fabric })
    const { a, b } = both
    const srq = b.domain.createSharedReceiveQueue({ entries: 10, entriesMax: 40, segmentsMax: 2 })
    const ends = [0, 1].map(() => {
      const options = { sendQueue: b.cq, receiveQueue: b.cq, sharedReceiveQueue: srq }
      const far = { ...b, qp: b.domain.createQueuePair(options) }
      const near = { ...a, qp: a.domain.createQueuePair({ sendQueue: a.cq, receiveQueue: a.cq }) }
      bringUp(near, far)
      bringUp(far, near)
      return near.qp
    })
    for (let id = 0; id < 10; id++)
      srq.postReceive({ workRequestId: id, segments: [part(b, id * 64, 64)] })
    expect(srq.postReceive({ workRequestId: 10 })).toBe('queueFull')
    srq.modify({ limit: 7 })
    const limits = (): number => {
      let count = 0
      for (
        let event = b.device.events.next();
        event !== undefined;
        event = b.device.events.next()
      ) {
        expect(event).toMatchObject({
          name: 'sharedReceiveQueueLimitReached',
          sharedReceiveQueue: srq,
        })
        event.acknowledge()
        count++
      }
      return count
    }
    const send = (count: number): void => {
      for (let id = 0; id < count; id++) ends[id % 2]!.postSend({ opcode: 'send', signaled: true })
      both.run()
    }
    send(3)
    expect(limits()).toBe(0)
    expect(srq.limit).toBe(7)
    send(1)
    expect(limits()).toBe(1)
    expect(srq.limit).toBe(0)
    send(1)
    expect(limits()).toBe(0)
    srq.modify({ limit: 5 })
    send(1)
    expect(limits()).toBe(1)
    srq.modify({ entries: 30 })
    expect(srq.entries).toBeGreaterThanOrEqual(30)
    expect(() => srq.modify({ entries: 2 })).toThrow(/EINVAL/)
    expect(() => srq.modify({ entries: 1000 })).toThrow(/EINVAL/)
    for (let id = 0; id < 20; id++) expect(srq.postReceive({ workRequestId: id })).toBe('ok')
    expect(pollAll(b.cq).map(({ workRequestId }) => workRequestId)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('case 40: a queue pair of a shared receive queue fails (F27), the other goes on', () => {
    const both = sides({ fabric: makeFabric() })
    const { a, b } = both
    const srq = b.domain.createSharedReceiveQueue({ entries: 10 })
    const [first, second] = [0, 1].map(() => {
      const options = { sendQueue: b.cq, receiveQueue: b.cq, sharedReceiveQueue: srq }
      const far = { ...b, qp: b.domain.createQueuePair(options) }
      const near = { ...a, qp: a.domain.createQueuePair({ sendQueue: a.cq, receiveQueue: a.cq }) }
      bringUp(near, far)
      bringUp(far, near)
      return { near: near.qp, far: far.qp }
    }) as [
      { near: Link['a']['qp']; far: Link['a']['qp'] },
      { near: Link['a']['qp']; far: Link['a']['qp'] },
    ]
    for (let id = 0; id < 4; id++)
      srq.postReceive({ workRequestId: id, segments: [part(b, id * 64, 64)] })
    first.far.modify({ state: 'error' })
    b.device.progress()
    const event = b.device.events.next()
    expect(event).toMatchObject({ name: 'queuePairLastEntryReached', queuePair: first.far })
    expect(() => first.far.destroy()).toThrow(/EBUSY/)
    event!.acknowledge()
    second.near.postSend({ opcode: 'send', signaled: true, workRequestId: 9 })
    both.run()
    expect(outcomes(b.cq)).toEqual(['0 success'])
    expect(outcomes(a.cq)).toEqual(['9 success'])
    expect(srq.available).toBe(3)
    first.far.destroy()
    expect(b.device.events.next()).toBeUndefined()
  })

  test('F28: an overrun breaks every queue pair attached', () => {
    const both = sides({ fabric: makeFabric() })
    const { a, b } = both
    const cq = b.device.createCompletionQueue({ entries: 1 })
    const options = { sendQueue: b.cq, receiveQueue: cq }
    b.qp.destroy()
    b.qp = b.domain.createQueuePair(options)
    const bystander = { ...b, qp: b.domain.createQueuePair(options) }
    bringUp(bystander, a, {}, 1)
    bringUp(a, b)
    bringUp(b, a)
    for (let id = 0; id < 40; id++) {
      b.qp.postReceive({ workRequestId: id })
      a.qp.postSend({ opcode: 'send', workRequestId: id, signaled: true })
    }
    both.run()
    expect(cq.overrun).toBe(true)
    const names: string[] = []
    b.device.events.on('event', ({ name }) => names.push(name))
    for (let event = b.device.events.next(); event !== undefined; event = b.device.events.next())
      names.push(event.name)
    expect(names).toEqual(['completionQueueError', 'queuePairFatal', 'queuePairFatal'])
    expect([b.qp.state, bystander.qp.state]).toEqual(['error', 'error'])
  })

  test('F25: a port goes down and comes back; its own events, and states stay', () => {
    const both = link({ fabric: makeFabric(), toSend: { timeout: 8, retryCount: 2 } })
    const { a, b } = both
    b.device.setPortState(1, 'down')
    both.run(0)
    expect(b.device.events.next()?.name).toBe('portError')
    expect(a.device.events.next()).toBeUndefined()
    expect(b.device.queryPort(1)).toMatchObject({ state: 'down', physicalState: 'disabled' })
    expect([a.qp.state, b.qp.state]).toEqual(['readyToSend', 'readyToSend'])
    b.device.setPortState(1, 'active')
    both.run(0)
    expect(b.device.events.next()?.name).toBe('portActive')
    const sent = fill(a, 0, 8, 1)
    a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(a, 0, 8)],
      remoteAddress: b.buffer.address,
      remoteKey: b.buffer.remoteKey,
    })
    both.run()
    expect(peek(b, 0, 8)).toEqual(sent)
    b.device.setPortState(1, 'down')
    a.qp.postSend({ opcode: 'send', workRequestId: 1 })
    both.run()
    expect(outcomes(a.cq)).toEqual(['1 retryExceeded'])
    expect([a.qp.state, b.qp.state]).toEqual(['error', 'readyToSend'])
  })
})

describe.each(fabrics)('connections on the %s fabric', (_name, makeFabric) => {
  const links = new WeakMap<EventChannel, Link>()

  function world() {
    const both = sides({ fabric: makeFabric() })
    const [near, far] = [both.a, both.b].map(({ device }) => device.createEventChannel())
    for (const channel of [near!, far!]) links.set(channel, both)
    return { both, near: near!, far: far! }
  }

  /** The next event, once messages on their way have come and have been answered. */
  function poll(channel: EventChannel) {
    for (let round = 0; round < 4; round++) links.get(channel)!.run()
    return channel.poll()
  }

  const text = (value: string): Uint8Array => new TextEncoder().encode(value)
  const read = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

  /** A client that has found its way, and what listens at the other side. */
  function resolved({ both, near, far }: ReturnType<typeof world>, port = 7471) {
    const server = both.b.device.createConnectionIdentifier(far)
    server.bindAddress(7471)
    server.listen(1)
    const client = both.a.device.createConnectionIdentifier(near)
    client.resolveAddress({ globalIdentifier: both.b.device.globalIdentifier, port })
    expect(take(near)).toBe('addressResolved')
    client.resolveRoute()
    expect(take(near)).toBe('routeResolved')
    return { server, client }
  }

  function take(channel: EventChannel): string | undefined {
    const event = poll(channel)
    event?.acknowledge()
    return event?.name
  }

  function queuesOf({ cq }: { cq: Link['a']['cq'] }) {
    return { sendQueue: cq, receiveQueue: cq }
  }

  test('case 41: connect, accept, talk, disconnect', () => {
    const scene = world()
    const { both, near, far } = scene
    const { client, server } = resolved(scene)
    const qa = client.createQueuePair(both.a.domain, queuesOf(both.a))
    expect(qa.state).toBe('init')
    client.connect({ privateData: text('hello'), initiatorDepth: 8 })
    const request = poll(far)!
    expect(request).toMatchObject({ name: 'connectRequest', listener: server, initiatorDepth: 16 })
    expect(read(request.privateData)).toBe('hello')
    const accepted = request.id
    const qb = accepted.createQueuePair(both.b.domain, queuesOf(both.b))
    qb.postReceive({ workRequestId: 70, segments: [part(both.b, 0, 64)] })
    accepted.accept({ responderResources: 4, privateData: text('welcome') })
    const established = poll(near)!
    expect(established).toMatchObject({ name: 'established', initiatorDepth: 4 })
    expect(read(established.privateData)).toBe('welcome')
    expect(take(far)).toBe('established')
    expect(qa.query().initiatorReadsMax).toBe(4)
    qa.postSend({
      opcode: 'send',
      segments: [part(both.a, 0, 8)],
      signaled: true,
      workRequestId: 1,
    })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 success'])
    expect(outcomes(both.b.cq)).toEqual(['70 success'])
    client.disconnect()
    expect([take(far), take(far)]).toEqual(['disconnected', 'timeWaitExit'])
    expect([take(near), take(near)]).toEqual(['disconnected', 'timeWaitExit'])
    expect([qa.state, qb.state]).toEqual(['error', 'error'])
    expect(() => accepted.destroy()).toThrow(/EBUSY/)
    request.acknowledge()
    established.acknowledge()
    for (const id of [accepted, client, server]) id.destroy()
  })

  test('case 41: reject with private data', () => {
    const scene = world()
    const { near, far, both } = scene
    const { client } = resolved(scene)
    client.createQueuePair(both.a.domain, queuesOf(both.a))
    client.connect()
    poll(far)!.id.reject(text('no room'))
    const rejected = poll(near)!
    expect(rejected).toMatchObject({ name: 'rejected', status: 28 })
    expect(read(rejected.privateData)).toBe('no room')
  })

  test('case 41: nobody listens there; the node does not answer; no such address', () => {
    const scene = world()
    const { near, both } = scene
    const { client } = resolved(scene, 9999)
    client.connect()
    both.b.device.progress()
    expect(poll(near)).toMatchObject({ name: 'rejected', status: 8 })
    both.b.device.setPortState(1, 'down')
    client.connect()
    expect(take(near)).toBe('unreachable')
    const lost = both.a.device.createConnectionIdentifier(near)
    lost.resolveAddress({ localIdentifier: 77, port: 1 })
    expect(take(near)).toBe('addressError')
  })

  test('4.2: in packets, each message takes the time of a datagram', () => {
    const scene = world()
    const { both, near, far } = scene
    const time = (both.fabric as PacketFabric).time as PacketFabric['time'] | undefined
    if (time === undefined) return expect(both.fabric.convey).toBeUndefined()
    const { client } = resolved(scene)
    const start = time.nowNs
    client.createQueuePair(both.a.domain, queuesOf(both.a))
    client.connect()
    both.b.device.progress()
    expect(far.poll()).toBeUndefined()
    const { id } = poll(far)!
    // 256 bytes with 34 of headers and checksums at 12.5 bytes a nanosecond, and 600 on the way.
    expect(time.nowNs - start).toBeCloseTo(600 + 290 / 12.5, 6)
    id.createQueuePair(both.b.domain, queuesOf(both.b))
    id.accept()
    expect([take(near), take(far)]).toEqual(['established', 'established'])
    expect(time.nowNs - start).toBeCloseTo(3 * (600 + 290 / 12.5), 6)
  })

  test('4.2: the backlog bounds what waits, and private data what fits', () => {
    const scene = world()
    const { near, far, both } = scene
    const { client } = resolved(scene)
    expect(() => client.connect({ privateData: new Uint8Array(57) })).toThrow(/EINVAL/)
    client.connect()
    expect(poll(far)?.name).toBe('connectRequest')
    const second = both.a.device.createConnectionIdentifier(near)
    second.resolveAddress({ localIdentifier: 2, port: 7471 })
    take(near)
    second.resolveRoute()
    take(near)
    second.connect()
    both.b.device.progress()
    expect(poll(near)).toMatchObject({ name: 'rejected', id: second, status: 3 })
  })

  test('4.2: listeners of the emitter are called, and events acknowledged for them', () => {
    const scene = world()
    const { near, far, both } = scene
    const names: string[] = []
    near.on('event', ({ name }) => names.push(`near ${name}`))
    far.on('connectRequest', ({ id }) => {
      id.createQueuePair(both.b.domain, queuesOf(both.b))
      id.accept()
    })
    far.on('established', ({ id }) => names.push(`far ${id.state}`))
    const server = both.b.device.createConnectionIdentifier(far)
    server.bindAddress(5)
    server.listen()
    const client = both.a.device.createConnectionIdentifier(near)
    client.createQueuePair(both.a.domain, queuesOf(both.a))
    client.resolveAddress({ localIdentifier: 2, port: 5 })
    client.resolveRoute()
    client.connect()
    for (let round = 0; round < 5; round++) both.run()
    expect(names).toEqual([
      'near addressResolved',
      'near routeResolved',
      'near established',
      'far established',
    ])
    client.destroy()
  })

  test('4.2: datagram services are resolved to a queue pair, a key and an address', () => {
    const scene = world()
    const { near, far, both } = scene
    const server = both.b.device.createConnectionIdentifier(far, 'datagram')
    server.bindAddress(5)
    server.listen()
    const client = both.a.device.createConnectionIdentifier(near, 'datagram')
    const qa = client.createQueuePair(both.a.domain, queuesOf(both.a))
    client.resolveAddress({ localIdentifier: 2, port: 5 })
    client.resolveRoute()
    client.connect()
    take(near)
    take(near)
    const { id } = poll(far)!
    const qb = id.createQueuePair(both.b.domain, queuesOf(both.b))
    qb.postReceive({ workRequestId: 70, segments: [part(both.b, 0, 64)] })
    id.accept()
    const { address, queuePairNumber, queueKey, name } = poll(near)!
    expect({ name, queuePairNumber }).toEqual({ name: 'established', queuePairNumber: qb.number })
    const addressHandle = both.a.domain.createAddressHandle(address!)
    qa.postSend({
      opcode: 'send',
      segments: [part(both.a, 0, 8)],
      destination: { addressHandle, queuePairNumber, queueKey },
    })
    both.run()
    expect(outcomes(both.b.cq)).toEqual(['70 success'])
  })

  test('case 42: multicast', () => {
    const both = sides({ fabric: makeFabric() })
    const gid = Uint8Array.from([0xff, 0x0e, ...Array<number>(12).fill(0), 1, 7])
    const receivers = [both.a, both.b].map((side) => {
      const channel = side.device.createEventChannel()
      links.set(channel, both)
      const id = side.device.createConnectionIdentifier(channel, 'datagram')
      const qp = id.createQueuePair(side.domain, queuesOf(side))
      id.joinMulticast(gid)
      id.joinMulticast(gid)
      const event = poll(channel)!
      expect(event).toMatchObject({
        name: 'multicastJoin',
        queueKey: DATAGRAM_QUEUE_KEY,
        queuePairNumber: 0xffffff,
      })
      event.acknowledge()
      take(channel)
      for (const index of [0, 1, 2])
        qp.postReceive({ workRequestId: index, segments: [part(side, 1024, 104)] })
      return { side, id, qp, address: event.address! }
    })
    const sender = both.a.domain.createQueuePair({
      ...queuesOf(both.a),
      service: 'unreliableDatagram',
    })
    sender.modify({ state: 'init', port: 1, partitionKeyIndex: 0, queueKey: 5 })
    sender.modify({ state: 'readyToReceive' })
    sender.modify({ state: 'readyToSend', sendPacketSequenceNumber: 0 })
    const addressHandle = both.a.domain.createAddressHandle(receivers[0]!.address)
    const destination = { addressHandle, queuePairNumber: 0xffffff, queueKey: DATAGRAM_QUEUE_KEY }
    const sent = fill(both.a, 0, 64, 9)
    const send = (): void => {
      sender.postSend({ opcode: 'send', segments: [part(both.a, 0, 64)], destination })
      both.run()
    }
    send()
    for (const { side } of receivers) {
      expect(pollAll(side.cq)).toMatchObject([
        { status: 0, bytes: 104, hasGlobalRouteHeader: true },
      ])
      expect(peek(side, 1064, 64)).toEqual(sent)
    }
    const [first, second] = receivers as [(typeof receivers)[0], (typeof receivers)[0]]
    expect(() => first.qp.destroy()).toThrow(/EBUSY/)
    first.id.leaveMulticast(gid)
    send()
    expect(outcomes(first.side.cq)).toEqual([])
    expect(outcomes(second.side.cq)).toEqual(['1 success'])
  })
})
