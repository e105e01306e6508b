import { PacketFabric } from '../../src/fabric/packets/packet-fabric.js'
import type { PacketFabricOptions } from '../../src/fabric/packets/packet-fabric.js'
import type { QueuePairChange } from '../../src/hca/queue-pair/modify-queue-pair.js'
import { createHcaTable } from '../../src/hca/hca-table.js'
import { WorldMemory } from '../../src/memory/world-memory.js'
import { Access } from '../../src/verbs/access.js'
import type { CompletionQueue } from '../../src/verbs/completion-queue.js'
import { Device } from '../../src/verbs/device.js'
import type { MemoryRegion } from '../../src/verbs/memory-region.js'
import type { ProtectionDomain } from '../../src/verbs/protection-domain.js'
import type { QueuePair, QueuePairOptions } from '../../src/verbs/queue-pair.js'
import type { Fabric } from '../../src/fabric/fabric.js'
import { directFabric } from '../../src/fabric/direct.js'

export const FULL = Access.localWrite | Access.remoteWrite | Access.remoteRead | Access.remoteAtomic
export const QUEUE_KEY = 0x11111111
export const BUFFER = 64 * 1024

/** One side of a connection, with everything a test may want to touch. */
export interface Side {
  memory: WorldMemory
  device: Device
  domain: ProtectionDomain
  cq: CompletionQueue
  buffer: MemoryRegion
  qp: QueuePair
}

type Service = 'reliableConnected' | 'unreliableConnected' | 'unreliableDatagram'

export interface LinkOptions {
  fabric?: Fabric
  service?: Service
  pair?: Partial<QueuePairOptions>
  /** Attributes that differ from the usual. */
  toReceive?: QueuePairChange
  toSend?: QueuePairChange
  access?: number
}

/** Runs the virtual time of a packet fabric until nothing is left; nothing to do on the direct one. */
export interface Link {
  a: Side
  b: Side
  sides: readonly [Side, Side]
  memory: WorldMemory
  run(forNs?: number): void
  fabric: Fabric
}

/** Two devices with a queue pair each, in state reset. */
export function sides({
  fabric = directFabric,
  service = 'reliableConnected',
  pair = {},
}: LinkOptions = {}): Link {
  const memory = WorldMemory.create({ bytes: 8 * 2 ** 20 })
  createHcaTable(memory, 2)
  const [a, b] = [0, 1].map((index): Side => {
    const device = Device.open(memory, index, fabric)
    const domain = device.allocateProtectionDomain()
    const cq = device.createCompletionQueue({ entries: 512 })
    const buffer = domain.register(memory.heap.allocate(BUFFER), BUFFER, FULL | Access.windowBind)
    const qp = domain.createQueuePair({
      ...{ sendQueue: cq, receiveQueue: cq, service, segmentsMax: 4, sendEntries: 128 },
      ...pair,
    })
    return { memory, device, domain, cq, buffer, qp }
  }) as [Side, Side]
  const run = (forNs?: number): void => {
    if (fabric instanceof PacketFabric) fabric.run(forNs)
    for (const { device } of [a, b]) device.progress()
    if (fabric instanceof PacketFabric) fabric.run(forNs === undefined ? undefined : 0)
  }
  return { a, b, sides: [a, b], memory, run, fabric }
}

/** The attributes of each step of the usual bring-up, for the service of a queue pair. */
export function steps(own: Side, peer: Side, options: LinkOptions = {}): QueuePairChange[] {
  const service = own.qp.service
  const { toReceive = {}, toSend = {}, access = FULL } = options
  const connected = {
    destinationLocalIdentifier: peer.device.localIdentifier,
    destinationQueuePairNumber: peer.qp.number,
    pathMtuBytes: 1024,
    receivePacketSequenceNumber: 100,
  }
  const psn = { sendPacketSequenceNumber: 100 }
  if (service === 'unreliableDatagram') {
    return [
      { state: 'init', port: 1, partitionKeyIndex: 0, queueKey: QUEUE_KEY },
      { state: 'readyToReceive', ...toReceive },
      { state: 'readyToSend', ...psn, ...toSend },
    ]
  }
  const init = { state: 'init', port: 1, partitionKeyIndex: 0, access } as const
  if (service === 'unreliableConnected') {
    return [
      init,
      { state: 'readyToReceive', ...connected, ...toReceive },
      { state: 'readyToSend', ...psn, ...toSend },
    ]
  }
  return [
    init,
    {
      ...{ state: 'readyToReceive', responderReadsMax: 4, receiverNotReadyTimer: 12 },
      ...connected,
      ...toReceive,
    },
    {
      ...{ state: 'readyToSend', timeout: 14, retryCount: 7, receiverNotReadyRetryCount: 7 },
      ...{ initiatorReadsMax: 4, ...psn, ...toSend },
    },
  ]
}

/** Brings a side up to a state of the usual sequence. */
export function bringUp(own: Side, peer: Side, options: LinkOptions = {}, count = 3): void {
  for (const step of steps(own, peer, options).slice(0, count)) own.qp.modify(step)
}

/** Two sides, ready to send. */
export function link(options: LinkOptions = {}): Link {
  const both = sides(options)
  bringUp(both.a, both.b, options)
  bringUp(both.b, both.a, options)
  return both
}

/** The fabrics that acceptance cases run on. */
export const fabrics: [string, (options?: PacketFabricOptions) => Fabric][] = [
  ['direct', () => directFabric],
  ['packets', (options) => new PacketFabric(options)],
]

/** A segment of a side's buffer. */
export function part(side: Side, offset: number, bytes: number) {
  return { address: side.buffer.address + offset, bytes, localKey: side.buffer.localKey }
}

/** Where at a side RDMA goes. */
export function remote(side: Side, offset: number) {
  return { remoteAddress: side.buffer.address + offset, remoteKey: side.buffer.remoteKey }
}

/** Fills part of a side's buffer with a pattern that depends on `seed`. */
export function fill(side: Side, offset: number, bytes: number, seed: number): number[] {
  const pattern = Array.from({ length: bytes }, (_, index) => (index * 7 + seed * 31 + 1) & 0xff)
  side.memory.u8.set(pattern, side.buffer.address + offset)
  return pattern
}

export function peek(side: Side, offset: number, bytes: number): number[] {
  const start = side.buffer.address + offset
  return [...side.memory.u8.subarray(start, start + bytes)]
}

/** Both ends out of the error state and connected again. */
export function reconnect({ a, b }: Link, options: LinkOptions = {}): void {
  for (const { qp } of [a, b]) qp.modify({ state: 'reset' })
  bringUp(a, b, options)
  bringUp(b, a, options)
}
