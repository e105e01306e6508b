import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

import { capture } from '../../src/capture/capture.js'
import { invariantCrc } from '../../src/capture/crc.js'
import type { Fabric } from '../../src/fabric/fabric.js'
import { FaultPlan } from '../../src/fabric/faults/fault-plan.js'
import { PacketFabric } from '../../src/fabric/packets/packet-fabric.js'
import {
  fabrics,
  link,
  part,
  QUEUE_KEY,
  reconnect,
  type Link,
  type LinkOptions,
} from '../verbs/packet-pair.js'
import { type Dissected, dissectFile } from './dissect.js'
import { complaints, hasTshark } from './tshark.js'

const folder = mkdtempSync(join(tmpdir(), 'pcap-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

/** What is captured while `use` runs, and Wireshark has nothing against. */
function captured(fabric: Fabric, options: LinkOptions, use: (world: Link) => void): Dissected[] {
  const file = join(folder, `${files++}.pcap`)
  const trace = capture(file, { fabric })
  const world = link({ ...options, fabric: trace.fabric })
  use(world)
  if (fabric instanceof PacketFabric) fabric.run()
  trace.close()
  const packets = dissectFile(readFileSync(file))
  expect(packets).toHaveLength(trace.packets)
  if (hasTshark) expect(complaints(file)).toEqual([])
  return packets
}

const brief = ({ from, to, opcode, sequence }: Dissected): number[] => [from, to, opcode, sequence]

describe.each(fabrics)('capture on the %s fabric', (_name, make) => {
  test('shows an unreliable connected message without answers', () => {
    const packets = captured(make(), { service: 'unreliableConnected' }, ({ a, b }) => {
      b.qp.postReceive({ segments: [part(b, 0, 2500)] })
      a.qp.postSend({ opcode: 'sendWithImmediate', segments: [part(a, 0, 2500)], immediate: 7 })
    })
    const expected = [0x20, 0x21, 0x23].map((opcode, at) => [1, 2, opcode, 100 + at])
    expect(packets.map(brief)).toEqual(expected)
    expect(packets.map(({ payload }) => payload.length)).toEqual([1024, 1024, 452])
    expect(packets[2]!.immediate).toBe(7)
  })

  test.each([false, true])('shows a datagram with its queue key, route header %s', (isGlobal) => {
    const packets = captured(make(), { service: 'unreliableDatagram' }, ({ a, b }) => {
      const global = { destinationGlobalIdentifier: b.device.globalIdentifier, hopLimit: 3 }
      const addressHandle = a.domain.createAddressHandle({
        ...{ destinationLocalIdentifier: 2, port: 1, serviceLevel: 5 },
        ...(isGlobal ? { global } : {}),
      })
      const destination = { addressHandle, queuePairNumber: b.qp.number, queueKey: QUEUE_KEY }
      a.qp.postSend({ opcode: 'send', segments: [part(a, 0, 77)], destination })
    })
    expect(packets).toMatchObject([
      {
        ...{ from: 1, to: 2, opcode: 0x64, sequence: 100, global: isGlobal },
        datagram: { queueKey: QUEUE_KEY, source: packets[0]!.datagram!.source },
      },
    ])
    expect(packets[0]!.bytes[1]! >> 4).toBe(5)
    expect(packets[0]!.payload).toHaveLength(77)
  })

  test('shows a refusal as a negative acknowledgement', () => {
    const packets = captured(make(), {}, ({ a, b }) => {
      const segments = [part(a, 0, 16)]
      const remoteKey = b.buffer.remoteKey + 1
      a.qp.postSend({ opcode: 'rdmaWrite', segments, remoteAddress: 0, remoteKey })
    })
    expect(packets.map(brief)).toEqual([
      [1, 2, 0x0a, 100],
      [2, 1, 0x11, 100],
    ])
    expect(packets[1]!.acknowledge).toEqual({ syndrome: 0x62, messages: 0 })
  })

  test('shows the key of a send with invalidate', () => {
    const packets = captured(make(), {}, ({ a, b }) => {
      b.qp.postReceive({ segments: [] })
      a.qp.postSend({ opcode: 'sendWithInvalidate', invalidateKey: 0xabcdef })
    })
    expect(packets[0]).toMatchObject({ opcode: 0x17, invalidate: 0xabcdef })
  })
})

describe('capture on the direct fabric', () => {
  test('begins anew with the first sequence number after a reset', () => {
    const packets = captured(fabrics[0]![1](), {}, (world) => {
      const { a, b } = world
      const write = (remoteKey: number): void => {
        const segments = [part(a, 0, 2000)]
        const remoteAddress = b.buffer.address
        a.qp.postSend({ opcode: 'rdmaWrite', segments, remoteAddress, remoteKey })
      }
      write(b.buffer.remoteKey)
      write(b.buffer.remoteKey + 1)
      write(b.buffer.remoteKey)
      reconnect(world)
      write(b.buffer.remoteKey)
    })
    const of = (sender: number): Dissected[] => packets.filter(({ from }) => from === sender)
    // Two packets each; the third was flushed and sent nothing.
    expect(of(1).map(({ sequence }) => sequence)).toEqual([100, 101, 102, 103, 100, 101])
    const answers = of(2).map(({ sequence, acknowledge }) => [sequence, acknowledge!.syndrome])
    expect(answers).toEqual([
      [101, 0x1f],
      [102, 0x62],
      [101, 0x1f],
    ])
  })

  test('names the packet that a receive had no room for', () => {
    const packets = captured(fabrics[0]![1](), {}, ({ a, b }) => {
      b.qp.postReceive({ segments: [part(b, 0, 1500)] })
      a.qp.postSend({ opcode: 'send', segments: [part(a, 0, 4000)] })
    })
    expect(packets.map(({ sequence }) => sequence)).toEqual([100, 101, 102, 103, 101])
    expect(packets.at(-1)!.acknowledge).toEqual({ syndrome: 0x61, messages: 0 })
  })

  test('does not show what the own HCA refuses', () => {
    const packets = captured(fabrics[0]![1](), {}, ({ a, b }) => {
      const segments = [{ ...part(a, 0, 8), localKey: a.buffer.localKey + 1 }]
      const remoteKey = b.buffer.remoteKey
      a.qp.postSend({ opcode: 'rdmaWrite', segments, remoteAddress: b.buffer.address, remoteKey })
    })
    expect(packets).toEqual([])
  })
})

describe('capture of packets in virtual time', () => {
  test.each(['loss', 'corruption'] as const)('shows a packet again after its %s', (fault) => {
    const faults = new FaultPlan([{ fault }])
    const fabric = new PacketFabric({ faults })
    const packets = captured(fabric, {}, ({ a, b }) => {
      b.qp.postReceive({ segments: [part(b, 0, 64)] })
      a.qp.postSend({ opcode: 'send', segments: [part(a, 0, 64)] })
    })
    const [first, again, answer] = packets
    for (const packet of [first!, again!]) expect(brief(packet)).toEqual([1, 2, 0x04, 100])
    expect(answer).toMatchObject({ opcode: 0x11, sequence: 100 })
    const right = ({ bytes, invariantCrc: crc }: Dissected): boolean =>
      crc === invariantCrc(bytes.subarray(0, -6), false)
    expect(right(first!)).toBe(fault === 'loss')
    expect(right(again!)).toBe(true)
    // 4.096 µs times 2 to the 14: the timeout.
    expect(again!.timeNs - first!.timeNs).toBeGreaterThan(67_000_000n)
  })
})
