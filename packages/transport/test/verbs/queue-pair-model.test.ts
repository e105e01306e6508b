import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { startChoices } from '../../src/choice/choice-stream.js'
import { seeded } from '../../src/choice/sources.js'
import { FaultPlan } from '../../src/fabric/faults/fault-plan.js'
import { directFabric } from '../../src/fabric/direct.js'
import type { Fabric } from '../../src/fabric/fabric.js'
import { PacketFabric } from '../../src/fabric/packets/packet-fabric.js'
import { pollAll } from './pair.js'
import { fill, link, part, peek, reconnect, remote } from './packet-pair.js'
import type { Link, LinkOptions } from './packet-pair.js'
import { COUNTER, MODEL_BYTES, QueuePairModel } from './queue-pair-model.js'
import type { Step } from './queue-pair-model.js'

const RECEIVE_ID = 1000
const options: LinkOptions = { toReceive: { receiverNotReadyTimer: 16 }, toSend: { timeout: 3 } }
/** Longer than all retries after a lost answer, and than a wait for a receive. */
const REST_NS = 3e6

const side = fc.constantFrom(0 as const, 1 as const)
const offset = fc.nat(MODEL_BYTES / 2)
const bytes = fc.nat(MODEL_BYTES / 2)
const rarely = fc.integer({ min: 0, max: 15 }).map((value) => value === 0)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('receive' as const),
      side,
      id: fc.constant(0),
      room: fc.nat(80),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      side,
      id: fc.constant(0),
      bytes: fc.nat(40),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('write' as const, 'read' as const),
      side,
      id: fc.constant(0),
      offset,
      bytes,
      badKey: rarely,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      side,
      id: fc.constant(0),
      misaligned: rarely,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('break' as const), side }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reconnect' as const }) },
)

/** Numbers the steps, so that each request and receive has an id of its own. */
function numbered(steps: readonly Step[]): Step[] {
  return steps.map((entry, index) => {
    if (entry.kind === 'receive') return { ...entry, id: RECEIVE_ID + index }
    return 'id' in entry ? { ...entry, id: index } : entry
  })
}

function carryOut(both: Link, entry: Step): void {
  if (entry.kind === 'reconnect') return reconnect(both, options)
  const [own, peer] = [both.sides[entry.side], both.sides[1 - entry.side]!]
  // With a fence: without, a request may go before the READ ahead of it has ended.
  const common = { signaled: true, fence: true, workRequestId: 'id' in entry ? entry.id : 0 }
  switch (entry.kind) {
    case 'break':
      return own.qp.modify({ state: 'error' })
    case 'receive':
      own.qp.postReceive({ workRequestId: entry.id, segments: [part(own, 2048, entry.room)] })
      return
    case 'send':
      own.qp.postSend({ ...common, opcode: 'send', segments: [part(own, 1024, entry.bytes)] })
      return
    case 'add': {
      const range = remote(peer, COUNTER + (entry.misaligned ? 4 : 0))
      own.qp.postSend({
        ...common,
        opcode: 'fetchAndAdd',
        operand: 1n,
        segments: [part(own, 1024, 8)],
        ...range,
      })
      return
    }
    default: {
      const range = {
        ...remote(peer, entry.offset),
        ...(entry.badKey ? { remoteKey: 0x7777 } : {}),
      }
      const segments = [part(own, entry.offset, entry.bytes)]
      const opcode = entry.kind === 'write' ? 'rdmaWrite' : 'rdmaRead'
      own.qp.postSend({ ...common, opcode, segments, ...range })
    }
  }
}

function check(fabric: Fabric, steps: readonly Step[]): void {
  const both = link({ fabric, ...options })
  const model = new QueuePairModel()
  const sent: string[][] = [[], []]
  const received: string[][] = [[], []]
  for (const index of [0, 1] as const) {
    model.sides[index].memory = fill(both.sides[index], 0, MODEL_BYTES, index)
  }
  for (const entry of numbered(steps)) {
    carryOut(both, entry)
    model.apply(entry)
    for (let round = 0; round < 3; round++) both.run(REST_NS)
    for (const index of [0, 1] as const) {
      for (const { workRequestId, statusName } of pollAll(both.sides[index].cq)) {
        const list = workRequestId >= RECEIVE_ID ? received : sent
        list[index]!.push(`${workRequestId} ${statusName}`)
      }
    }
  }
  for (const index of [0, 1] as const) {
    const { sent: modelSent, received: modelReceived, memory, counter, state } = model.sides[index]
    const { qp } = both.sides[index]
    expect(sent[index]).toEqual(modelSent)
    expect(received[index]).toEqual(modelReceived)
    expect(peek(both.sides[index], 0, MODEL_BYTES)).toEqual(memory)
    expect(both.memory.i64[(both.sides[index].buffer.address + COUNTER) / 8]).toBe(BigInt(counter))
    expect(qp.state).toBe(state === 'ready' ? 'readyToSend' : 'error')
  }
}

/** Without what the peer refuses: where the refusal is lost, the requester never learns of it. */
function withoutRefusals(steps: readonly Step[]): Step[] {
  return steps.map((entry) => {
    if (entry.kind === 'receive') return { ...entry, room: 80 }
    if (entry.kind === 'add') return { ...entry, misaligned: false }
    return 'badKey' in entry ? { ...entry, badKey: false } : entry
  })
}

describe('queue pairs do what the model does', () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 40 })

  test('on the direct fabric', () => {
    fc.assert(
      fc.property(steps, (drawn) => check(directFabric, drawn)),
      { numRuns: 300 },
    )
  })

  test('in packets', () => {
    fc.assert(
      fc.property(steps, (drawn) => check(new PacketFabric(), drawn)),
      { numRuns: 300 },
    )
  })

  test('in packets that get lost, double and late', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), fc.nat(), (drawn, seed) => {
        const choices = startChoices(seeded(seed))
        const rules = (['loss', 'duplicate', 'delay'] as const).map((fault) => ({
          fault,
          percent: 1,
        }))
        check(
          new PacketFabric({
            choices,
            faults: new FaultPlan(rules, choices),
            dataInOrder: seed % 2 === 0,
          }),
          withoutRefusals(drawn),
        )
      }),
      { numRuns: 300 },
    )
  })
})
