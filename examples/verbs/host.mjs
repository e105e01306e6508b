// What every program of this tutorial begins with, once 01-connect.mjs has explained it.

import { Access, Device, WorkCompletion } from '@commworld/transport'

const BUFFER_BYTES = 4096
export const ALL_RIGHTS =
  Access.localWrite | Access.remoteWrite | Access.remoteRead | Access.remoteAtomic

/** An open device with a protection domain, a completion queue and a registered buffer. */
export function openHost(memory, index, fabric) {
  const device = Device.open(memory, index, fabric)
  const domain = device.allocateProtectionDomain()
  const completionQueue = device.createCompletionQueue({ entries: 64 })
  const address = memory.heap.allocate(BUFFER_BYTES)
  const region = domain.register(address, BUFFER_BYTES, ALL_RIGHTS)
  return { memory, device, domain, completionQueue, address, region }
}

/** A queue pair of a host, in state reset. */
export function createQueuePair({ domain, completionQueue }, options = {}) {
  const queues = { sendQueue: completionQueue, receiveQueue: completionQueue }
  return domain.createQueuePair({ ...queues, ...options })
}

/** Brings a queue pair up to the peer that is known by its LID, its number and its first PSN. */
export function bringUp(queuePair, { localIdentifier, number, psn = 0, access = ALL_RIGHTS }) {
  queuePair.modify({ state: 'init', port: 1, partitionKeyIndex: 0, access })
  queuePair.modify({
    state: 'readyToReceive',
    destinationLocalIdentifier: localIdentifier,
    destinationQueuePairNumber: number,
    pathMtuBytes: 1024,
    receivePacketSequenceNumber: psn,
    responderReadsMax: 16,
    receiverNotReadyTimer: 12,
  })
  queuePair.modify({
    state: 'readyToSend',
    timeout: 14,
    retryCount: 7,
    receiverNotReadyRetryCount: 7,
    sendPacketSequenceNumber: psn,
    initiatorReadsMax: 16,
  })
}

/** Two hosts' new queue pairs, connected to each other. For hosts in one thread. */
export function connectedPair(left, right, options = {}) {
  const ends = [createQueuePair(left, options), createQueuePair(right, options)]
  const { localIdentifier: leftLid } = left.device
  const { localIdentifier: rightLid } = right.device
  bringUp(ends[0], { localIdentifier: rightLid, number: ends[1].number })
  bringUp(ends[1], { localIdentifier: leftLid, number: ends[0].number })
  return ends
}

/** A piece of a host's buffer, as requests name it. */
export function piece({ address, region }, offset, bytes) {
  return { address: address + offset, bytes, localKey: region.localKey }
}

/** Waits for the next completion, spinning: a thread of its own may do that. */
export function nextCompletion({ completionQueue }) {
  const completion = new WorkCompletion()
  while (!completionQueue.pollOne(completion));
  return completion
}

/** Writes text into a host's buffer; how many bytes it has. */
export function writeText({ memory, address }, offset, text) {
  const bytes = new TextEncoder().encode(text)
  memory.u8.set(bytes, address + offset)
  return bytes.length
}

export function readText({ memory, address }, offset, bytes) {
  return new TextDecoder().decode(memory.u8.slice(address + offset, address + offset + bytes))
}
