import { describe, expect, test } from 'vitest'

import { FaultPlan } from '../../src/fabric/faults/fault-plan.js'
import type { FaultRule } from '../../src/fabric/faults/fault.js'
import { FaultyFabric } from '../../src/fabric/faults/faulty-fabric.js'
import { PacketFabric } from '../../src/fabric/packets/packet-fabric.js'
import type { Fabric } from '../../src/fabric/fabric.js'
import { outcomes } from '../verbs/pair.js'
import { fill, link, part, peek, remote } from '../verbs/packet-pair.js'
import type { Link, Side } from '../verbs/packet-pair.js'

const [MIGRATED, REARM, ARMED] = [0, 1, 2]
/** LID of a side's port in the second plane. */
const secondOf = ({ device }: Side): number => device.localIdentifier + 0x4000

/** Faults of both directions of the first plane. */
const firstPlane = (rule: Partial<FaultRule> = {}): FaultRule[] =>
  [1, 2].map((lid) => ({
    ...({ fault: 'loss', times: 1e9, match: { destinationLocalIdentifier: lid } } as const),
    ...(rule as object),
  }))

const fabrics: [string, (rules: FaultRule[]) => Fabric][] = [
  ['direct', (rules) => new FaultyFabric(new FaultPlan(rules))],
  ['packets', (rules) => new PacketFabric({ faults: new FaultPlan(rules) })],
]

function write(both: Link, id: number): void {
  both.a.qp.postSend({
    ...{ opcode: 'rdmaWrite', workRequestId: id, signaled: true },
    ...{ segments: [part(both.a, 0, 3000)], ...remote(both.b, 0) },
  })
  both.run()
}

const statesOf = ({ a, b }: Link): number[] => [a, b].map(({ qp }) => qp.query().pathMigrationState)
const pathsOf = ({ a, b }: Link): number[] => {
  return [a, b].map(({ qp }) => qp.query().destinationLocalIdentifier)
}

function eventsOf({ device }: Side): string[] {
  device.progress()
  const names: string[] = []
  for (let event = device.events.next(); event !== undefined; event = device.events.next()) {
    if (event.name.startsWith('path')) names.push(event.name)
  }
  return names
}

/** Gives both ends an alternate path and arms them, which takes a message each way in packets. */
function arm(both: Link): void {
  both.a.qp.modify({ alternateLocalIdentifier: secondOf(both.b), pathMigrationState: REARM })
  expect(statesOf(both)).toEqual([REARM, MIGRATED])
  both.b.qp.modify({ alternateLocalIdentifier: secondOf(both.a), pathMigrationState: REARM })
  write(both, 0)
  expect(outcomes(both.a.cq)).toEqual(['0 success'])
  expect(statesOf(both)).toEqual([ARMED, ARMED])
}

describe.each(fabrics)('path migration on the %s fabric', (_name, makeFabric) => {
  const make = (rules: FaultRule[] = []): Link =>
    link({ fabric: makeFabric(rules), toSend: { timeout: 6 } })

  test('is announced', () => {
    expect(make().a.device.query().capabilities).toContain('automaticPathMigration')
  })

  test('1.10: by request, both ends go over and hear of it; data flow on', () => {
    const both = make()
    arm(both)
    both.a.qp.modify({ pathMigrationState: MIGRATED })
    const sent = fill(both.a, 0, 3000, 4)
    write(both, 1)
    expect(outcomes(both.a.cq)).toEqual(['1 success'])
    expect(peek(both.b, 0, 3000)).toEqual(sent)
    expect(pathsOf(both)).toEqual([secondOf(both.b), secondOf(both.a)])
    expect(statesOf(both)).toEqual([MIGRATED, MIGRATED])
    expect([eventsOf(both.a), eventsOf(both.b)]).toEqual([['pathMigrated'], ['pathMigrated']])
  })

  test('1.10: when the path fails for good, both ends go over by themselves', () => {
    // What arms them comes through: one message on the direct fabric, four packets in packets.
    const both = make(firstPlane({ at: 5 }))
    arm(both)
    const sent = fill(both.a, 0, 3000, 5)
    for (const id of [1, 2, 3, 4, 5, 6]) write(both, id)
    expect(outcomes(both.a.cq)).toEqual([1, 2, 3, 4, 5, 6].map((id) => `${id} success`))
    expect(peek(both.b, 0, 3000)).toEqual(sent)
    expect(pathsOf(both)).toEqual([secondOf(both.b), secondOf(both.a)])
    expect([eventsOf(both.a), eventsOf(both.b)]).toEqual([['pathMigrated'], ['pathMigrated']])
    expect([both.a.qp.state, both.b.qp.state]).toEqual(['readyToSend', 'readyToSend'])
  })

  test('1.10: armed again, they go back where they came from', () => {
    const both = make()
    arm(both)
    both.a.qp.modify({ pathMigrationState: MIGRATED })
    write(both, 1)
    for (const [own, peer] of [both.sides, [both.b, both.a]] as const) {
      const alternateLocalIdentifier = peer.device.localIdentifier
      own.qp.modify({ alternateLocalIdentifier, pathMigrationState: REARM })
    }
    write(both, 2)
    expect(statesOf(both)).toEqual([ARMED, ARMED])
    both.b.qp.modify({ pathMigrationState: MIGRATED })
    both.b.qp.postSend({ opcode: 'rdmaWrite', ...remote(both.a, 0) })
    both.run()
    expect(pathsOf(both)).toEqual([2, 1])
    expect(outcomes(both.a.cq)).toEqual(['1 success', '2 success'])
  })

  test('F14: without an alternate path, or not armed, a path that fails is the end', () => {
    for (const attributes of [
      {},
      { alternateLocalIdentifier: 0x4002 },
      { pathMigrationState: REARM },
    ]) {
      const both = make(firstPlane())
      both.a.qp.modify(attributes)
      write(both, 1)
      expect(outcomes(both.a.cq)).toEqual(['1 retryExceeded'])
      expect(eventsOf(both.a)).toEqual([])
    }
  })

  test('1.10: an alternate path that leads elsewhere is an error when it is needed', () => {
    const both = make(firstPlane({ at: 5 }))
    arm(both)
    both.a.qp.modify({ alternateLocalIdentifier: 0x4001 })
    for (const id of [1, 2, 3, 4, 5, 6]) write(both, id)
    expect(outcomes(both.a.cq)).toContain('5 flushed')
    expect(eventsOf(both.a)).toEqual(['pathMigrationError'])
  })

  test('F30: a reset queue pair is on the first path again, and not armed', () => {
    const both = make()
    arm(both)
    both.a.qp.modify({ pathMigrationState: MIGRATED })
    both.a.qp.modify({ state: 'reset' })
    expect(statesOf(both)[0]).toBe(MIGRATED)
  })
})
