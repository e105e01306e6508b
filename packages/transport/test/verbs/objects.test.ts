import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { WorldMemory } from '../../src/memory/world-memory.js'
import { Access } from '../../src/verbs/access.js'
import { COMPLETION_QUEUE_ENTRIES_MAX } from '../../src/verbs/completion-queue.js'
import { Device } from '../../src/verbs/device.js'
import { WorkCompletion } from '../../src/verbs/work-completion.js'
import { Send } from '../../src/verbs/work-request.js'
import { ALL_RIGHTS, hosts, outcomes, pair, readBytes, write } from './pair.js'
import type { Host } from './pair.js'

describe('Device', () => {
  test('open refuses an HCA that does not exist, or is open', () => {
    const [host] = hosts(1) as [Host]
    expect(() => Device.open(host.memory, 1)).toThrow(/EINVAL/)
    expect(() => Device.open(host.memory, 0)).toThrow(/EBUSY/)
    host.device.close()
    expect(Device.open(host.memory, 0).index).toBe(0)
  })

  test('connect gives both sides the two ends of one pair, whoever asks first', () => {
    const [a, b, c] = hosts(3) as [Host, Host, Host]
    const qa = a.device.connect(1)!
    const qb = b.device.connect(0)!
    expect(qa.state).toBe('readyToSend')
    expect(a.device.connect(1)).toBe(qa)
    expect(b.device.findQueuePair(0)).toBe(qb)
    expect(qa.query().destinationQueuePairNumber).toBe(qb.number)
    expect(qb.query().destinationQueuePairNumber).toBe(qa.number)
    expect(c.device.findQueuePair(0)).toBeUndefined()
  })

  test('connect to itself sends to itself', () => {
    const [a] = hosts(1) as [Host]
    const queuePair = a.device.connect(0)!
    write(a.memory, a.buffer.address, [4, 5])
    a.srq.receive(a.buffer.address + 64, 8, a.buffer.localKey, 70)
    queuePair.send(a.buffer.address, 2, a.buffer.localKey, 1, Send.signaled)
    expect(outcomes(a.cq)).toEqual(['70 success', '1 success'])
    expect(readBytes(a.memory, a.buffer.address + 64, 2)).toEqual([4, 5])
    queuePair.send(a.buffer.address, 2, a.buffer.localKey, 2, Send.signaled)
    a.srq.receive(a.buffer.address + 64, 1, a.buffer.localKey, 71)
    expect(outcomes(a.cq)).toEqual(['71 localLengthError', '2 remoteInvalidRequest'])
  })

  test('connect waits for the peer to listen', () => {
    const [a, b] = hosts(2) as [Host, Host]
    b.device.close()
    expect(a.device.connect(1)).toBeUndefined()
    expect(() => a.device.connect(2)).toThrow(/EINVAL/)
  })

  test('connect after an error makes a new pair', () => {
    const { a, b, qa, qb } = pair()
    qa.modify({ state: 'error' })
    qb.modify({ state: 'error' })
    const again = a.device.connect(1)!
    expect(again).not.toBe(qa)
    b.srq.receive(b.buffer.address, 8, b.buffer.localKey, 70)
    again.sendInline(a.buffer.address, 4, 0, 0, 1, Send.signaled)
    expect(outcomes(a.cq)).toEqual(['1 success'])
  })
})

