import { describe, expect, test } from 'vitest'

import { PacketFabric } from '../../src/fabric/packets/packet-fabric.js'
import { transitionTables } from '../../src/hca/queue-pair/transitions.js'
import type {
  QueuePairAttribute,
  QueuePairAttributes,
} from '../../src/hca/queue-pair/transitions.js'
import type { QueuePairChange } from '../../src/hca/queue-pair/modify-queue-pair.js'
import { DEVICE_LIMITS } from '../../src/verbs/device-limits.js'
import type { QueuePair } from '../../src/verbs/queue-pair.js'
import type { QueuePairState } from '../../src/wire/queue-pair-state.js'
import { outcomes, pollAll } from '../verbs/pair.js'
import {
  bringUp,
  fabrics,
  fill,
  link,
  part,
  peek,
  QUEUE_KEY,
  remote,
  sides,
  steps,
} from '../verbs/packet-pair.js'
import type { Link, LinkOptions } from '../verbs/packet-pair.js'

type Service = NonNullable<LinkOptions['service']>

/** A legal value of every attribute. */
const legal: QueuePairAttributes = {
  ...{ port: 1, partitionKeyIndex: 0, access: 1, queueKey: 0x22222222, serviceLevel: 2 },
  ...{ destinationLocalIdentifier: 2, pathMtuBytes: 2048, destinationQueuePairNumber: 0x22 },
  ...{ receivePacketSequenceNumber: 5, sendPacketSequenceNumber: 6, responderReadsMax: 12 },
  ...{ initiatorReadsMax: 12, receiverNotReadyTimer: 1, timeout: 2, retryCount: 3 },
  ...{ receiverNotReadyRetryCount: 4, alternateLocalIdentifier: 3, pathMigrationState: 1 },
  ...{ drainNotify: 1, currentState: 'readyToSend' },
}

/** A queue pair of a service, brought to a state. */
function inState(service: Service, state: QueuePairState): QueuePair {
  const both = sides({ service })
  const { a, b } = both
  const order: QueuePairState[] = ['reset', 'init', 'readyToReceive', 'readyToSend', 'drained']
  bringUp(a, b, {}, Math.min(3, Math.max(0, order.indexOf(state))))
  if (state === 'drained') a.qp.modify({ state })
  if (state === 'sendError') {
    bringUp(a, b)
    const addressHandle = a.device
      .allocateProtectionDomain()
      .createAddressHandle({ destinationLocalIdentifier: 2 })
    const destination = { addressHandle, queuePairNumber: 5, queueKey: 0 }
    const bad = [{ ...part(a, 0, 8), localKey: 1 }]
    a.qp.postSend({
      opcode: 'send',
      segments: bad,
      ...(service === 'unreliableDatagram' ? { destination } : {}),
    })
  }
  expect(a.qp.state).toBe(state)
  return a.qp
}

function pick(names: readonly QueuePairAttribute[], from: QueuePairState): QueuePairChange {
  return Object.fromEntries(
    names.map((name) => [name, name === 'currentState' ? from : legal[name]]),
  ) as QueuePairChange
}

function expectRefused(queuePair: QueuePair, change: QueuePairChange): void {
  const before = { state: queuePair.state, ...queuePair.query() }
  expect(() => queuePair.modify(change)).toThrow(/EINVAL/)
  expect({ state: queuePair.state, ...queuePair.query() }).toEqual(before)
}

