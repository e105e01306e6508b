import { describe, expect, test } from 'vitest'

import { directFabric } from '../../src/fabric/direct.js'
import { Hca } from '../../src/hca/hca.js'
import { enterError } from '../../src/hca/queue-pair/error-state.js'
import { Access } from '../../src/verbs/access.js'
import { Send } from '../../src/verbs/work-request.js'
import { FLUSHED } from '../../src/wire/completion-status.js'
import {
  ALL_RIGHTS,
  connectByHand,
  hosts,
  outcomes,
  pair,
  pollAll,
  readBytes,
  toInit,
  toReadyToReceive,
  toReadyToSend,
  write,
} from './pair.js'
import type { Host } from './pair.js'

/** The rows of the fault table in the verbs reference, by their numbers. */
describe('fault', () => {
  type Pair = ReturnType<typeof pair>

  /** WRITEs 8 bytes to `address` under `key`, and gives what the requester sees. */
  function writeTo({ a, qa }: Pair, address: number, key: number): string[] {
    qa.write(a.buffer.address, 8, a.buffer.localKey, address, key, 1, Send.none)
    return outcomes(a.cq)
  }

  function states({ qa, qb }: Pair): string[] {
    return [qa.state, qb.state]
  }

  test('F1 remote key unknown: remote access error, both ends in error', () => {
    const both = pair()
    const { b } = both
    expect(writeTo(both, b.buffer.address, b.buffer.remoteKey + 0x1000)).toEqual([
      '1 remoteAccessError',
    ])
    expect(states(both)).toEqual(['error', 'error'])
    expect(both.qa.firstError?.cause).toBe('the remote key names no valid region of the peer')
    expect(both.qb.firstError?.cause).toBe('the remote key names no valid region of the peer')
  })

  test('F1 remote key stale: the next variant of the same entry is another key', () => {
    const both = pair()
    const { b } = both
    const stale = b.buffer.remoteKey
    b.buffer.deregister()
    let fresh = b.domain.register(b.buffer.address, 64, ALL_RIGHTS)
    while (fresh.remoteKey >>> 8 !== stale >>> 8) {
      fresh = b.domain.register(b.buffer.address, 64, ALL_RIGHTS)
    }
    expect(fresh.remoteKey).not.toBe(stale)
    expect(writeTo(both, b.buffer.address, stale)).toEqual(['1 remoteAccessError'])
  })

  test('F1 remote key of another domain: remote access error', () => {
    const both = pair()
    const other = both.b.device.allocateProtectionDomain()
    const region = other.register(both.b.buffer.address, 64, ALL_RIGHTS)
    expect(writeTo(both, region.address, region.remoteKey)).toEqual(['1 remoteAccessError'])
    expect(both.qa.firstError?.cause).toBe('the remote region belongs to another protection domain')
  })

  test.each([
    ['exact fit', 4088, 'success'],
    ['one byte beyond', 4089, 'remoteAccessError'],
    ['one byte before', -1, 'remoteAccessError'],
    ['around the end of the address space', 2 ** 32 - 4, 'remoteAccessError'],
  ])('F2 range with %s', (_, offset, status) => {
    const both = pair()
    const { buffer } = both.b
    const address = offset > 2 ** 31 ? offset : buffer.address + offset
    const { a, qa } = both
    qa.write(a.buffer.address, 8, a.buffer.localKey, address, buffer.remoteKey, 1, Send.signaled)
    expect(outcomes(a.cq)).toEqual([`1 ${status}`])
  })

  test('F3 region lacks the right: remote access error', () => {
    const both = pair()
    const { domain, buffer } = both.b
    const region = domain.register(buffer.address, 64, Access.remoteRead)
    expect(writeTo(both, region.address, region.remoteKey)).toEqual(['1 remoteAccessError'])
    expect(both.qa.firstError?.cause).toBe('the remote region lacks the right')
  })

  test('F3 region without remote rights: it has no remote key', () => {
    const { b } = pair()
    expect(b.domain.register(b.buffer.address, 64, Access.localWrite).remoteKey).toBe(0)
  })

  test('F4 queue pair lacks the right: remote invalid request', () => {
    const both = pair()
    both.qb.modify({ access: Access.remoteWrite })
    const { a, b, qa } = both
    qa.read(
      a.buffer.address,
      8,
      a.buffer.localKey,
      b.buffer.address,
      b.buffer.remoteKey,
      1,
      Send.none,
    )
    expect(outcomes(a.cq)).toEqual(['1 remoteInvalidRequest'])
    expect(states(both)).toEqual(['error', 'error'])
  })

  test('F8 message longer than the receive: length error there, invalid request here', () => {
    const both = pair()
    const { a, b, qa } = both
    b.srq.receive(b.buffer.address, 7, b.buffer.localKey, 70)
    qa.send(a.buffer.address, 8, a.buffer.localKey, 1, Send.none)
    expect(outcomes(a.cq)).toEqual(['1 remoteInvalidRequest'])
    expect(outcomes(b.cq)).toEqual(['70 localLengthError'])
    expect(states(both)).toEqual(['error', 'error'])
    expect(both.qb.firstError).toMatchObject({ workRequestId: 70, status: 'localLengthError' })
  })

  test.each<[string, (host: Host) => { address: number; key: number }]>([
    ['unknown key', ({ buffer }) => ({ address: buffer.address, key: 0 })],
    ['out of bounds', ({ buffer }) => ({ address: buffer.address - 1, key: buffer.localKey })],
    [
      'another domain',
      ({ device, buffer }) => ({
        address: buffer.address,
        key: device.allocateProtectionDomain().register(buffer.address, 64, ALL_RIGHTS).localKey,
      }),
    ],
  ])('F9 local segment with %s: local protection error, the peer goes on', (_, segmentOf) => {
    const both = pair()
    const { address, key } = segmentOf(both.a)
    both.b.srq.receive(both.b.buffer.address, 64, both.b.buffer.localKey, 70)
    both.qa.send(address, 8, key, 1, Send.none)
    expect(outcomes(both.a.cq)).toEqual(['1 localProtectionError'])
    expect(outcomes(both.b.cq)).toEqual([])
    expect(states(both)).toEqual(['error', 'readyToSend'])
  })

  test('F9 READ into a region without local write: local protection error', () => {
    const { a, b, qa } = pair()
    const region = a.domain.register(a.buffer.address, 64, Access.none)
    qa.read(region.address, 8, region.localKey, b.buffer.address, b.buffer.remoteKey, 1, Send.none)
    expect(outcomes(a.cq)).toEqual(['1 localProtectionError'])
    expect(qa.firstError?.cause).toBe('the region lacks the right')
  })

  test('F10 receive names memory that cannot be written: operation error here, protection error there', () => {
    const both = pair()
    const { a, b, qa } = both
    const region = b.domain.register(b.buffer.address, 64, Access.none)
    b.srq.receive(region.address, 64, region.localKey, 70)
    qa.send(a.buffer.address, 8, a.buffer.localKey, 1, Send.none)
    expect(outcomes(a.cq)).toEqual(['1 remoteOperationError'])
    expect(outcomes(b.cq)).toEqual(['70 localProtectionError'])
    expect(states(both)).toEqual(['error', 'error'])
  })

  test('F13 no receive posted: stalls until there is one', () => {
    const both = pair()
    const { a, b, qa, memory } = both
    write(memory, a.buffer.address, [1, 2, 3])
    qa.send(a.buffer.address, 3, a.buffer.localKey, 1, Send.signaled)
    expect(outcomes(a.cq)).toEqual([])
    expect(states(both)).toEqual(['readyToSend', 'readyToSend'])
    b.srq.receive(b.buffer.address, 64, b.buffer.localKey, 70)
    expect(outcomes(a.cq)).toEqual(['1 success'])
    expect(outcomes(b.cq)).toEqual(['70 success'])
    expect(readBytes(memory, b.buffer.address, 3)).toEqual([1, 2, 3])
  })

  test('F13 several senders wait: each receive wakes one, first come first served', () => {
    const all = hosts(4)
    const target = all[0]!
    const order: number[] = []
    for (const sender of [2, 3, 1]) {
      const { device, buffer } = all[sender]!
      const queuePair = device.connect(0)!
      for (let id = 0; id < 2; id++)
        queuePair.send(buffer.address, 4, buffer.localKey, id, Send.none)
    }
    for (let count = 0; count < 6; count++) {
      target.srq.receive(target.buffer.address, 64, target.buffer.localKey, count)
      for (const host of all) order.push(...pollAll(host.cq).map(({ source }) => source))
      for (const { source } of pollAll(target.cq)) order.push(source)
    }
    expect(order).toEqual([2, 3, 1, 2, 3, 1])
  })

  test('F13 a sender that was woken and cannot take the receive passes it on, also to its own neighbour', () => {
    const [target, first, second] = hosts(3) as [Host, Host, Host]
    const broken = first.device.connect(0)!
    const receivers = { sendQueue: target.cq, receiveQueue: target.cq }
    const neighbour = first.domain.createQueuePair({ sendQueue: first.cq, receiveQueue: first.cq })
    const its = target.domain.createQueuePair({ ...receivers, sharedReceiveQueue: target.srq })
    neighbour.modify(toInit)
    its.modify(toInit)
    neighbour.modify(toReadyToReceive(target.device.localIdentifier, its.number))
    its.modify(toReadyToReceive(first.device.localIdentifier, neighbour.number))
    neighbour.modify(toReadyToSend)
    its.modify(toReadyToSend)
    const { buffer } = first
    broken.send(buffer.address, 4, buffer.localKey, 1, Send.signaled)
    neighbour.send(buffer.address, 4, buffer.localKey, 2, Send.signaled)
    const last = second.device.connect(0)!
    last.send(second.buffer.address, 4, second.buffer.localKey, 3, Send.signaled)
    const receive = (): void =>
      void target.srq.receive(target.buffer.address, 64, target.buffer.localKey, 70)
    receive()
    // As a peer's thread does it: the owner finds it when it makes progress.
    enterError(new Hca(first.memory, 1, directFabric), broken.address, FLUSHED, 0, 0)
    first.device.progress()
    expect(first.device.hasWork, 'nobody rings for what is its own').toBe(false)
    expect(outcomes(first.cq).sort()).toEqual(['1 flushed', '2 success'])
    expect(outcomes(second.cq)).toEqual([])
    receive()
    expect(outcomes(second.cq)).toEqual(['3 success'])
  })

  test('F14 peer in the error state: retry exceeded', () => {
    const both = pair()
    both.qb.modify({ state: 'error' })
    expect(writeTo(both, both.b.buffer.address, both.b.buffer.remoteKey)).toEqual([
      '1 retryExceeded',
    ])
  })

  test('F14 peer destroyed: retry exceeded, also for a request that waits', () => {
    const { a, qa, qb } = pair()
    qa.send(a.buffer.address, 8, a.buffer.localKey, 1, Send.none)
    qa.send(a.buffer.address, 8, a.buffer.localKey, 2, Send.none)
    qb.destroy()
    expect(outcomes(a.cq)).toEqual(['1 retryExceeded', '2 flushed'])
    expect(qa.state).toBe('error')
  })

  test('F14 peer destroyed and its block used again: the stranger gets nothing', () => {
    const { a, b, qa, qb } = pair()
    b.srq.receive(b.buffer.address, 64, b.buffer.localKey, 70)
    const { address } = qb
    qb.destroy()
    const stranger = b.device.connect(1)!
    expect(stranger.address).toBe(address)
    expect(stranger.number).not.toBe(qb.number)
    qa.send(a.buffer.address, 8, a.buffer.localKey, 1, Send.none)
    expect(outcomes(a.cq)).toEqual(['1 retryExceeded'])
    expect(b.srq.available).toBe(1)
  })

  test('F28 completion queue overrun at the peer: its queue pair breaks, the sender is told', () => {
    const both = pair()
    const { a, b, qa, qb } = both
    const capacity = b.cq.entries
    for (let id = 0; id <= capacity; id++) {
      b.srq.receive(b.buffer.address, 64, b.buffer.localKey, id)
      qa.sendInline(a.buffer.address, 4, 0, 0, id, Send.signaled)
      expect(pollAll(a.cq)).toHaveLength(1)
      if (b.cq.overrun) break
    }
    for (let id = 0; !b.cq.overrun; id++) {
      b.srq.receive(b.buffer.address, 64, b.buffer.localKey, id)
      qa.sendInline(a.buffer.address, 4, 0, 0, id, Send.none)
    }
    expect(qb.state).toBe('error')
    expect(pollAll(a.cq).at(-1)?.statusName).toBe('remoteOperationError')
  })

  test('F29 modify to error: what waits is flushed in order, and what is posted later', () => {
    const { a, qa } = pair()
    for (let id = 1; id <= 3; id++) qa.send(a.buffer.address, 8, a.buffer.localKey, id, Send.none)
    qa.modify({ state: 'error' })
    qa.send(a.buffer.address, 8, a.buffer.localKey, 4, Send.none)
    expect(outcomes(a.cq)).toEqual(['1 flushed', '2 flushed', '3 flushed', '4 flushed'])
  })

  test('F29 receives of an own receive queue are flushed in order, on a peer error too', () => {
    const [a, b] = hosts(2) as [Host, Host]
    const { qa, qb } = connectByHand(a, b)
    for (let id = 1; id <= 3; id++) qb.receive(b.buffer.address, 4, b.buffer.localKey, id)
    qa.send(a.buffer.address, 8, a.buffer.localKey, 9, Send.none)
    expect(outcomes(b.cq)).toEqual(['1 localLengthError', '2 flushed', '3 flushed'])
    qb.receive(b.buffer.address, 4, b.buffer.localKey, 4)
    expect(outcomes(b.cq)).toEqual(['4 flushed'])
  })

  test('F30 modify to reset: requests and unpolled completions vanish', () => {
    const { a, b, qa } = pair()
    b.srq.receive(b.buffer.address, 64, b.buffer.localKey, 70)
    qa.send(a.buffer.address, 8, a.buffer.localKey, 1, Send.signaled)
    qa.send(a.buffer.address, 8, a.buffer.localKey, 2, Send.signaled)
    qa.modify({ state: 'reset' })
    expect(outcomes(a.cq)).toEqual([])
    b.srq.receive(b.buffer.address, 64, b.buffer.localKey, 71)
    expect(outcomes(a.cq)).toEqual([])
    expect(outcomes(b.cq)).toEqual(['70 success'])
  })

  test('F39 WRITE with immediate and no receive: nothing is written before there is one', () => {
    const { a, b, qa, memory } = pair()
    write(memory, a.buffer.address, [7, 7])
    const { address, remoteKey, localKey } = b.buffer
    qa.writeWithImmediate(
      a.buffer.address,
      2,
      a.buffer.localKey,
      address,
      remoteKey,
      0xfeedbeef,
      1,
      0,
    )
    expect(readBytes(memory, address, 2)).toEqual([0, 0])
    b.srq.receive(address + 64, 8, localKey, 70)
    expect(outcomes(a.cq)).toEqual([])
    expect(readBytes(memory, address, 2)).toEqual([7, 7])
    const [completion] = pollAll(b.cq)
    expect(completion).toMatchObject({ workRequestId: 70, bytes: 2, immediate: 0xfeedbeef })
    expect(completion?.opcodeName).toBe('receiveWithImmediate')
    expect(completion?.hasImmediate).toBe(true)
  })

  test('F40 WRITE with immediate and a bad key: both sides see an access error', () => {
    const { a, b, qa } = pair()
    b.srq.receive(b.buffer.address, 8, b.buffer.localKey, 70)
    qa.writeWithImmediate(a.buffer.address, 2, a.buffer.localKey, b.buffer.address, 0, 5, 1, 0)
    expect(outcomes(a.cq)).toEqual(['1 remoteAccessError'])
    expect(outcomes(b.cq)).toEqual(['70 localAccessError'])
  })

  test('F43 unsignaled requests fill the send queue for good', () => {
    const { a, b, qa } = pair({ sendEntries: 4 })
    const post = (id: number, flags: number) => {
      b.srq.receive(b.buffer.address, 8, b.buffer.localKey, id)
      return qa.send(a.buffer.address, 8, a.buffer.localKey, id, flags)
    }
    expect([1, 2, 3, 4, 5].map((id) => post(id, Send.none))).toEqual([0, 0, 0, 0, 1])
    expect(outcomes(a.cq)).toEqual([])
    expect(post(6, Send.none)).toBe(1)
  })

  test('F43 one signaled request in a queue full frees them all when it is polled', () => {
    const { a, b, qa } = pair({ sendEntries: 4 })
    for (let id = 0; id < 40; id++) {
      b.srq.receive(b.buffer.address, 8, b.buffer.localKey, id)
      const flags = id % 4 === 3 ? Send.signaled : Send.none
      expect(qa.send(a.buffer.address, 8, a.buffer.localKey, id, flags)).toBe(0)
      expect(outcomes(a.cq)).toEqual(id % 4 === 3 ? [`${id} success`] : [])
    }
  })
})
