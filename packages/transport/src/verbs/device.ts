import { connect, listen, stopListening } from '../hca/connection/connection-manager.js'
import { breakAttached, enterError } from '../hca/queue-pair/error-state.js'
import { openEvents, raiseEvent, scratchOf, takeEvents } from '../hca/port/events.js'
import type { RaisedEvent } from '../hca/port/events.js'
import {
  globallyUniqueIdentifier,
  writeGlobalIdentifier,
} from '../hca/datagram/global-identifier.js'
import { failDevice, forgetPeers, openPort, PORT_NUMBER } from '../hca/port/port.js'
import { hcaCount } from '../hca/hca-table.js'
import { Hca } from '../hca/hca.js'
import { PacketEngine } from '../hca/packets/packet-engine.js'
import { progress } from '../hca/requester/progress.js'
import {
  findQueuePairByPeer,
  firstQueuePair,
  nextQueuePair,
} from '../hca/queue-pair/queue-pair-list.js'
import { demand, VerbsError } from '../hca/verbs-error.js'
import { directFabric } from '../fabric/direct.js'
import type { Fabric } from '../fabric/fabric.js'
import type { WorldMemory } from '../memory/world-memory.js'
import { hasReady } from '../ring/ready-list.js'
import { GID_BYTES } from '../wire/address-handle.js'
import {
  EVENT_CQ_ERROR,
  EVENT_DEVICE_FATAL,
  EVENT_PARTITION_KEY_CHANGE,
} from '../wire/asynchronous-event.js'
import { EVENT_PORT_ERROR } from '../wire/asynchronous-event.js'
import { FATAL } from '../wire/completion-status.js'
import { CAUSE_DEVICE_FAILED } from '../wire/error-cause.js'
import { HCA_DOORBELL, HCA_OPEN } from '../wire/hca-block.js'
import { QP_NUMBER } from '../wire/queue-pair.js'
import type { AccessFlags } from './access.js'
import { AsynchronousEvents } from './asynchronous-events.js'
import type { EventSubject } from './asynchronous-events.js'
import { CompletionChannel } from './completion-channel.js'
import { CompletionQueue } from './completion-queue.js'
import { ConnectionAgent } from './connection/connection-agent.js'
import { ConnectionIdentifier } from './connection/connection-identifier.js'
import type { PortSpace } from './connection/connection-identifier.js'
import { EventChannel } from './connection/event-channel.js'
import { DEVICE_CAPABILITIES } from './device-attributes.js'
import type { DeviceAttributes } from './device-attributes.js'
import { DEVICE_LIMITS } from './device-limits.js'
import { DeviceMemory } from './device-memory.js'
import { CheckedMapping } from './mapping.js'
import {
  demandPort,
  queryPartitionKey,
  queryPort,
  setPartitionKey,
  setPortState,
} from './port-attributes.js'
import type { PortAttributes } from './port-attributes.js'
import { ProtectionDomain } from './protection-domain.js'
import { QueuePair } from './queue-pair.js'
import { checkSendCapacities } from './send-capacities.js'
import type { SendCapacities } from './send-capacities.js'
import { SharedReceiveQueue } from './shared-receive-queue.js'

/** What queue pairs of the connection manager are made from, on this device. */
export interface ListenOptions extends SendCapacities {
  domain: ProtectionDomain
  sendQueue: CompletionQueue
  receiveQueue: CompletionQueue
  sharedReceiveQueue: SharedReceiveQueue
  /** What peers may do through them. */
  access: AccessFlags
}

/**
 * An open HCA: where a thread gets everything else from. One thread uses a device and all that comes
 * from it; other threads reach its objects only through the fabric.
 *
 * @example
 * createHcaTable(memory, 2)                       // once a world
 * const device = Device.open(memory, 0)
 * const domain = device.allocateProtectionDomain()
 * const cq = device.createCompletionQueue({ entries: 256 })
 * const srq = domain.createSharedReceiveQueue({ entries: 64 })
 * device.listen({ domain, sendQueue: cq, receiveQueue: cq, sharedReceiveQueue: srq, access: Access.remoteRead })
 * const qp = device.connect(1)                    // once device 1 listens as well
 */
export class Device {
  readonly #hca: Hca
  readonly #queuePairs = new Map<number, QueuePair>()
  #open = true
  /** Asynchronous events, delivered while this thread makes progress. */
  readonly events: AsynchronousEvents

  readonly #agent: ConnectionAgent

