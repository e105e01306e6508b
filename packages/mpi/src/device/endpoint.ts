import {
  Access,
  type CompletionQueue,
  Device,
  directFabric,
  type Fabric,
  hcaAddress,
  MESSAGE_HEADER_BYTES,
  Post,
  type ProtectionDomain,
  Send,
  type SharedReceiveQueue,
  wakeOwner,
  WorkCompletion,
  type WorldMemory,
} from '@commworld/transport'
import { InternalError, UnreachableError } from '../errors/index.js'
import { BufferStock } from './buffer-stock.js'
import { Counters } from './counters.js'
import {
  ADDRESS,
  BYTES,
  CONTEXT,
  HEAD,
  headType,
  KEY,
  REQUEST,
  RING_OFFER,
  SOURCE,
  TAG,
} from './message.js'
import { headerOnly, type Outgoing, Peer } from './peer.js'
import { PolledRings } from './polled-rings.js'
import { PendingArrivals, type ChooseSender } from './pending-arrivals.js'
import { RegisteredMemory, type Registrar } from './registered-memory.js'
import type { EndpointSettings } from './settings.js'
import { StagingMemory } from './staging-memory.js'
import { StagingPool } from './staging-pool.js'

/** What comes in. */
export interface MessageHandler {
  /** A message whose header lies at `address`; what is needed of it must be taken now. */
  arrived(address: number, peer: Peer): void
  readCompleted(token: number, status: number): void
}

/** Messages through the shared receive queue after which a peer is hot and is offered a ring. */
const HOT = 8
const LINE_BYTES = 64
/** Offset of the mark that says whether a doorbell's owner sleeps. */
const DOORBELL_MARK = 4
/** A mask: of so many looks one goes to the queues, where hot peers never send. */
const QUEUE_LOOKS = 7
/** Marks the work requests of READs; those of sends are the number of their buffer. */
const READ = 0x4000_0000

/** What the endpoints of ranks that share a thread have in common. */
export interface SharedEndpoints {
  readonly staging: StagingMemory
  /** Opens the endpoint of a rank, whom somebody is about to connect to. */
  open(rank: number): void
}

/** A READ that waits until others are complete. */
interface WaitingRead {
  readonly peer: Peer
  readonly local: number
  readonly remote: number
  readonly key: number
  readonly bytes: number
  readonly token: number
}

/**
 * One rank's end of the network: its device, its shared receive queue, its peers, and the one
 * function that makes progress. Everything above sees messages with a header and RDMA READs.
 *
 * Cold peers are reached by SEND into their shared receive queue, hot ones by polled rings. Ranks that
 * share a thread open theirs with their first message: their worlds are many, or large.
 */
export class Endpoint {
  readonly rank: number
  readonly counters = new Counters()
  readonly staging: StagingPool
  readonly registered: RegisteredMemory
  readonly creditBytes: number
  /** Address of the doorbell that peers ring. */
  readonly doorbell: number
  readonly #memory: WorldMemory
  readonly #i32: Int32Array
  readonly #settings: EndpointSettings
  readonly #fabric: Fabric
  readonly #shared: SharedEndpoints | undefined
  #device: Device | undefined
  #domain: ProtectionDomain | undefined
  /** Whether what follows is there. */
  #opened = false
  #receiveQueue!: CompletionQueue
  #sendQueue!: CompletionQueue
  #sharedReceives!: SharedReceiveQueue
  #receiveBuffers!: BufferStock
  #sendBuffers!: BufferStock
  #completion!: WorkCompletion
  #rings!: PolledRings
  readonly #peers: (Peer | undefined)[]
  readonly #backlogged = new Set<Peer>()
  readonly #waitingReads: WaitingRead[] = []
  readonly #watchers: (() => void)[] = []
  /** Addresses of the doorbells of ranks, as far as they were looked up. */
  readonly #doorbells: number[] = []
  #looks = 0
  /** Whether completions are being taken: what they cause is taken by the same loop. */
  #reaping = false
  #sendsUnderWay = 0
  /** Where the message in each send buffer goes. */
  readonly #sentTo: Peer[] = []
  #readsUnderWay = 0
  /** Buffer that `reserve` took last, for `post`; -1 when the message goes by ring. */
  #reserved = -1
  #handler: MessageHandler | undefined
  /** Whether what is sent now is needed at the other end even in a run for times alone. */
  sendsContent = false
  /** Told of each message that is posted, by ranks that share a thread. */
  onPost: ((peer: number) => void) | undefined
  /** And of what was written that a peer may watch. */
  onNews: ((peer: number) => void) | undefined
  readonly #choose: ChooseSender | undefined
  readonly #pending = new PendingArrivals()

