import { createHcaTable } from '../../src/hca/hca-table.js'
import { WorldMemory } from '../../src/memory/world-memory.js'
import { Access } from '../../src/verbs/access.js'
import type { CompletionQueue } from '../../src/verbs/completion-queue.js'
import { Device } from '../../src/verbs/device.js'
import type { MemoryRegion } from '../../src/verbs/memory-region.js'
import type { ProtectionDomain } from '../../src/verbs/protection-domain.js'
import type { QueuePair } from '../../src/verbs/queue-pair.js'
import type { SendCapacities } from '../../src/verbs/send-capacities.js'
import type { SharedReceiveQueue } from '../../src/verbs/shared-receive-queue.js'
import { WorkCompletion } from '../../src/verbs/work-completion.js'

/** A device with one of everything, and 4 KiB of registered memory. */
export interface Host {
  memory: WorldMemory
  device: Device
  domain: ProtectionDomain
  cq: CompletionQueue
  srq: SharedReceiveQueue
  buffer: MemoryRegion
}

export const ALL_RIGHTS = Access.localWrite | Access.remoteWrite | Access.remoteRead
export const BUFFER_BYTES = 4096

/** A world of listening hosts on one thread. */
export function hosts(
  count: number,
  capacities: SendCapacities = {},
  receives = 16,
  memory = WorldMemory.create({ bytes: 4 * 2 ** 20 }),
): Host[] {
  createHcaTable(memory, count)
  return Array.from({ length: count }, (_, index) => host(memory, index, capacities, receives))
}

function host(
  memory: WorldMemory,
  index: number,
  capacities: SendCapacities,
  receives: number,
): Host {
  const device = Device.open(memory, index)
  const domain = device.allocateProtectionDomain()
  const cq = device.createCompletionQueue({ entries: 256 })
  const srq = domain.createSharedReceiveQueue({ entries: receives, segmentsMax: 4 })
  const address = memory.heap.allocate(BUFFER_BYTES)
  const buffer = domain.register(address, BUFFER_BYTES, ALL_RIGHTS)
  device.listen({
    ...capacities,
    domain,
    sendQueue: cq,
    receiveQueue: cq,
    sharedReceiveQueue: srq,
    access: ALL_RIGHTS,
  })
  return { memory, device, domain, cq, srq, buffer }
}

/** Two connected hosts and both ends of their queue pair. */
export function pair(capacities: SendCapacities = {}) {
  const [a, b] = hosts(2, capacities) as [Host, Host]
  const qa = a.device.connect(1) as QueuePair
  const qb = b.device.findQueuePair(0) as QueuePair
  return { a, b, qa, qb, memory: a.memory }
}

/** Everything that can be polled now. */
export function pollAll(cq: CompletionQueue): WorkCompletion[] {
  const completions: WorkCompletion[] = []
  for (;;) {
    const completion = new WorkCompletion()
    if (!cq.pollOne(completion)) return completions
    completions.push(completion)
  }
}

/** Status names and work request ids of everything that can be polled now. */
export function outcomes(cq: CompletionQueue): string[] {
  return pollAll(cq).map(({ workRequestId, statusName }) => `${workRequestId} ${statusName}`)
}

export function write(memory: WorldMemory, address: number, bytes: ArrayLike<number>): void {
  memory.u8.set(bytes, address)
}

export function readBytes(memory: WorldMemory, address: number, length: number): number[] {
  return [...memory.u8.subarray(address, address + length)]
}

/** Two queue pairs with receive queues of their own, connected by exchanging numbers. */
export function connectByHand(a: Host, b: Host) {
  const create = ({ domain, cq }: Host) =>
    domain.createQueuePair({ sendQueue: cq, receiveQueue: cq })
  const ends = [create(a), create(b)] as const
  ends.forEach((end, index) => {
    const peer = { device: [b, a][index]!.device, number: ends[1 - index]!.number }
    end.modify(toInit)
    end.modify(toReadyToReceive(peer.device.localIdentifier, peer.number))
    end.modify(toReadyToSend)
  })
  return { qa: ends[0], qb: ends[1] }
}

/** The usual bring-up, step by step. */
export const toInit = {
  state: 'init',
  port: 1,
  partitionKeyIndex: 0,
  access: ALL_RIGHTS,
} as const

export function toReadyToReceive(localIdentifier: number, queuePairNumber: number) {
  return {
    state: 'readyToReceive',
    destinationLocalIdentifier: localIdentifier,
    destinationQueuePairNumber: queuePairNumber,
    pathMtuBytes: 1024,
    receivePacketSequenceNumber: 0,
    responderReadsMax: 1,
    receiverNotReadyTimer: 12,
  } as const
}

export const toReadyToSend = {
  state: 'readyToSend',
  timeout: 14,
  retryCount: 7,
  receiverNotReadyRetryCount: 7,
  sendPacketSequenceNumber: 0,
  initiatorReadsMax: 1,
} as const