  private constructor(hca: Hca) {
    this.#hca = hca
    this.events = new AsynchronousEvents(hca, (raised) => this.#subjectOf(raised))
    this.#agent = new ConnectionAgent(hca)
    const attend = (): void => this.#attend()
    hca.attend = attend
    const warn = (text: string): void => this.events.warn(text)
    hca.warn = warn
  }

  /**
   * Opens HCA `index` of a world for the calling thread.
   *
   * @throws {VerbsError} EINVAL: no such HCA; EBUSY: it is open
   */
  static open(memory: WorldMemory, index: number, fabric: Fabric = directFabric): Device {
    const count = hcaCount(memory.i32)
    demand(Number.isInteger(index) && index >= 0 && index < count, `no HCA ${index} among ${count}`)
    const hca = new Hca(memory, index, fabric)
    // Exchanged, so that of two threads one gets the device.
    const before = Atomics.exchange(memory.i32, (hca.block + HCA_OPEN) >>> 2, 1)
    if (before !== 0) throw new VerbsError('EBUSY', `HCA ${index} is open`)
    openEvents(memory.i32, memory.heap, hca.block)
    hca.scratch = scratchOf(memory.i32, hca.block)
    openPort(memory.i32, hca.block)
    fabric.join?.(hca)
    if (fabric.network !== undefined) hca.packets = new PacketEngine(hca, fabric.network)
    return new Device(hca)
  }

  /** Place of the HCA in the world, from 0. */
  get index(): number {
    return this.#hca.index
  }

  /** LID of its port. */
  get localIdentifier(): number {
    return this.#hca.index + 1
  }

  /** GID of its port: 16 bytes in network order. */
  get globalIdentifier(): Uint8Array {
    const gid = new Uint8Array(GID_BYTES)
    writeGlobalIdentifier(gid, this.#hca.index)
    return gid
  }

  /** What the device is and how much it creates (ibv_query_device.3). */
  query(): DeviceAttributes {
    return {
      limits: DEVICE_LIMITS,
      nodeGuid: globallyUniqueIdentifier(this.#hca.index),
      systemImageGuid: globallyUniqueIdentifier(-1),
      physicalPortCount: 1,
      atomicCapability: 'global',
      capabilities: DEVICE_CAPABILITIES,
      onDemandPaging: false,
      extendedReliableConnection: false,
      tagMatching: false,
      firmwareVersion: '1.0.0',
    }
  }

  /** State and attributes of a port (ibv_query_port.3). @throws {VerbsError} EINVAL: no such port */
  queryPort(port: number): PortAttributes {
    return queryPort(this.#hca, port)
  }

  /** An entry of a port's GID table (ibv_query_gid.3). @throws {VerbsError} EINVAL: beyond the table */
  queryGlobalIdentifier(port: number, index: number): Uint8Array {
    demandPort(port)
    demand(index === 0, `the table of GIDs has one entry, none at ${index}`)
    return this.globalIdentifier
  }

  /** An entry of a port's partition key table, 0 when empty. @throws {VerbsError} EINVAL */
  queryPartitionKey(port: number, index: number): number {
    demandPort(port)
    return queryPartitionKey(this.#hca, index)
  }

  /** Puts a partition key into a port's table, as the subnet manager does. @throws {VerbsError} EINVAL */
  setPartitionKey(port: number, index: number, key: number): void {
    demandPort(port)
    setPartitionKey(this.#hca, index, key)
    this.#raise(EVENT_PARTITION_KEY_CHANGE)
  }

  /**
   * Changes the state of a port, as pulling its cable would, or the subnet manager. Data pass in state
   * `active` only; queue pairs keep their states (events `portError`, `portActive`).
   */
  setPortState(port: number, state: 'down' | 'init' | 'armed' | 'active'): void {
    demandPort(port)
    setPortState(this.#hca, state)
  }

  /** The device fails as a whole: event `deviceFatal`; every queue pair goes to the error state. */
  fail(): void {
    failDevice(this.#hca, this.#hca.block)
    this.progress()
  }

  #raise(event: number): void {
    raiseEvent(this.#hca, this.#hca.block, { event, subject: PORT_NUMBER, number: 0 })
  }

  /** Address of the doorbell that is rung when something arrives (ring/doorbell.ts). */
  get doorbellAddress(): number {
    return this.#hca.block + HCA_DOORBELL
  }

  /** Whether peers' memory may be used through checked mappings. */
  get mapsMemory(): boolean {
    return this.#hca.fabric.mapsMemory
  }

  /** @throws {VerbsError} EINVAL: impossible size or alignment */
  allocateDeviceMemory(bytes: number, options: { alignmentLog?: number } = {}): DeviceMemory {
    return new DeviceMemory(this.#hca, bytes, options.alignmentLog ?? 6)
  }

  allocateProtectionDomain(): ProtectionDomain {
    return new ProtectionDomain(this.#hca)
  }

  /** @throws {VerbsError} EINVAL: impossible size */
  createCompletionQueue(options: {
    entries: number
    /** Where its events go. */
    channel?: CompletionChannel
    /** 0, the only one. */
    completionVector?: number
  }): CompletionQueue {
    const { entries, channel, completionVector = 0 } = options
    demand(completionVector === 0, `there is no completion vector ${completionVector}`)
    return new CompletionQueue(this.#hca, entries, channel)
  }

  /** Where events of connections come (rdma_create_event_channel.3). */
  createEventChannel(): EventChannel {
    return new EventChannel(this.#hca)
  }

  /** An end of a connection to be, or one to listen with (rdma_create_id.3). */
  createConnectionIdentifier(
    channel: EventChannel,
    space: PortSpace = 'reliable',
  ): ConnectionIdentifier {
    return new ConnectionIdentifier(this.#agent, channel, space)
  }

  createCompletionChannel(): CompletionChannel {
    return new CompletionChannel(this.#hca)
  }

  /**
   * Lets peers connect: from now on queue pairs to this device are made from these objects, by
   * `connect` on either side.
   */
  listen(options: ListenOptions): void {
    const { domain, sendQueue, receiveQueue, sharedReceiveQueue, access } = options
    const { sendEntries, segmentsMax, inlineBytesMax, signalAll } = checkSendCapacities(options)
    listen(this.#hca, {
      sendEntries,
      segmentsMax,
      inlineBytesMax,
      signalAll,
      domain: domain.address,
      sendCq: sendQueue.address,
      receiveCq: receiveQueue.address,
      srq: sharedReceiveQueue.address,
      access,
    })
  }

  /**
   * The queue pair that connects this device to HCA `peerIndex`, ready to send: the one there is, or a
   * new one. Nothing is needed from the peer's thread but that it has called `listen` once.
   *
   * @returns `undefined` while this device or the peer does not listen
   */
  connect(peerIndex: number): QueuePair | undefined {
    return this.#wrap(connect(this.#hca, peerIndex))
  }

  /** The queue pair that a peer, or `connect`, has made; `undefined` when there is none. */
  findQueuePair(peerIndex: number): QueuePair | undefined {
    return this.#wrap(findQueuePairByPeer(this.#hca.i32, this.#hca.block, peerIndex))
  }

  /**
   * All queue pairs of this device, those that peers have made included. A peer that destroys its
   * end and connects again leaves the old one here, to be destroyed by this device.
   */
  queuePairs(): QueuePair[] {
    const { i32, block } = this.#hca
    const all: QueuePair[] = []
    for (let here = firstQueuePair(i32, block); here !== 0; here = nextQueuePair(i32, here)) {
      all.push(this.#wrap(here)!)
    }
    return all
  }

  /**
   * Validates a range of the memory of `queuePair`'s peer for direct use by this thread.
   *
   * @param access the right that is needed: `Access.remoteWrite`, `Access.remoteRead` or both
   * @returns `undefined` when the peer would refuse the same RDMA request, or the fabric maps none
   */
  map(
    queuePair: QueuePair,
    remoteAddress: number,
    bytes: number,
    remoteKey: number,
    access: AccessFlags,
  ): CheckedMapping | undefined {
    return CheckedMapping.create(
      this.#hca,
      queuePair.address,
      remoteAddress,
      bytes,
      remoteKey,
      access,
    )
  }

  /**
   * Does what other threads left for this one: drives on requests whose receiver has become ready,
   * flushes queue pairs in the error state. Polling an empty completion queue does it too. One
   * atomic load when there is nothing.
   */
  progress(): void {
    progress(this.#hca)
  }

  /** Whether other threads left something for `progress` to do. */
  get hasWork(): boolean {
    return hasReady(this.#hca.i32, this.#hca.block)
  }

  /** Closes the device: no peer connects any more. Objects are destroyed by who made them. */
  close(): void {
    if (!this.#open) return
    this.#open = false
    stopListening(this.#hca)
    Atomics.store(this.#hca.i32, (this.#hca.block + HCA_OPEN) >>> 2, 0) // for the next to open it
  }

  /** One object a queue pair, however often it is asked for. */
  #wrap(address: number): QueuePair | undefined {
    if (address === 0) return undefined
    const known = this.#queuePairs.get(address)
    const number = this.#hca.i32[(address + QP_NUMBER) >>> 2]!
    if (known !== undefined && known.number === number) return known
    const made = this.#hca.objects.get(address)
    if (made instanceof QueuePair && made.number === number) return made
    const queuePair = new QueuePair(this.#hca, address)
    this.#queuePairs.set(address, queuePair)
    return queuePair
  }

  /** Called when events have been raised, at the end of progress. */
  #attend(): void {
    for (const raised of takeEvents(this.#hca)) {
      if (raised.event === EVENT_CQ_ERROR) breakAttached(this.#hca, raised.subject)
      if (raised.event === EVENT_DEVICE_FATAL) this.#loseAll()
      if (raised.event === EVENT_PORT_ERROR) forgetPeers(this.#hca)
      this.events.deliver(raised)
    }
    this.#agent.attend()
  }

  #loseAll(): void {
    for (const { address, state } of this.queuePairs()) {
      if (state !== 'reset') enterError(this.#hca, address, FATAL, 0, CAUSE_DEVICE_FAILED)
    }
  }

  #subjectOf({ event, subject, number }: RaisedEvent): EventSubject | undefined {
    if (number !== 0) {
      const { i32 } = this.#hca
      if (i32[(subject + QP_NUMBER) >>> 2] !== number) return undefined
      const queuePair = this.#wrap(subject)
      return queuePair && { queuePair }
    }
    if (event === EVENT_DEVICE_FATAL) return {}
    const object = this.#hca.objects.get(subject)
    if (object instanceof CompletionQueue) return { completionQueue: object }
    if (object instanceof SharedReceiveQueue) return { sharedReceiveQueue: object }
    return subject === PORT_NUMBER ? { port: subject } : undefined
  }
}