  constructor(
    memory: WorldMemory,
    rank: number,
    ranks: number,
    settings: EndpointSettings,
    choose: ChooseSender | undefined,
    fabric: Fabric = directFabric,
    shared?: SharedEndpoints,
  ) {
    this.rank = rank
    this.creditBytes = settings.creditBytes
    this.#memory = memory
    this.#i32 = memory.i32
    this.#settings = settings
    this.#choose = choose
    this.#fabric = fabric
    this.#shared = shared
    this.doorbell = hcaAddress(memory.i32, rank)
    // Of many ranks on a thread each knows few others.
    this.#peers = shared === undefined ? new Array<undefined>(ranks).fill(undefined) : []
    const registrar = (): Registrar => this.registrar
    this.staging = new StagingPool(shared?.staging ?? new StagingMemory(memory), registrar)
    this.registered = new RegisteredMemory(memory, registrar)
    if (shared === undefined) this.open()
  }

  /** What gives memory the keys by which it is sent from and received into. */
  protected get registrar(): Registrar {
    this.#domain ??= this.#openDevice().allocateProtectionDomain()
    return this.#domain
  }

  /** Makes its queues: peers can connect to it from then on. */
  open(): void {
    if (this.#opened) return
    this.#opened = true
    const { eagerLimitBytes, receives, sends, reads, sendEntries, rings } = this.#settings
    const memory = this.#memory
    const device = this.#openDevice()
    const domain = (this.#domain ??= device.allocateProtectionDomain())
    this.#completion = new WorkCompletion()
    this.#receiveQueue = device.createCompletionQueue({ entries: 2 * receives })
    this.#sendQueue = device.createCompletionQueue({ entries: sends + reads })
    this.#sharedReceives = domain.createSharedReceiveQueue({ entries: receives })
    const lineBytes = MESSAGE_HEADER_BYTES + eagerLimitBytes
    const bufferBytes = Math.ceil(lineBytes / LINE_BYTES) * LINE_BYTES
    this.#receiveBuffers = this.#registerBuffers(domain, receives, bufferBytes)
    this.#sendBuffers = this.#registerBuffers(domain, sends, bufferBytes)
    this.#rings = new PolledRings(memory, device, domain, {
      messageBytes: bufferBytes,
      ringsMax: rings,
      send: (peer, message) => this.send(peer, message),
      take: (type, address, peer) => this.#take(type, address, peer),
    })
    for (
      let buffer = this.#receiveBuffers.take();
      buffer >= 0;
      buffer = this.#receiveBuffers.take()
    ) {
      this.#postReceive(buffer)
    }
    device.listen({
      domain,
      sendQueue: this.#sendQueue,
      receiveQueue: this.#receiveQueue,
      sharedReceiveQueue: this.#sharedReceives,
      access: Access.remoteRead | Access.remoteWrite,
      sendEntries,
      segmentsMax: 1,
      inlineBytesMax: 0,
      signalAll: true,
    })
  }

  /** Whether ranks may use each other's memory; otherwise everything goes by queue pairs. */
  get mapsMemory(): boolean {
    return this.#fabric.mapsMemory
  }

  /** Who takes in what comes; set once, before the first `progress`. */
  handleBy(handler: MessageHandler): void {
    this.#handler = handler
  }

  /** The rank with this number, connected at first use. */
  peer(rank: number): Peer {
    return this.#peers[rank] ?? this.#connect(rank)
  }