describe('case 18: the table of transitions', () => {
  const rows = Object.entries(transitionTables).flatMap(([service, table]) =>
    table.map((row) => ({ ...row, service: service as Service })),
  )

  test.each(rows)(
    '$service, $from to $to takes what it may',
    ({ service, from, to, required, optional }) => {
      const queuePair = inState(service, from)
      const stated = from === 'reset' || from === 'init' ? [] : optional
      queuePair.modify({ ...pick([...required, ...stated], from), state: to })
      expect(queuePair.state).toBe(to)
    },
  )

  test.each(rows)(
    '$service, $from to $to refuses each missing and each excess attribute',
    (row) => {
      const { service, from, to, required, optional } = row
      const queuePair = inState(service, from)
      for (const left of required) {
        const others = required.filter((name) => name !== left)
        expectRefused(queuePair, { ...pick(others, from), state: to })
      }
      const known = Object.keys(legal) as QueuePairAttribute[]
      for (const extra of known.filter(
        (name) => !required.includes(name) && !optional.includes(name),
      )) {
        expectRefused(queuePair, { ...pick([...required, extra], from), state: to })
      }
    },
  )

  test.each(Object.keys(transitionTables) as Service[])(
    '%s has no other transitions',
    (service) => {
      const states: QueuePairState[] = ['reset', 'init', 'readyToReceive', 'readyToSend', 'drained']
      for (const from of service === 'reliableConnected'
        ? states
        : [...states, 'sendError' as const]) {
        const queuePair = inState(service, from)
        for (const to of [...states.slice(1), 'sendError' as const]) {
          const row = transitionTables[service].find(
            (entry) => entry.from === from && entry.to === to,
          )
          if (row === undefined) expectRefused(queuePair, { state: to })
        }
        if (from === 'reset') expectRefused(queuePair, { state: 'error' })
        else queuePair.modify({ state: 'error' })
        for (const to of states.slice(1))
          if (from !== 'reset') expectRefused(queuePair, { state: to })
        queuePair.modify({ state: 'reset' })
      }
    },
  )
})

describe('capabilities', () => {
  test('case 17: beyond the limits is EINVAL, else at least what was asked for', () => {
    const { a } = sides()
    const queues = { sendQueue: a.cq, receiveQueue: a.cq }
    const { maxWorkRequests, maxSegments, maxInlineBytes } = DEVICE_LIMITS
    for (const beyond of [
      { sendEntries: maxWorkRequests + 1 },
      { receiveEntries: maxWorkRequests + 1 },
      { segmentsMax: maxSegments + 1 },
      { inlineBytesMax: maxInlineBytes + 1 },
    ]) {
      expect(() => a.domain.createQueuePair({ ...queues, ...beyond })).toThrow(/EINVAL/)
    }
    const wanted = { sendEntries: 33, receiveEntries: 17, segmentsMax: 5, inlineBytesMax: 100 }
    const { sendEntries, receiveEntries, segmentsMax, inlineBytesMax } = a.domain.createQueuePair({
      ...queues,
      ...wanted,
    })
    expect(sendEntries).toBeGreaterThanOrEqual(33)
    expect(receiveEntries).toBeGreaterThanOrEqual(17)
    expect(segmentsMax).toBeGreaterThanOrEqual(5)
    expect(inlineBytesMax).toBeGreaterThanOrEqual(100)
  })

  test('case 17: no shared receive queue on UC', () => {
    const { a } = sides()
    const sharedReceiveQueue = a.domain.createSharedReceiveQueue({ entries: 4 })
    const options = {
      sendQueue: a.cq,
      receiveQueue: a.cq,
      sharedReceiveQueue,
      service: 'unreliableConnected',
    } as const
    expect(() => a.domain.createQueuePair(options)).toThrow(/EINVAL/)
  })

  test('case 19: a READ depth of 12 is 12 at least', () => {
    const both = link({ toReceive: { responderReadsMax: 12 }, toSend: { initiatorReadsMax: 12 } })
    const { responderReadsMax, initiatorReadsMax } = both.a.qp.query()
    expect(responderReadsMax).toBeGreaterThanOrEqual(12)
    expect(initiatorReadsMax).toBeGreaterThanOrEqual(12)
  })

  test('case 20: posting in RESET and INIT', () => {
    const both = sides()
    const { a, b } = both
    expect(() => a.qp.postReceive({})).toThrow(/EINVAL/)
    expect(() => a.qp.postSend({ opcode: 'send' })).toThrow(/EINVAL/)
    bringUp(a, b, {}, 1)
    expect(a.qp.postReceive({})).toBe('ok')
    expect(() => a.qp.postSend({ opcode: 'send' })).toThrow(/EINVAL/)
  })

  test('3.3: a list is posted up to the request that is refused', () => {
    const { a } = link({ pair: { sendEntries: 4 } })
    const good = { opcode: 'rdmaWrite', remoteKey: 0 } as const
    const bad = a.qp.postSendList([good, good, { ...good, opcode: 'rdmaRead', inline: true }, good])
    expect(bad).toMatchObject({ index: 2, reason: { code: 'EINVAL' } })
    const full = a.qp.postSendList([good, good, good])
    expect(full).toMatchObject({ index: 2, reason: 'queueFull' })
  })

  test('1.7: a batch is posted whole or not at all', () => {
    const both = link({ pair: { operations: ['rdmaWrite', 'send'] } })
    const { a, b } = both
    b.qp.postReceive({ workRequestId: 70, segments: [part(b, 100, 8)] })
    const sent = fill(a, 0, 16, 1)
    const wrong = a.qp
      .start()
      .rdmaWrite(remote(b, 0))
      .segments([part(a, 0, 8)])
      .fetchAndAdd(remote(b, 0), 1n)
    expect(() => wrong.complete()).toThrow(/EINVAL/)
    a.qp
      .start()
      .send()
      .inline([part(a, 0, 8)])
      .abort()
    expect(peek(b, 0, 8)).toEqual(Array(8).fill(0))
    a.qp
      .start()
      .rdmaWrite(remote(b, 0), { workRequestId: 1 })
      .segments([part(a, 0, 8)])
      .send({ workRequestId: 2, signaled: true })
      .inline([part(a, 8, 8)])
      .complete()
    expect(outcomes(a.cq)).toEqual(['2 success'])
    expect(outcomes(b.cq)).toEqual(['70 success'])
    expect([...peek(b, 0, 8), ...peek(b, 100, 8)]).toEqual(sent)
  })
})

