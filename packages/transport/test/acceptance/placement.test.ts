import { describe, expect, test } from 'vitest'

import { PacketFabric } from '../../src/fabric/packets/packet-fabric.js'
import { startChoices } from '../../src/choice/choice-stream.js'
import { seeded } from '../../src/choice/sources.js'
import { FaultPlan } from '../../src/fabric/faults/fault-plan.js'
import { Access } from '../../src/verbs/access.js'
import type { FlushRequest, SendRequest } from '../../src/verbs/work-request.js'
import { outcomes, pollAll } from '../verbs/pair.js'
import { fabrics, fill, FULL, link, part, peek, remote } from '../verbs/packet-pair.js'
import type { Link } from '../verbs/packet-pair.js'

const { flushGlobal, flushPersistent, localWrite, remoteWrite } = Access
const ALL = FULL | flushGlobal | flushPersistent

/** A flush of the second side's buffer, registered anew with these rights. */
function flushOf(
  both: Link,
  rights: number,
  flush: FlushRequest,
  change: Partial<SendRequest> = {},
) {
  const { address, bytes } = both.b.buffer
  const region = both.b.domain.register(address, bytes, rights)
  both.a.qp.postSend({
    ...{ opcode: 'flush', workRequestId: 1, signaled: true, flush },
    ...{ remoteAddress: region.address, remoteKey: region.remoteKey },
    ...change,
  })
  both.run()
  return region
}

describe.each(fabrics)('case 46: FLUSH on the %s fabric', (_name, makeFabric) => {
  const make = (access = ALL): Link => link({ fabric: makeFabric(), access })

  test.each<[FlushRequest, number]>([
    [{ global: true, bytes: 64 }, flushGlobal],
    [{ persistent: true, bytes: 64 }, flushPersistent],
    [{ global: true, persistent: true, bytes: 64 }, flushGlobal | flushPersistent],
    [{ global: true, level: 'region' }, flushGlobal],
    [{ global: true, bytes: 0 }, flushGlobal],
  ])('%o with its right completes, behind the WRITE before it', (flush, right) => {
    const both = make()
    const sent = fill(both.a, 0, 3000, 1)
    both.a.qp.postSend({
      opcode: 'rdmaWrite',
      segments: [part(both.a, 0, 3000)],
      ...remote(both.b, 0),
    })
    flushOf(both, localWrite | right, flush)
    const [completion] = pollAll(both.a.cq)
    expect([completion?.statusName, completion?.opcodeName, completion?.opcode]).toEqual([
      ...['success', 'flush', 8],
    ])
    expect(peek(both.b, 0, 3000)).toEqual(sent)
    expect(pollAll(both.b.cq)).toEqual([])
  })

  test.each<[FlushRequest, number]>([
    [{ global: true, bytes: 64 }, localWrite | remoteWrite],
    [{ global: true, bytes: 64 }, flushPersistent],
    [{ persistent: true, bytes: 64 }, flushGlobal],
    [{ global: true, persistent: true, bytes: 64 }, flushGlobal],
    [{ global: true, level: 'region' }, flushPersistent],
  ])('%o of a region that lacks the right is a remote access error (F3)', (flush, rights) => {
    const both = make()
    flushOf(both, rights, flush)
    expect(outcomes(both.a.cq)).toEqual(['1 remoteAccessError'])
    expect([both.a.qp.state, both.b.qp.state]).toEqual(['error', 'error'])
    expect(both.b.device.events.next()?.name).toBe('queuePairAccessError')
  })

  test('through a queue pair that lacks the right is an invalid request (F4)', () => {
    const both = make(FULL)
    flushOf(both, ALL, { global: true, bytes: 8 })
    expect(outcomes(both.a.cq)).toEqual(['1 remoteInvalidRequest'])
  })

  test.each<[string, Partial<SendRequest>]>([
    ['a key that names nothing (F1)', { remoteKey: 0x7777 }],
    ['a range beyond the region (F2)', { flush: { global: true, bytes: 64 * 1024 + 1 } }],
    [
      'a region that names nothing',
      { remoteKey: 0x7777, flush: { global: true, level: 'region' } },
    ],
  ])('%s is a remote access error', (_title, change) => {
    const both = make()
    flushOf(both, ALL, { global: true, bytes: 8 }, change)
    expect(outcomes(both.a.cq)).toEqual(['1 remoteAccessError'])
  })

  test('one of a region as a whole does not look at the address', () => {
    const both = make()
    flushOf(both, ALL, { global: true, level: 'region' }, { remoteAddress: 0 })
    expect(outcomes(both.a.cq)).toEqual(['1 success'])
  })

  test('is refused at the post call when it says not what for, or is not of the service', () => {
    const { a } = make()
    const request = { opcode: 'flush', remoteAddress: 0, remoteKey: 0 } as const
    for (const flush of [undefined, {}, { bytes: 8 }, { global: true, bytes: -1 }]) {
      expect(() => a.qp.postSend({ ...request, flush } as SendRequest)).toThrow(/EINVAL/)
    }
    const segments = [part(a, 0, 8)]
    expect(() => a.qp.postSend({ ...request, segments, flush: { global: true } })).toThrow(/EINVAL/)
    const unreliable = link({ fabric: makeFabric(), service: 'unreliableConnected' })
    expect(() => unreliable.a.qp.postSend({ ...request, flush: { global: true } })).toThrow(
      /EINVAL/,
    )
  })

  test('3.1: ATOMIC WRITE puts eight bytes, from a segment or inline', () => {
    for (const inline of [false, true]) {
      const both = make()
      const sent = fill(both.a, 0, 8, 5)
      both.a.qp.postSend({
        ...{ opcode: 'atomicWrite', signaled: true, inline },
        ...{ segments: [part(both.a, 0, 8)], ...remote(both.b, 16) },
      })
      both.run()
      const [completion] = pollAll(both.a.cq)
      expect([completion?.statusName, completion?.opcode]).toEqual(['success', 9])
      expect(peek(both.b, 8, 24)).toEqual([
        ...Array<number>(8).fill(0),
        ...sent,
        ...Array(8).fill(0),
      ])
    }
  })

  test.each<[string, Partial<SendRequest>, string]>([
    ['misaligned', { remoteAddress: 4 }, 'remoteInvalidRequest'],
    ['of a key that names nothing', { remoteKey: 0x7777 }, 'remoteAccessError'],
    ['of four bytes', {}, 'localLengthError'],
  ])('3.1: an ATOMIC WRITE %s fails', (title, change, status) => {
    const both = make()
    both.a.qp.postSend({
      ...{ opcode: 'atomicWrite', ...remote(both.b, 0), ...change },
      segments: [part(both.a, 0, title === 'of four bytes' ? 4 : 8)],
    })
    both.run()
    expect(outcomes(both.a.cq)).toEqual([`0 ${status}`])
  })
})

