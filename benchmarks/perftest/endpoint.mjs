import { Access, capture, Device, Send, WorkCompletion, WorldMemory } from '@commworld/transport'

const RECEIVES = 512
const RIGHTS = Access.localWrite | Access.remoteWrite | Access.remoteRead | Access.remoteAtomic

/** Words of the board in shared memory on which each side says what the other must know. */
const BOARD_WORDS = 8
export const BOARD_BYTES = 2 * BOARD_WORDS * 4 + 64
const MEETING = 2 * BOARD_WORDS

/**
 * One side of a test: a device, a queue pair connected by hand, and a buffer for messages. What
 * perftest exchanges by TCP goes through a board in the world's memory.
 */
export class Endpoint {
  constructor({ shared, board, side, options }) {
    const { depth, mtuBytes, inlineBytes, sizes, pcap } = options
    this.memory = WorldMemory.attach(shared)
    this.board = board >>> 2
    this.side = side
    this.meetings = 0
    this.capture = pcap === undefined ? undefined : capture(pcap, { part: side })
    this.device = Device.open(this.memory, side, this.capture?.fabric)
    const domain = this.device.allocateProtectionDomain()
    this.sendQueue = this.device.createCompletionQueue({ entries: 2 * depth + 16 })
    this.receiveQueue = this.device.createCompletionQueue({ entries: 2 * RECEIVES })
    const bytes = Math.max(...sizes, 8)
    this.address = this.memory.heap.allocate(2 * bytes)
    this.target = this.address + bytes
    this.region = domain.register(this.address, 2 * bytes, RIGHTS)
    this.queuePair = domain.createQueuePair({
      ...{ sendQueue: this.sendQueue, receiveQueue: this.receiveQueue },
      ...{ sendEntries: depth + 1, receiveEntries: RECEIVES, inlineBytesMax: inlineBytes },
    })
    this.completion = new WorkCompletion()
    this.sequence = Math.floor(Math.random() * 2 ** 24)
    this.own = [this.device.localIdentifier, this.queuePair.number, this.sequence]
    this.own.push(this.region.remoteKey | 0, this.target | 0)
    this.peer = this.exchange(this.own)
    this.connect(mtuBytes)
    this.meet()
  }

  exchange(words) {
    const { i32 } = this.memory
    words.forEach((word, at) => (i32[this.board + this.side * BOARD_WORDS + at] = word))
    this.meet()
    const other = this.board + (1 - this.side) * BOARD_WORDS
    return words.map((_, at) => i32[other + at])
  }

  /** Returns when both sides have come here as often. */
  meet() {
    const { i32 } = this.memory
    this.meetings++
    Atomics.add(i32, this.board + MEETING, 1)
    while (Atomics.load(i32, this.board + MEETING) < 2 * this.meetings) this.device.progress()
  }

  connect(pathMtuBytes) {
    const [destinationLocalIdentifier, destinationQueuePairNumber, psn] = this.peer
    this.queuePair.modify({ state: 'init', port: 1, partitionKeyIndex: 0, access: RIGHTS })
    this.queuePair.modify({
      ...{ state: 'readyToReceive', destinationLocalIdentifier, destinationQueuePairNumber },
      ...{ pathMtuBytes, receivePacketSequenceNumber: psn },
      ...{ responderReadsMax: 16, receiverNotReadyTimer: 12 },
    })
    this.queuePair.modify({
      ...{ state: 'readyToSend', timeout: 14, retryCount: 7, receiverNotReadyRetryCount: 7 },
      ...{ sendPacketSequenceNumber: this.sequence, initiatorReadsMax: 16 },
    })
  }

  postReceive(bytes) {
    const segments = [{ address: this.target, bytes, localKey: this.region.localKey }]
    this.queuePair.postReceive({ segments })
  }

  /** Posts one request of the test; `signaled` ones give a completion. */
  post(name, bytes, inline, flags = Send.signaled) {
    const { queuePair, address, region, peer } = this
    const [, , , remoteKey, target] = peer
    switch (name) {
      case 'send':
        if (inline) return queuePair.sendInline(address, bytes, 0, 0, 0, flags)
        return queuePair.send(address, bytes, region.localKey, 0, flags)
      case 'write':
        return queuePair.write(address, bytes, region.localKey, target >>> 0, remoteKey, 0, flags)
      default:
        return queuePair.read(address, bytes, region.localKey, target >>> 0, remoteKey, 0, flags)
    }
  }

  /** Takes the next completion of `queue`. @throws when it is not a success */
  next(queue) {
    while (!queue.pollOne(this.completion));
    if (this.completion.status !== 0) throw new Error(this.completion.statusText)
  }

  close() {
    this.queuePair.destroy()
    this.device.close()
    this.capture?.close()
  }
}

export { RECEIVES }
