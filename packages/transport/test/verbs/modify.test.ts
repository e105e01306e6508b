import { describe, expect, test } from 'vitest'

import type { QueuePairChange } from '../../src/hca/queue-pair/modify-queue-pair.js'
import { reliableConnectedTransitions } from '../../src/hca/queue-pair/transitions.js'
import type { QueuePairAttributes } from '../../src/hca/queue-pair/transitions.js'
import type { QueuePair } from '../../src/verbs/queue-pair.js'
import { Post, Send } from '../../src/verbs/work-request.js'
import { queuePairStateNames } from '../../src/wire/queue-pair-state.js'
import type { QueuePairState } from '../../src/wire/queue-pair-state.js'
import { connectByHand, hosts, outcomes, toInit, toReadyToReceive, toReadyToSend } from './pair.js'
import type { Host } from './pair.js'

/** A legal value of every attribute. */
const legal: QueuePairAttributes = {
  port: 1,
  partitionKeyIndex: 0,
  access: 1,
  queueKey: 0x11111111,
  serviceLevel: 3,
  destinationLocalIdentifier: 2,
  pathMtuBytes: 2048,
  destinationQueuePairNumber: 0x22,
  receivePacketSequenceNumber: 5,
  sendPacketSequenceNumber: 6,
  responderReadsMax: 12,
  initiatorReadsMax: 12,
  receiverNotReadyTimer: 1,
  timeout: 2,
  retryCount: 3,
  receiverNotReadyRetryCount: 4,
  alternateLocalIdentifier: 3,
  pathMigrationState: 1,
  drainNotify: 1,
  currentState: 'readyToSend',
}

const path = [toInit, toReadyToReceive(1, 0x11), toReadyToSend, { state: 'drained' }] as const

/** A queue pair brought to a state. */
function inState(state: QueuePairState): QueuePair {
  const [host] = hosts(1) as [Host]
  const { domain, cq } = host
  const queuePair = domain.createQueuePair({ sendQueue: cq, receiveQueue: cq })
  if (state === 'error') {
    queuePair.modify(toInit)
    queuePair.modify({ state })
  } else if (state !== 'reset') {
    for (const step of path.slice(0, path.findIndex((entry) => entry.state === state) + 1)) {
      queuePair.modify(step)
    }
  }
  return queuePair
}

/** Refused, with nothing changed. */
function expectRefused(queuePair: QueuePair, change: QueuePairChange): void {
  const before = queuePair.query()
  expect(() => queuePair.modify(change)).toThrow(/EINVAL/)
  expect(queuePair.query()).toEqual(before)
}

function pick(
  names: readonly (keyof QueuePairAttributes)[],
  from: QueuePairState,
): QueuePairChange {
  const entries = names.map((name) => [name, name === 'currentState' ? from : legal[name]])
  return Object.fromEntries(entries) as QueuePairChange
}

const rows = reliableConnectedTransitions.map((row) => ({
  ...row,
  title: `${row.from} to ${row.to}`,
}))

describe('modify', () => {
  test.each(rows)('$title takes required and optional attributes', (row) => {
    const { from, to, required, optional } = row
    // `currentState` can only be stated in the states that the verbs name.
    const stated = from === 'reset' || from === 'init' ? [] : optional
    const change = pick([...required, ...stated], from)
    const queuePair = inState(from)
    queuePair.modify({ ...change, state: to })
    expect(queuePair.state).toBe(to)
    const { currentState: _, ...attributes } = change
    expect(queuePair.query()).toMatchObject(attributes)
  })

  const missing = rows.flatMap((row) => row.required.map((left) => ({ ...row, left })))
  test.each(missing)('$title without $left is refused', ({ from, to, required, left }) => {
    const change = pick(
      required.filter((name) => name !== left),
      from,
    )
    expectRefused(inState(from), { ...change, state: to })
  })

  const excess = rows.flatMap(({ title, from, to, required, optional }) =>
    (Object.keys(legal) as (keyof QueuePairAttributes)[])
      .filter((name) => !required.includes(name) && !optional.includes(name))
      .map((extra) => ({ title, from, to, required, extra })),
  )
  test.each(excess)('$title with $extra is refused', ({ from, to, required, extra }) => {
    expectRefused(inState(from), { ...pick([...required, extra], from), state: to })
  })

  const states = queuePairStateNames.filter((state) => state !== 'sendError')
  const illegal = states.flatMap((from) =>
    queuePairStateNames
      .filter((to) => to !== 'reset' && (to !== 'error' || from === 'reset'))
      .filter((to) => !rows.some((row) => row.from === from && row.to === to))
      .map((to) => ({ from, to })),
  )
  test.each(illegal)('$from to $to is refused', ({ from, to }) => {
    expectRefused(inState(from), { state: to })
  })

  test.each(states)('%s goes to reset and to error', (from) => {
    const queuePair = inState(from)
    if (from !== 'reset') {
      queuePair.modify({ state: 'error' })
      expect(queuePair.state).toBe('error')
    }
    queuePair.modify({ state: 'reset' })
    expect(queuePair.state).toBe('reset')
  })

  test.each<[keyof QueuePairAttributes, number]>([
    ['port', 2],
    ['partitionKeyIndex', 1],
    ['access', 16],
  ])('%s cannot be %i', (name, value) => {
    expectRefused(inState('reset'), { ...toInit, [name]: value })
  })

  test.each<[keyof QueuePairAttributes, number]>([
    ['pathMtuBytes', 1000],
    ['receiverNotReadyTimer', 32],
    ['destinationQueuePairNumber', 2 ** 24],
    ['destinationLocalIdentifier', 0xc000],
    ['responderReadsMax', 129],
  ])('%s cannot be %i', (name, value) => {
    expectRefused(inState('init'), { ...toReadyToReceive(1, 0x11), [name]: value })
  })

  test.each<[keyof QueuePairAttributes, number]>([
    ['timeout', 32],
    ['retryCount', 8],
    ['receiverNotReadyRetryCount', -1],
  ])('%s cannot be %i', (name, value) => {
    expectRefused(inState('readyToReceive'), { ...toReadyToSend, [name]: value })
  })

  test('keeps 24 bits of packet sequence numbers', () => {
    const queuePair = inState('init')
    queuePair.modify({ ...toReadyToReceive(1, 0x11), receivePacketSequenceNumber: 0x1_000_007 })
    expect(queuePair.query().receivePacketSequenceNumber).toBe(7)
  })

  test('refuses a stated current state that is not the present one', () => {
    expectRefused(inState('readyToSend'), { state: 'readyToSend', currentState: 'drained' })
  })
})

