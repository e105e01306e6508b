import { describe, expect, test } from 'vitest'

import { Access } from '../../src/verbs/access.js'
import type { SendRequest } from '../../src/verbs/work-request.js'
import { outcomes, pollAll } from '../verbs/pair.js'
import {
  bringUp,
  fabrics,
  fill,
  FULL,
  link,
  part,
  peek,
  QUEUE_KEY,
  remote,
  sides,
} from '../verbs/packet-pair.js'
import type { Link, LinkOptions, Side } from '../verbs/packet-pair.js'

describe.each(fabrics)('sends, RDMA and atomics on the %s fabric', (_, makeFabric) => {
  const make = (options: LinkOptions = {}): Link => link({ fabric: makeFabric(), ...options })

  /** Posts a request at `a` and gives the status names that each side sees. */
  function attempt(both: Link, request: SendRequest): { here: string[]; there: string[] } {
    both.a.qp.postSend({ signaled: true, workRequestId: 1, ...request })
    both.run()
    return { here: outcomes(both.a.cq), there: outcomes(both.b.cq) }
  }

  function states({ a, b }: Link): string[] {
    return [a.qp.state, b.qp.state]
  }

  test('case 25: RC SEND and SEND with immediate arrive whole, the immediate bit-exact', () => {
    const both = make()
    const sent = fill(both.a, 0, 3000, 1)
    both.b.qp.postReceive({ workRequestId: 70, segments: [part(both.b, 0, 4096)] })
    both.b.qp.postReceive({ workRequestId: 71, segments: [part(both.b, 8192, 4096)] })
    const segments = [part(both.a, 0, 3000)]
    both.a.qp.postSend({ opcode: 'send', segments, signaled: true })
    both.a.qp.postSend({
      opcode: 'sendWithImmediate',
      immediate: 0xdeadbeef,
      segments,
      signaled: true,
    })
    both.run()
    const [plain, immediate] = pollAll(both.b.cq)
    expect(plain).toMatchObject({
      status: 0,
      bytes: 3000,
      opcodeName: 'receive',
      hasImmediate: false,
    })
    expect(immediate).toMatchObject({
      status: 0,
      bytes: 3000,
      immediate: 0xdeadbeef,
      hasImmediate: true,
    })
    expect(peek(both.b, 0, 3000)).toEqual(sent)
    expect(peek(both.b, 8192, 3000)).toEqual(sent)
    expect(outcomes(both.a.cq)).toEqual(['0 success', '0 success'])
  })

  test.each(['unreliableConnected'] as const)('case 25: %s carries the same', (service) => {
    const both = make({ service })
    const sent = fill(both.a, 0, 2500, 2)
    both.b.qp.postReceive({ segments: [part(both.b, 0, 4096)] })
    const result = attempt(both, {
      opcode: 'sendWithImmediate',
      immediate: 7,
      segments: [part(both.a, 0, 2500)],
    })
    expect(result).toEqual({ here: ['1 success'], there: ['0 success'] })
    expect(peek(both.b, 0, 2500)).toEqual(sent)
  })

  function datagram(both: Link, options: { global?: boolean; queueKey?: number } = {}) {
    const { global = false, queueKey = QUEUE_KEY } = options
    const addressHandle = both.a.domain.createAddressHandle({
      destinationLocalIdentifier: both.b.device.localIdentifier,
      ...(global
        ? { global: { destinationGlobalIdentifier: both.b.device.globalIdentifier } }
        : {}),
    })
    return { destination: { addressHandle, queuePairNumber: both.b.qp.number, queueKey } }
  }

  test.each([false, true])('case 25: UD SEND with immediate, with a route header %s', (global) => {
    const both = make({ service: 'unreliableDatagram' })
    const sent = fill(both.a, 0, 200, 3)
    both.b.qp.postReceive({ segments: [part(both.b, 0, 1000)] })
    both.a.qp.postSend({
      ...{ opcode: 'sendWithImmediate', immediate: 0x01020304, signaled: true },
      ...datagram(both, { global }),
      segments: [part(both.a, 0, 200)],
    })
    both.run()
    const [received] = pollAll(both.b.cq)
    expect(received).toMatchObject({
      ...{ bytes: 240, immediate: 0x01020304, hasGlobalRouteHeader: global },
      ...{ sourceQueuePairNumber: both.a.qp.number, sourceLocalIdentifier: 1 },
    })
    expect(peek(both.b, 40, 200)).toEqual(sent)
    if (global) expect(peek(both.b, 24, 16)).toEqual([...both.b.device.globalIdentifier])
    expect(outcomes(both.a.cq)).toEqual(['0 success'])
  })

  test('F16: UD with a wrong queue key is dropped, counted, and a success for the sender', () => {
    const both = make({ service: 'unreliableDatagram' })
    both.b.qp.postReceive({ segments: [part(both.b, 0, 1000)] })
    const request = { opcode: 'send', segments: [part(both.a, 0, 8)] } as const
    expect(attempt(both, { ...request, ...datagram(both, { queueKey: 5 }) })).toEqual({
      here: ['1 success'],
      there: [],
    })
    expect(both.b.device.queryPort(1).queueKeyViolationCount).toBe(1)
  })

  test.each(['unreliableDatagram', 'unreliableConnected'] as const)(
    'F17: %s without a receive is dropped, and a success for the sender',
    (service) => {
      const both = make({ service })
      const to = service === 'unreliableDatagram' ? datagram(both) : {}
      expect(attempt(both, { opcode: 'send', segments: [part(both.a, 0, 8)], ...to })).toEqual({
        here: ['1 success'],
        there: [],
      })
      expect(states(both)).toEqual(['readyToSend', 'readyToSend'])
    },
  )

  test('F19: UD longer than the MTU is a local length error, and SQE', () => {
    const both = make({ service: 'unreliableDatagram' })
    const request = {
      opcode: 'send',
      segments: [part(both.a, 0, 4097)],
      ...datagram(both),
    } as const
    expect(attempt(both, request).here).toEqual(['1 localLengthError'])
    expect(states(both)).toEqual(['sendError', 'readyToSend'])
  })

  test('case 26: nothing is moved by empty UD and RC requests, whatever the remote key', () => {
    const both = make()
    const bogus = { remoteAddress: 1, remoteKey: 0xbad }
    expect(attempt(both, { opcode: 'rdmaWrite', ...bogus }).here).toEqual(['1 success'])
    expect(attempt(both, { opcode: 'rdmaRead', ...bogus }).here).toEqual(['1 success'])
    both.b.qp.postReceive({ workRequestId: 7 })
    expect(attempt(both, { opcode: 'send' })).toEqual({ here: ['1 success'], there: ['7 success'] })
    const apart = make({ service: 'unreliableDatagram' })
    apart.b.qp.postReceive({ workRequestId: 8, segments: [part(apart.b, 0, 40)] })
    expect(attempt(apart, { opcode: 'send', ...datagram(apart) }).there).toEqual(['8 success'])
  })

  test('case 27: WRITE with immediate uses a receive and leaves its buffers alone', () => {
    const both = make()
    const sent = fill(both.a, 0, 2100, 4)
    both.b.qp.postReceive({ workRequestId: 70, segments: [part(both.b, 32768, 16)] })
    both.a.qp.postSend({
      ...{ opcode: 'rdmaWriteWithImmediate', immediate: 9, ...remote(both.b, 0) },
      segments: [part(both.a, 0, 2100)],
    })
    both.run()
    const [received] = pollAll(both.b.cq)
    expect(received).toMatchObject({ workRequestId: 70, bytes: 2100, immediate: 9 })
    expect(received?.opcodeName).toBe('receiveWithImmediate')
    expect(peek(both.b, 0, 2100)).toEqual(sent)
    expect(peek(both.b, 32768, 16)).toEqual(Array(16).fill(0))
  })

  test('case 28: READ fetches bytes, and the responder sees nothing', () => {
    const both = make()
    const there = fill(both.b, 100, 5000, 5)
    const request = {
      opcode: 'rdmaRead',
      segments: [part(both.a, 0, 5000)],
      ...remote(both.b, 100),
    } as const
    both.a.qp.postSend({ ...request, signaled: true })
    both.run()
    expect(pollAll(both.a.cq)[0]).toMatchObject({ status: 0, bytes: 5000, opcodeName: 'rdmaRead' })
    expect(peek(both.a, 0, 5000)).toEqual(there)
    expect(outcomes(both.b.cq)).toEqual([])
  })

  test.each([
    [
      'F3: the region lacks REMOTE_READ',
      FULL,
      Access.localWrite | Access.remoteWrite,
      'remoteAccessError',
    ],
    ['F4: the queue pair lacks REMOTE_READ', Access.remoteWrite, FULL, 'remoteInvalidRequest'],
  ])('case 28, %s', (_title, access, rights, status) => {
    const both = make({ access })
    const region = both.b.domain.register(both.b.buffer.address, 64, rights)
    const range = { remoteAddress: region.address, remoteKey: region.remoteKey }
    const request = { opcode: 'rdmaRead', segments: [part(both.a, 0, 8)], ...range } as const
    expect(attempt(both, request).here).toEqual([`1 ${status}`])
    expect(states(both)).toEqual(['error', 'error'])
    expect(both.b.device.events.next()?.name).toBe('queuePairAccessError')
  })

  test('case 29: FETCH_ADD returns the old value and wraps at 2^64; COMPARE_SWAP as well', () => {
    const both = make()
    const at = both.b.buffer.address / 8
    both.memory.i64[at] = -2n
    const results = [0, 8, 16, 24].map((offset) => part(both.a, offset, 8))
    const range = remote(both.b, 0)
    both.a.qp.postSend({ opcode: 'fetchAndAdd', operand: 5n, segments: [results[0]!], ...range })
    both.a.qp.postSend({ opcode: 'fetchAndAdd', operand: 1n, segments: [results[1]!], ...range })
    both.a.qp.postSend({
      opcode: 'compareAndSwap',
      compare: 4n,
      operand: 9n,
      segments: [results[2]!],
      ...range,
    })
    both.a.qp.postSend({
      ...{ opcode: 'compareAndSwap', compare: 4n, operand: 1n, segments: [results[3]!] },
      ...{ signaled: true, ...range },
    })
    both.run()
    expect(pollAll(both.a.cq)[0]).toMatchObject({
      status: 0,
      bytes: 8,
      opcodeName: 'compareAndSwap',
    })
    const local = both.a.buffer.address / 8
    expect([...both.memory.i64.subarray(local, local + 4)]).toEqual([-2n, 3n, 4n, 9n])
    expect(both.memory.i64[at]).toBe(9n)
  })

  const misuse: [string, (both: Link) => Partial<SendRequest>, LinkOptions, string][] = [
    [
      'the region lacks REMOTE_ATOMIC (F3)',
      ({ b }) => {
        const region = b.domain.register(
          b.buffer.address,
          64,
          Access.localWrite | Access.remoteWrite,
        )
        return { remoteAddress: region.address, remoteKey: region.remoteKey }
      },
      {},
      'remoteAccessError',
    ],
    [
      'the queue pair lacks REMOTE_ATOMIC (F4)',
      () => ({}),
      { access: Access.remoteWrite },
      'remoteInvalidRequest',
    ],
    ['the address is misaligned (F5)', ({ b }) => remote(b, 4), {}, 'remoteInvalidRequest'],
    [
      'the local key is bad (F9)',
      ({ a }) => ({ segments: [{ ...part(a, 0, 8), localKey: 1 }] }),
      {},
      'localProtectionError',
    ],
    ['the remote key is bad (F1)', () => ({ remoteKey: 0x1234 }), {}, 'remoteAccessError'],
    [
      'the segment is not 8 bytes (F11)',
      ({ a }) => ({ segments: [part(a, 0, 4)] }),
      {},
      'localLengthError',
    ],
  ]
  test.each(misuse)('case 30: an atomic fails where %s', (_title, change, options, status) => {
    const both = make(options)
    const good: SendRequest = {
      opcode: 'fetchAndAdd',
      operand: 1n,
      segments: [part(both.a, 0, 8)],
      ...remote(both.b, 0),
    }
    expect(attempt(both, { ...good, ...change(both) }).here).toEqual([`1 ${status}`])
    expect(both.memory.i64[both.b.buffer.address / 8]).toBe(0n)
    expect(both.a.qp.state).toBe('error')
    expect(both.b.qp.state).toBe(status.startsWith('local') ? 'readyToSend' : 'error')
  })

  test('case 31: inline data are taken at the post call, and their key is not looked at', () => {
    const both = make()
    both.b.qp.postReceive({ segments: [part(both.b, 0, 64)] })
    const sent = fill(both.a, 0, 40, 6)
    both.a.qp.postSend({
      opcode: 'send',
      inline: true,
      segments: [{ ...part(both.a, 0, 40), localKey: 77 }],
    })
    fill(both.a, 0, 40, 7)
    both.run()
    expect(peek(both.b, 0, 40)).toEqual(sent)
  })

  test('case 32: three parts sent, four parts received, at other boundaries', () => {
    const both = make()
    const sent = [
      fill(both.a, 0, 700, 1),
      fill(both.a, 2000, 33, 2),
      fill(both.a, 5000, 1500, 3),
    ].flat()
    const lengths = [500, 1000, 17, 900]
    const offsets = [100, 4000, 8000, 9000]
    both.b.qp.postReceive({
      segments: lengths.map((bytes, index) => part(both.b, offsets[index]!, bytes)),
    })
    both.a.qp.postSend({
      opcode: 'send',
      segments: [part(both.a, 0, 700), part(both.a, 2000, 33), part(both.a, 5000, 1500)],
    })
    both.run()
    expect(pollAll(both.b.cq)[0]?.bytes).toBe(2233)
    const got = lengths.flatMap((bytes, index) => peek(both.b, offsets[index]!, bytes))
    expect(got.slice(0, 2233)).toEqual(sent)
    expect(got.slice(2233)).toEqual(Array(got.length - 2233).fill(0))
  })

  test('case 33: a SEND beyond the receive fails at both sides (F8)', () => {
    const both = make()
    both.b.qp.postReceive({ workRequestId: 70, segments: [part(both.b, 0, 1500)] })
    const result = attempt(both, { opcode: 'send', segments: [part(both.a, 0, 1501)] })
    expect(result).toEqual({ here: ['1 remoteInvalidRequest'], there: ['70 localLengthError'] })
    expect(states(both)).toEqual(['error', 'error'])
    expect(both.b.device.events.next()).toBeUndefined()
  })

  test('case 35: a SEND behind WRITEs says that they are in memory', () => {
    const both = make()
    both.b.qp.postReceive({ segments: [part(both.b, 60000, 16)] })
    const written = Array.from({ length: 16 }, (_unused, index) => {
      const bytes = fill(both.a, index * 2048, 2048, index)
      both.a.qp.postSend({
        opcode: 'rdmaWrite',
        segments: [part(both.a, index * 2048, 2048)],
        ...remote(both.b, index * 2048),
      })
      return bytes
    }).flat()
    both.a.qp.postSend({ opcode: 'send', segments: [part(both.a, 0, 1)] })
    both.run()
    expect(pollAll(both.b.cq)).toHaveLength(1)
    expect(peek(both.b, 0, written.length)).toEqual(written)
  })

  test.each<[string, (side: Side) => { remoteAddress: number | bigint }, string]>([
    [
      'fits exactly',
      ({ buffer }) => ({ remoteAddress: buffer.address + buffer.bytes - 64 }),
      'success',
    ],
    [
      'ends a byte beyond',
      ({ buffer }) => ({ remoteAddress: buffer.address + buffer.bytes - 63 }),
      'remoteAccessError',
    ],
    ['wraps around 2^64', () => ({ remoteAddress: 2n ** 64n - 32n }), 'remoteAccessError'],
    ['wraps around 2^32', () => ({ remoteAddress: 2 ** 32 - 32 }), 'remoteAccessError'],
  ])('case 36: a range that %s', (_title, where, status) => {
    const both = make()
    const { remoteKey } = both.b.buffer
    const request = {
      opcode: 'rdmaWrite',
      segments: [part(both.a, 0, 64)],
      remoteKey,
      ...where(both.b),
    } as const
    expect(attempt(both, request).here).toEqual([`1 ${status}`])
  })

  test('F9: a bad segment at the sender leaves the peer as it was', () => {
    const both = make()
    both.b.qp.postReceive({ segments: [part(both.b, 0, 64)] })
    const segments = [part(both.a, 0, 4), { ...part(both.a, 0, 4), localKey: 5 }]
    expect(attempt(both, { opcode: 'send', segments })).toEqual({
      here: ['1 localProtectionError'],
      there: [],
    })
    expect(states(both)).toEqual(['error', 'readyToSend'])
  })

  test('F14: a peer that was reset, a wrong LID and a wrong number', () => {
    const gone = make()
    gone.b.qp.modify({ state: 'reset' })
    expect(attempt(gone, { opcode: 'send' }).here).toEqual(['1 retryExceeded'])
    for (const toReceive of [
      { destinationQueuePairNumber: 0x999 },
      { destinationLocalIdentifier: 77 },
    ]) {
      const both = sides({ fabric: makeFabric() })
      bringUp(both.b, both.a)
      bringUp(both.a, both.b, { toReceive })
      expect(attempt(both, { opcode: 'send' }).here).toEqual(['1 retryExceeded'])
      expect(states(both)).toEqual(['error', 'readyToSend'])
    }
  })

  test('F15: partition keys that do not match', () => {
    const both = sides({ fabric: makeFabric() })
    both.b.device.setPartitionKey(1, 0, 0x8001)
    bringUp(both.a, both.b)
    bringUp(both.b, both.a)
    expect(attempt(both, { opcode: 'send' }).here).toEqual(['1 retryExceeded'])
    expect(both.b.device.queryPort(1).badPartitionKeyCount).toBeGreaterThan(0)
    expect(states(both)).toEqual(['error', 'readyToSend'])
  })
})