  /** Peers that this rank has exchanged messages with. */
  *peers(): Iterable<Peer> {
    for (const peer of this.#peers) if (peer !== undefined) yield peer
  }

  /**
   * Address at which to write a message of `payloadBytes` and its header, or 0 when there is no
   * room now. `post` must follow.
   */
  reserve(peer: Peer, payloadBytes: number): number {
    const ring = peer.ringOut
    if (ring !== undefined) {
      this.#reserved = -1
      return ring.mapping.valid() ? ring.sender.reserve(payloadBytes) : this.#unreachable(peer)
    }
    if (this.#sendsUnderWay === this.#settings.sends) this.#reapSends()
    this.#reserved = this.#sendBuffers.take()
    return this.#reserved < 0 ? 0 : this.#sendBuffers.addressOf(this.#reserved)
  }

  /**
   * Sends the message for which room was reserved. Its payload of `payloadBytes` is taken from
   * address `payload`, or was written behind the header already (`payload` 0).
   */
  post(
    peer: Peer,
    head: number,
    context: number,
    tag: number,
    bytes: number,
    request: number,
    address: number,
    key: number,
    payload: number,
    payloadBytes: number,
  ): void {
    const { rank } = this
    const ring = peer.ringOut
    if (ring !== undefined && this.#reserved < 0) {
      const { sender } = ring
      const asleep = sender.publish(
        head,
        context,
        tag,
        rank + 1,
        bytes,
        request,
        address,
        key,
        payload,
        payloadBytes,
      )
      if (asleep) wakeOwner(this.#i32, peer.doorbell)
      return
    }
    const at = this.#sendBuffers.addressOf(this.#reserved)
    const i32 = this.#i32
    const word = at >>> 2
    i32[word + HEAD] = head
    i32[word + CONTEXT] = context
    i32[word + TAG] = tag
    i32[word + BYTES] = bytes
    i32[word + SOURCE] = rank + 1
    i32[word + REQUEST] = request
    i32[word + ADDRESS] = address
    i32[word + KEY] = key
    if (payload !== 0) {
      this.#memory.kernels.copy(at + MESSAGE_HEADER_BYTES, payload, payloadBytes)
    }
    this.#postSend(peer, at, MESSAGE_HEADER_BYTES + payloadBytes)
  }

  /** Sends a message now, or when there is room. */
  send(peer: Peer, message: Outgoing): void {
    if (peer.backlog.length === 0 && this.#trySend(peer, message)) return
    peer.backlog.push(message)
    this.#backlogged.add(peer)
  }

  /** Sends a header alone that answers a message: `request` and `key` are what it says. */
  answer(peer: Peer, head: number, request: number, key: number): void {
    this.announce(peer, head, 0, 0, 0, request, 0, key)
  }

  /** Sends a header alone, which says where a payload of `bytes` lies. */
  announce(
    peer: Peer,
    head: number,
    context: number,
    tag: number,
    bytes: number,
    request: number,
    address: number,
    key: number,
  ): void {
    if (peer.backlog.length === 0 && this.reserve(peer, 0) !== 0) {
      this.post(peer, head, context, tag, bytes, request, address, key, 0, 0)
    } else {
      this.send(peer, headerOnly(head, { context, tag, bytes, request, address, key }))
    }
  }

  /** Whether anything that was sent has not yet been handed over. */
  get unsent(): boolean {
    return this.#backlogged.size > 0 || this.#sendsUnderWay > 0 || this.#readsUnderWay > 0
  }

  /**
   * Ranks that hold up what this one has sent: sends to them keep buffers that others wait for, or their
   * ring is full. For reports.
   */
  holders(): number[] {
    const holders: number[] = []
    for (const { rank, sendsUnderWay, backlog, ringOut } of this.peers()) {
      if (sendsUnderWay > 0 || (ringOut !== undefined && backlog.length > 0)) holders.push(rank)
    }
    return holders
  }

  /** Reads the peer's memory, if that is possible within this call. @returns whether it was */
  readAtOnce(peer: Peer, local: number, remote: number, key: number, bytes: number): boolean {
    const localKey = this.registered.keyOf(local, bytes) || this.staging.keyOf(local)
    return peer.queuePair.readAtOnce(local, bytes, localKey, remote, key)
  }

  /** Reads the peer's memory; `readCompleted` follows. */
  read(peer: Peer, local: number, remote: number, key: number, bytes: number, token: number): void {
    if (this.#readsUnderWay === this.#settings.reads) {
      this.#waitingReads.push({ peer, local, remote, key, bytes, token })
      return
    }
    const localKey = this.registered.keyOf(local, bytes) || this.staging.keyOf(local)
    const { queuePair } = peer
    const posted = queuePair.read(local, bytes, localKey, remote, key, READ | token, Send.signaled)
    if (posted === Post.ok) {
      this.#readsUnderWay++
      this.#reapSends()
    } else if (posted === Post.queueFull) {
      this.#waitingReads.push({ peer, local, remote, key, bytes, token })
    } else {
      this.#unreachable(peer)
    }
  }

  /** Takes in what has come and sends what can be sent. */
  progress(): void {
    if (this.#opened) {
      this.#rings.poll()
      this.#serveQueues()
    }
    if (this.#watchers.length > 0) this.#askWatchers()
  }

  /** The heart of every wait: as `progress`, but looks at the queues only now and then. */
  look(): void {
    this.#rings.poll()
    if (this.#watchers.length > 0) this.#askWatchers()
    if ((++this.#looks & QUEUE_LOOKS) === 0 || !this.#rings.some) this.#serveQueues()
  }

  /** Whether anything has come, or a request that waited for its receiver can go on. */
  get hasWork(): boolean {
    return (
      this.#opened &&
      (!this.#pending.empty ||
        !this.#receiveQueue.empty ||
        !this.#sendQueue.empty ||
        this.#device!.hasWork)
    )
  }

  /** Whether it waits for what peers write into the world's memory. */
  get watches(): boolean {
    return this.#watchers.length > 0
  }

  /** Has each progress ask `look`, which waits for what peers write into the world's memory. */
  watch(look: () => void): void {
    this.#watchers.push(look)
  }

  unwatch(look: () => void): void {
    const at = this.#watchers.indexOf(look)
    if (at >= 0) this.#watchers.splice(at, 1)
  }

  /** Tells a rank that something it may watch was written; costs a load when it is not asleep. */
  notify(rank: number): void {
    if (this.onNews !== undefined) {
      this.onNews(rank)
      return
    }
    const doorbell = (this.#doorbells[rank] ??= hcaAddress(this.#i32, rank))
    // Acquired after what was written, which the doorbell's argument needs.
    if (this.#memory.kernels.acquire(doorbell + DOORBELL_MARK) !== 0) wakeOwner(this.#i32, doorbell)
  }

  /** One step of a rank that shares its thread: sends what can be sent, takes in one message. */
  step(): boolean {
    this.#device?.progress()
    if (this.#watchers.length > 0) this.#askWatchers()
    if (this.#sendsUnderWay > 0 || this.#readsUnderWay > 0) this.#reapSends()
    if (this.#backlogged.size > 0) this.#sendBacklog()
    return this.progressOne()
  }

  /** In worlds with a choice stream: takes in one message. @returns whether there was one */
  progressOne(): boolean {
    if (!this.#opened) return false
    while (this.#receiveQueue.pollOne(this.#completion)) {
      const { source, workRequestId, status } = this.#completion
      this.#checkStatus(status, source)
      this.#pending.add(this.peer(source), workRequestId)
    }
    if (this.#pending.empty) return false
    const { peer, buffer } = this.#pending.take(this.#choose!)
    this.#takeBuffer(peer, buffer)
    return true
  }

  /** The list may change meanwhile: who is done leaves it. */
  #askWatchers(): void {
    for (let i = this.#watchers.length - 1; i >= 0; i--) this.#watchers[i]?.()
  }

  #serveQueues(): void {
    if (this.#choose === undefined) this.#takeArrivals()
    else while (this.progressOne());
    if (this.#sendsUnderWay > 0 || this.#readsUnderWay > 0) this.#reapSends()
    if (this.#backlogged.size > 0) this.#sendBacklog()
  }

  #takeArrivals(): void {
    while (this.#receiveQueue.pollOne(this.#completion)) {
      const { source, workRequestId, status } = this.#completion
      this.#checkStatus(status, source)
      this.#takeBuffer(this.peer(source), workRequestId)
    }
  }

  #takeBuffer(peer: Peer, buffer: number): void {
    const address = this.#receiveBuffers.addressOf(buffer)
    this.#take(headType(this.#i32[(address >>> 2) + HEAD]!), address, peer)
    this.#postReceive(buffer)
    if (++peer.arrivals === HOT) this.#rings.offer(peer)
  }

  #take(type: number, address: number, peer: Peer): void {
    if (type < RING_OFFER) this.#handler!.arrived(address, peer)
    else if (type === RING_OFFER) this.#rings.accept(peer, address)
    else this.#rings.start(peer)
  }

  #postReceive(buffer: number): void {
    const stock = this.#receiveBuffers
    this.#sharedReceives.receive(stock.addressOf(buffer), stock.bytes, stock.localKey, buffer)
  }

  #postSend(peer: Peer, address: number, bytes: number): void {
    const { localKey } = this.#sendBuffers
    const posted = peer.queuePair.send(address, bytes, localKey, this.#reserved, Send.signaled)
    if (posted !== Post.ok) this.#unreachable(peer)
    this.#sendsUnderWay++
    peer.sendsUnderWay++
    this.#sentTo[this.#reserved] = peer
    this.#reapSends()
    this.onPost?.(peer.rank)
  }

  #trySend(peer: Peer, message: Outgoing): boolean {
    const { head, context, tag, bytes, request, address, key, payload } = message
    const payloadBytes = payload === 0 ? 0 : bytes
    if (this.reserve(peer, payloadBytes) === 0) return false
    this.post(peer, head, context, tag, bytes, request, address, key, payload, payloadBytes)
    message.onPosted?.()
    return true
  }

  #sendBacklog(): void {
    for (const peer of this.#backlogged) {
      let sent = 0
      while (sent < peer.backlog.length && this.#trySend(peer, peer.backlog[sent]!)) sent++
      peer.backlog.splice(0, sent)
      if (peer.backlog.length === 0) this.#backlogged.delete(peer)
    }
  }

  /** Takes the completions of sends and READs, those that come of them included. */
  #reapSends(): void {
    if (this.#reaping) return
    this.#reaping = true
    while (this.#sendQueue.pollOne(this.#completion)) {
      const { workRequestId, status } = this.#completion
      if ((workRequestId & READ) === 0) {
        if (status !== 0) this.#sendFailed(this.#completion.queuePairNumber)
        this.#sendsUnderWay--
        this.#sentTo[workRequestId]!.sendsUnderWay--
        this.#sendBuffers.give(workRequestId)
      } else {
        this.#readsUnderWay--
        this.#handler!.readCompleted(workRequestId & ~READ, status)
        this.#startWaitingRead()
      }
    }
    this.#reaping = false
  }

  #startWaitingRead(): void {
    const next = this.#waitingReads.shift()
    if (next === undefined) return
    this.read(next.peer, next.local, next.remote, next.key, next.bytes, next.token)
  }

  #openDevice(): Device {
    return (this.#device ??= Device.open(this.#memory, this.rank, this.#fabric))
  }

  #connect(rank: number): Peer {
    this.open()
    this.#shared?.open(rank)
    const queuePair = this.#device!.connect(rank)
    if (queuePair === undefined) throw new InternalError(`rank ${rank} does not listen`)
    const doorbell = hcaAddress(this.#i32, rank)
    const peer = new Peer(rank, queuePair, doorbell, this.creditBytes)
    this.#peers[rank] = peer
    return peer
  }

  #registerBuffers(domain: ProtectionDomain, count: number, bytes: number): BufferStock {
    const address = this.#memory.heap.allocate(count * bytes)
    const { localKey } = domain.register(address, count * bytes, Access.localWrite)
    return new BufferStock(address, count, bytes, localKey)
  }

  #checkStatus(status: number, source: number): void {
    if (status !== 0) {
      throw new InternalError(
        `a receive from rank ${source} failed: ${this.#completion.statusName}`,
      )
    }
  }

  #sendFailed(queuePairNumber: number): never {
    const peer = this.#peers.find((one) => one?.queuePair.number === queuePairNumber)
    if (peer !== undefined) this.#unreachable(peer)
    throw new InternalError(`a send failed: ${this.#completion.statusName}`)
  }

  #unreachable(peer: Peer): never {
    throw this.unreachable(peer)
  }

  /** Why a peer's queue pair does not work. */
  unreachable({ rank, queuePair }: Peer): UnreachableError {
    const { status = 'no error', cause = 'it is not connected' } = queuePair.firstError ?? {}
    return new UnreachableError({ rank, status, cause })
  }
}