describe('objects', () => {
  test('are busy while others need them', () => {
    const { a, b, qa, qb } = pair()
    expect(() => a.cq.destroy()).toThrow(/EBUSY/)
    expect(() => a.srq.destroy()).toThrow(/EBUSY/)
    a.device.close()
    b.device.close()
    qa.destroy()
    qb.destroy()
    expect(() => a.domain.deallocate()).toThrow(/EBUSY/)
    a.cq.destroy()
    a.srq.destroy()
    a.buffer.deregister()
    a.domain.deallocate()
    a.domain.deallocate()
    expect(qa.destroyed).toBe(true)
    expect(() => qa.query()).toThrow(/EINVAL/)
  })

  test('give all their memory back', () => {
    const { a, b, memory } = pair()
    const cycle = () => {
      const queuePair = a.device.connect(1)!
      queuePair.destroy()
      b.device.findQueuePair(0)!.destroy()
      const own = a.domain.createQueuePair({ sendQueue: a.cq, receiveQueue: a.cq })
      own.destroy()
      a.domain.register(a.buffer.address, 8, ALL_RIGHTS).deregister()
      a.domain.createSharedReceiveQueue({ entries: 4 }).destroy()
      a.device.createCompletionQueue({ entries: 4 }).destroy()
      a.device.allocateProtectionDomain().deallocate()
    }
    for (let round = 0; round < 20; round++) cycle()
    const { usedBytes } = memory.heap
    for (let round = 0; round < 100; round++) cycle()
    expect(memory.heap.usedBytes).toBe(usedBytes)
  })

  test.each([0, -1, 1.5, COMPLETION_QUEUE_ENTRIES_MAX + 1])(
    'a completion queue of %d is refused',
    (entries) => {
      const [{ device }] = hosts(1) as [Host]
      expect(() => device.createCompletionQueue({ entries })).toThrow(/EINVAL/)
    },
  )

  test('a completion queue holds at least what was asked for', () => {
    const [{ device }] = hosts(1) as [Host]
    for (const entries of [1, 2, 8, 9, 100]) {
      expect(device.createCompletionQueue({ entries }).entries).toBeGreaterThanOrEqual(entries)
    }
  })

  test.each([
    { sendEntries: 0 },
    { segmentsMax: 17 },
    { inlineBytesMax: 481 },
    { receiveEntries: 0 },
  ])('a queue pair with %o is refused', (capacity) => {
    const [{ domain, cq }] = hosts(1) as [Host]
    const options = { sendQueue: cq, receiveQueue: cq, ...capacity }
    expect(() => domain.createQueuePair(options)).toThrow(/EINVAL/)
  })
})

describe('MemoryRegion', () => {
  test.each([Access.remoteWrite, Access.remoteAtomic, Access.remoteAtomic | Access.remoteRead])(
    'with access %i and no local write is refused',
    (access) => {
      const [{ domain, buffer }] = hosts(1) as [Host]
      expect(() => domain.register(buffer.address, 8, access)).toThrow(/EINVAL/)
    },
  )

  test('outside the memory is refused', () => {
    const [{ domain, memory }] = hosts(1) as [Host]
    const end = memory.byteLength
    expect(() => domain.register(end - 8, 9, Access.none)).toThrow(/EINVAL/)
    expect(() => domain.register(-1, 8, Access.none)).toThrow(/EINVAL/)
    expect(domain.register(end - 8, 8, Access.none).bytes).toBe(8)
  })

  test('keys are different while regions live, and old keys stay stale for long', () => {
    const steps = fc.array(fc.record({ add: fc.boolean(), index: fc.nat(40) }), { maxLength: 120 })
    fc.assert(
      fc.property(steps, (sequence) => {
        const [{ domain, buffer }] = hosts(1) as [Host]
        const live = [buffer]
        const keys = new Set([buffer.localKey])
        for (const { add, index } of sequence) {
          if (add) {
            const region = domain.register(buffer.address, 8, ALL_RIGHTS)
            expect(keys.has(region.localKey)).toBe(false)
            keys.add(region.localKey)
            live.push(region)
          } else {
            live.splice(index % (live.length + 1), 1)[0]?.deregister()
          }
        }
      }),
    )
  })

  test('thousands may be registered', () => {
    const { a, b, qa, memory } = pair()
    const regions = Array.from({ length: 5000 }, () =>
      b.domain.register(b.buffer.address, 8, ALL_RIGHTS),
    )
    write(memory, b.buffer.address, [3])
    for (const { address, remoteKey } of [regions[0]!, regions[15]!, regions[4999]!]) {
      qa.read(a.buffer.address, 1, a.buffer.localKey, address, remoteKey, 1, Send.signaled)
      expect(outcomes(a.cq)).toEqual(['1 success'])
    }
  })
})