describe('state', () => {
  test.each<[QueuePairState, number, number]>([
    ['reset', Post.invalid, Post.invalid],
    ['init', Post.ok, Post.invalid],
    ['readyToReceive', Post.ok, Post.invalid],
    ['readyToSend', Post.ok, Post.ok],
    ['drained', Post.ok, Post.ok],
    ['error', Post.ok, Post.ok],
  ])('%s answers posted receives and sends', (state, receive, send) => {
    const queuePair = inState(state)
    expect(queuePair.receive(0, 0, 0, 1)).toBe(receive)
    expect(queuePair.send(0, 0, 0, 2, Send.none)).toBe(send)
  })

  test('drained keeps requests until it is ready to send again', () => {
    const [a, b] = hosts(2) as [Host, Host]
    const { qa, qb } = connectByHand(a, b)
    qb.receive(b.buffer.address, 8, b.buffer.localKey, 70)
    qa.modify({ state: 'drained' })
    qa.sendInline(a.buffer.address, 4, 0, 0, 1, Send.signaled)
    expect(outcomes(a.cq)).toEqual([])
    qa.modify({ state: 'readyToSend' })
    expect(outcomes(a.cq)).toEqual(['1 success'])
    expect(outcomes(b.cq)).toEqual(['70 success'])
  })

  test('receives posted in init, before the peer sends, are used', () => {
    const [a, b] = hosts(2) as [Host, Host]
    const create = ({ domain, cq }: Host) =>
      domain.createQueuePair({ sendQueue: cq, receiveQueue: cq })
    const [qa, qb] = [create(a), create(b)]
    qb.modify(toInit)
    for (let id = 1; id <= 3; id++) qb.receive(b.buffer.address, 8, b.buffer.localKey, id)
    qb.modify(toReadyToReceive(a.device.localIdentifier, qa.number))
    qa.modify(toInit)
    qa.modify(toReadyToReceive(b.device.localIdentifier, qb.number))
    qa.modify(toReadyToSend)
    for (let id = 1; id <= 3; id++) qa.sendInline(a.buffer.address, 4, 0, 0, id, Send.none)
    expect(outcomes(b.cq)).toEqual(['1 success', '2 success', '3 success'])
  })

  test('an error is left by reset, and the pair works again', () => {
    const [a, b] = hosts(2) as [Host, Host]
    const { qa, qb } = connectByHand(a, b)
    qa.write(a.buffer.address, 8, a.buffer.localKey, b.buffer.address, 0, 1, Send.none)
    expect(outcomes(a.cq)).toEqual(['1 remoteAccessError'])
    for (const [end, peer, host] of [
      [qa, qb, b],
      [qb, qa, a],
    ] as const) {
      end.modify({ state: 'reset' })
      expect(end.firstError).toBeUndefined()
      end.modify(toInit)
      end.modify(toReadyToReceive(host.device.localIdentifier, peer.number))
      end.modify(toReadyToSend)
    }
    const { address, remoteKey } = b.buffer
    qa.write(a.buffer.address, 8, a.buffer.localKey, address, remoteKey, 2, Send.signaled)
    expect(outcomes(a.cq)).toEqual(['2 success'])
  })
})