describe.each(fabrics)('states on the %s fabric', (_name, makeFabric) => {
  const make = (options: LinkOptions = {}): Link => link({ fabric: makeFabric(), ...options })

  test('case 21: nothing is lost at a peer that reaches RTR late', () => {
    const both = sides({ fabric: makeFabric() })
    const { a, b } = both
    bringUp(b, a, {}, 1)
    for (const id of [1, 2, 3])
      b.qp.postReceive({ workRequestId: id, segments: [part(b, id * 64, 64)] })
    bringUp(a, b)
    for (const id of [1, 2, 3]) {
      fill(a, 0, 8, id)
      a.qp.postSend({
        opcode: 'send',
        inline: true,
        segments: [part(a, 0, 8)],
        workRequestId: id,
        signaled: true,
      })
    }
    both.run(1e6)
    expect(outcomes(a.cq)).toEqual([])
    const [, toReceive, toSend] = steps(b, a)
    b.qp.modify(toReceive!)
    both.run()
    expect(b.device.events.next()?.name).toBe('communicationEstablished')
    b.qp.modify(toSend!)
    expect(outcomes(a.cq)).toEqual(['1 success', '2 success', '3 success'])
    expect(outcomes(b.cq)).toEqual(['1 success', '2 success', '3 success'])
    expect(b.device.events.next()).toBeUndefined()
  })

  test('case 22: everything is flushed in order when the queue pair goes to ERR', () => {
    const both = make()
    const { a } = both
    for (const id of [1, 2, 3, 4, 5]) a.qp.postReceive({ workRequestId: id })
    for (const id of [11, 12]) a.qp.postSend({ opcode: 'send', workRequestId: id })
    a.qp.modify({ state: 'error' })
    const flushed = outcomes(a.cq)
    expect(flushed.filter((text) => /^1[12]/.test(text))).toEqual(['11 flushed', '12 flushed'])
    expect(flushed.filter((text) => /^[1-5] /.test(text))).toEqual(
      [1, 2, 3, 4, 5].map((id) => `${id} flushed`),
    )
    expect(flushed).toHaveLength(7)
    a.qp.postSend({ opcode: 'send', workRequestId: 13 })
    a.qp.postReceive({ workRequestId: 6 })
    expect(outcomes(a.cq)).toEqual(['13 flushed', '6 flushed'])
    both.run()
    expect(outcomes(a.cq)).toEqual([])
  })

  test('case 23: in SQD what was started ends, what came later waits', () => {
    const both = make()
    const { a, b } = both
    // The direct fabric starts one request at a time; in packets all three are under way.
    const started = both.fabric instanceof PacketFabric ? 3 : 1
    for (let id = 1; id <= started; id++)
      a.qp.postSend({ opcode: 'send', workRequestId: id, signaled: true })
    a.qp.modify({ state: 'drained', drainNotify: 1 })
    for (const id of [11, 12]) a.qp.postSend({ opcode: 'send', workRequestId: id, signaled: true })
    both.run(1e5)
    expect(a.device.events.next()).toBeUndefined()
    for (let id = 0; id < 5; id++) b.qp.postReceive({ workRequestId: id })
    both.run()
    expect(outcomes(a.cq)).toEqual(
      Array.from({ length: started }, (_unused, id) => `${id + 1} success`),
    )
    a.device.progress()
    expect(a.device.events.next()).toMatchObject({ name: 'sendQueueDrained', queuePair: a.qp })
    a.qp.modify({ state: 'readyToSend' })
    both.run()
    expect(outcomes(a.cq)).toEqual(['11 success', '12 success'])
  })

  test('case 24: a foreign address handle (F20): SQE, which is left by RTS', () => {
    const both = make({ service: 'unreliableDatagram' })
    const { a, b } = both
    const foreign = a.device
      .allocateProtectionDomain()
      .createAddressHandle({ destinationLocalIdentifier: 2 })
    const own = a.domain.createAddressHandle({ destinationLocalIdentifier: 2 })
    const to = (addressHandle: typeof own) => ({
      destination: { addressHandle, queuePairNumber: b.qp.number, queueKey: QUEUE_KEY },
    })
    a.qp.postSend({ opcode: 'send', workRequestId: 1, ...to(foreign) })
    a.qp.postSend({ opcode: 'send', workRequestId: 2, ...to(own) })
    both.run()
    expect(outcomes(a.cq)).toEqual(['1 localQueuePairOperationError', '2 flushed'])
    expect(a.qp.state).toBe('sendError')
    expect(a.qp.firstError?.cause).toBe('the address handle belongs to another protection domain')
    a.qp.postReceive({ workRequestId: 70, segments: [part(a, 0, 64)] })
    const back = b.domain.createAddressHandle({ destinationLocalIdentifier: 1 })
    b.qp.postSend({
      opcode: 'send',
      destination: { addressHandle: back, queuePairNumber: a.qp.number, queueKey: QUEUE_KEY },
    })
    both.run()
    expect(outcomes(a.cq)).toEqual(['70 success'])
    a.qp.modify({ state: 'readyToSend', currentState: 'sendError' })
    a.qp.postSend({ opcode: 'send', workRequestId: 3, signaled: true, ...to(own) })
    both.run()
    expect(outcomes(a.cq)).toEqual(['3 success'])
  })

  test('F30: outstanding requests vanish when the queue pair is reset', () => {
    const both = make()
    both.a.qp.postReceive({ workRequestId: 1 })
    both.a.qp.postSend({ opcode: 'send', workRequestId: 2, signaled: true })
    both.a.qp.modify({ state: 'reset' })
    both.run()
    expect(pollAll(both.a.cq)).toEqual([])
  })

  test('F41: a device that fails loses all, and its peers find it gone', () => {
    const both = make()
    both.b.qp.postReceive({ workRequestId: 70 })
    both.b.device.fail()
    expect(outcomes(both.b.cq)).toEqual(['70 flushed'])
    expect(both.b.device.events.next()?.name).toBe('deviceFatal')
    both.a.qp.postSend({ opcode: 'send', workRequestId: 1 })
    both.run()
    expect(outcomes(both.a.cq)).toEqual(['1 retryExceeded'])
  })
})