describe('QueuePair', () => {
  test('takes inline data at the post call, from anywhere', () => {
    const { a, b, qa, memory } = pair({ inlineBytesMax: 32 })
    const plain = memory.heap.allocate(64)
    write(memory, plain, [1, 2, 3, 4])
    qa.sendInline(plain, 2, plain + 2, 2, 1, Send.none)
    write(memory, plain, [9, 9, 9, 9])
    b.srq.receive(b.buffer.address, 8, b.buffer.localKey, 70)
    a.device.progress()
    expect(readBytes(memory, b.buffer.address, 4)).toEqual([1, 2, 3, 4])
    expect(qa.sendInline(plain, 30, plain, 3, 2, Send.none)).toBe(2)
  })

  test('refuses misuse of the object forms', () => {
    const { a, qa } = pair({ inlineBytesMax: 8, segmentsMax: 1 })
    const segment = { address: a.buffer.address, bytes: 9, localKey: a.buffer.localKey }
    expect(() => qa.postSend({ opcode: 'send', segments: [segment], inline: true })).toThrow(
      /EINVAL/,
    )
    expect(() => qa.postSend({ opcode: 'send', segments: [segment, segment] })).toThrow(/EINVAL/)
    expect(() => qa.postSend({ opcode: 'rdmaRead', inline: true })).toThrow(/EINVAL/)
    expect(() => qa.postReceive({ segments: [] })).toThrow(/EINVAL/)
    expect(qa.sendTwo(0, 0, 0, 0, 0, 0, 1, Send.none)).toBe(2)
  })

  test('takes nothing once it is destroyed', () => {
    const { a, qa } = pair()
    qa.destroy()
    const { address, localKey } = a.buffer
    expect(qa.send(address, 8, localKey, 1, Send.none)).toBe(2)
    expect(qa.receive(address, 8, localKey, 1)).toBe(2)
    expect(() => qa.postSend({ opcode: 'send' })).toThrow(/EINVAL/)
    expect(qa.state).toBe('reset')
  })

  test('moves nothing for empty messages, whatever the keys', () => {
    const { a, b, qa } = pair()
    qa.write(0, 0, 99, 0, 99, 1, Send.signaled)
    qa.read(0, 0, 99, 0, 99, 2, Send.signaled)
    b.srq.receive(0, 0, 99, 70)
    qa.send(0, 0, 99, 3, Send.signaled)
    expect(outcomes(a.cq)).toEqual(['1 success', '2 success', '3 success'])
    expect(outcomes(b.cq)).toEqual(['70 success'])
  })

  test('send with immediate brings 32 bits', () => {
    const { a, b, qa } = pair()
    b.srq.receive(b.buffer.address, 8, b.buffer.localKey, 70)
    qa.sendWithImmediate(a.buffer.address, 1, a.buffer.localKey, 0xdeadbeef, 1, Send.none)
    const completion = { immediate: 0xdeadbeef, hasImmediate: true }
    const [received] = [b.cq].flatMap((cq) => {
      const all = [new WorkCompletion()]
      expect(cq.poll(all)).toBe(1)
      return all
    })
    expect(received).toMatchObject(completion)
  })

  test('works where addresses do not fit 31 bits', () => {
    const memory = WorldMemory.create({ bytes: 2 ** 32 })
    memory.heap.allocate(2.5 * 2 ** 30)
    const [a, b] = hosts(2, {}, 16, memory) as [Host, Host]
    expect(a.buffer.address).toBeGreaterThan(2 ** 31)
    const queuePair = a.device.connect(1)!
    const { address, localKey, remoteKey } = b.buffer
    write(memory, a.buffer.address, [1, 2, 3])
    queuePair.send(a.buffer.address, 3, a.buffer.localKey, 1, Send.signaled)
    b.srq.receive(address, 8, localKey, 70)
    queuePair.write(
      a.buffer.address,
      3,
      a.buffer.localKey,
      address + 8,
      remoteKey,
      2,
      Send.signaled,
    )
    queuePair.read(a.buffer.address + 8, 2, a.buffer.localKey, address, remoteKey, 3, Send.signaled)
    expect(outcomes(a.cq)).toEqual(['1 success', '2 success', '3 success'])
    expect(outcomes(b.cq)).toEqual(['70 success'])
    expect(readBytes(memory, address + 8, 3)).toEqual([1, 2, 3])
    expect(readBytes(memory, a.buffer.address + 8, 2)).toEqual([1, 2])
    expect(a.device.map(queuePair, address, 64, remoteKey, ALL_RIGHTS)?.valid()).toBe(true)
    b.buffer.deregister()
    queuePair.write(a.buffer.address, 3, a.buffer.localKey, address, remoteKey, 4, Send.none)
    expect(outcomes(a.cq)).toEqual(['4 remoteAccessError'])
    queuePair.destroy()
  })

  test('keeps all 32 bits of a work request id', () => {
    const { a, b, qa } = pair()
    b.srq.receive(b.buffer.address, 8, b.buffer.localKey, 0xffff_fffe)
    qa.send(a.buffer.address, 1, a.buffer.localKey, 0xffff_ffff, Send.signaled)
    expect(outcomes(a.cq)).toEqual(['4294967295 success'])
    expect(outcomes(b.cq)).toEqual(['4294967294 success'])
  })
})