test('FLUSH and ATOMIC WRITE are carried out once, in order, whatever is lost', () => {
  for (let seed = 0; seed < 20; seed++) {
    const choices = startChoices(seeded(seed))
    const faults = new FaultPlan(
      (['loss', 'duplicate', 'delay'] as const).map((fault) => ({ fault, percent: 8 })),
      choices,
    )
    const fabric = new PacketFabric({ choices, faults })
    const both = link({ fabric, access: ALL, toSend: { timeout: 4 } })
    const region = both.b.domain.register(both.b.buffer.address, 64, ALL)
    const range = { remoteAddress: region.address, remoteKey: region.remoteKey }
    for (let id = 0; id < 30; id++) {
      fill(both.a, id * 8, 8, id)
      const segments = [part(both.a, id * 8, 8)]
      const common = { workRequestId: id, signaled: true, ...range }
      if (id % 3 === 2) both.a.qp.postSend({ opcode: 'flush', flush: { global: true }, ...common })
      else both.a.qp.postSend({ opcode: 'atomicWrite', segments, ...common })
    }
    both.run()
    expect(outcomes(both.a.cq)).toEqual(Array.from({ length: 30 }, (_, id) => `${id} success`))
    expect(peek(both.b, 0, 8)).toEqual(peek(both.a, 28 * 8, 8))
  }
})

test('a window grants FLUSH that its region does not', () => {
  const both = link({ access: ALL })
  const { a, b } = both
  const window = b.domain.allocateWindow(1)
  const key = b.qp.bindWindow({
    ...{ window, region: b.buffer, address: b.buffer.address, bytes: 64 },
    access: flushGlobal,
  })
  const flush = { global: true, bytes: 64 }
  const range = { remoteAddress: b.buffer.address, remoteKey: key as number }
  a.qp.postSend({ opcode: 'flush', workRequestId: 1, signaled: true, flush, ...range })
  a.qp.postSend({ opcode: 'flush', workRequestId: 2, flush: { ...flush, bytes: 65 }, ...range })
  expect(outcomes(a.cq)).toEqual(['1 success', '2 remoteAccessError'])
})
