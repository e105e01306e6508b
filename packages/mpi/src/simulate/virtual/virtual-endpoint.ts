import type { QueuePair, WorldMemory } from '@commworld/transport'
import { Endpoint, type MessageHandler, type SharedEndpoints } from '../../device/endpoint.js'
import {
  ADDRESS,
  BYTES,
  CONTEXT,
  EAGER,
  HEAD,
  headKind,
  headType,
  KEY,
  MESSAGE_HEADER_BYTES,
  READY_TO_SEND,
  REQUEST,
  SOURCE,
  TAG,
} from '../../device/message.js'
import { Peer } from '../../device/peer.js'
import type { Registrar } from '../../device/registered-memory.js'
import type { EndpointSettings } from '../../device/settings.js'
import { Inbox } from '../../p2p/inbox.js'
import type { ReceiveRequest } from '../../p2p/receive-request.js'
import { ArrivalOrder } from './arrival-order.js'
import * as Flight from './flights.js'
import type { KernelPort } from './kernel-port.js'
import type { Slots } from './slot-pool.js'
import { isUnmoved, receiveUnmoved } from './unmoved.js'
import type { VirtualReceiver } from './virtual-kernel.js'

/** Nothing goes by queue pairs here: what travels is an event. */
const NO_QUEUE_PAIR = { state: 'readyToSend' } as unknown as QueuePair
/** And nobody asks for keys: what is fetched is copied by an event. */
const NO_HCA: Registrar = { register: () => ({ localKey: 1, deregister() {} }) }
/** Where a payload lies that is not moved. */
const NOWHERE = 0
/** Numbers of messages of one peer are below that. */
const NUMBERS = 2 ** 32

/** Credit is no matter here: what is under way costs no memory of the receiver. */
const CREDIT_BYTES = 2 ** 32 - 1

/** An endpoint in virtual time needs no queues of its own. */
export function virtualSettings(settings: EndpointSettings): EndpointSettings {
  const small = { ...settings, eagerLimitBytes: 64, creditBytes: CREDIT_BYTES }
  return { ...small, receives: 1, sends: 1, sendEntries: 1, reads: 1, rings: 0 }
}

/** Another rank, and the order of its messages. */
class VirtualPeer extends Peer {
  /** Messages that were sent to it. */
  sentTo = 0
  readonly order = new ArrivalOrder()
}

/**
 * A rank's end of a fabric in virtual time. Messages lie in slots of the world's memory until the kernel
 * says that they have come; payloads that are fetched are copied then. To everything above it is an
 * endpoint like any other.
 */
export class VirtualEndpoint extends Endpoint implements VirtualReceiver {
  readonly #kernel: KernelPort
  readonly #slots: Slots
  readonly #memory: WorldMemory
  readonly #movesData: boolean
  readonly #ranks = new Map<number, VirtualPeer>()
  #recent: VirtualPeer | undefined
  #handler: MessageHandler | undefined
  /** Slot that `reserve` gave out, and its size. */
  #slot = 0
  #slotBytes = 0
  /** The flight that is being taken in, until a receive is found for it. */
  #taking = -1
  /** Length of a payload that is about to be fetched. */
  #fetchBytes = 0
  /** In a run for times alone: whether what is being taken in has no content. */
  #skips = false
  /** Flights of messages without a receive, by sender and number. */
  readonly #unexpected = new Map<number, number>()
  /** Of a recorded run: the send that is being answered. */
  #operation = 0
  /** And the receive that was found last. */
  #receive = 0
  #underWay = 0
  #leaves = false
  /** How many wait for what other ranks write into the world's memory. */
  watching = 0
  /** Longest list of messages without a receive. */
  unexpectedMax = 0
  /** Called when all has been taken in that this rank sent, once it is asked for. */
  onSent: () => void = () => {}

  constructor(
    memory: WorldMemory,
    rank: number,
    settings: EndpointSettings,
    parts: { kernel: KernelPort; slots: Slots; movesData: boolean; shared?: SharedEndpoints },
  ) {
    super(memory, rank, 0, settings, undefined, undefined, parts.shared)
    this.#kernel = parts.kernel
    this.#slots = parts.slots
    this.#memory = memory
    this.#movesData = parts.movesData
    parts.kernel.add(this)
  }

  /** What takes in messages; its moments of matching are what the clock wants to know. */
  override handleBy(handler: MessageHandler): void {
    this.#handler = handler
    if (!(handler instanceof Inbox)) return
    const { posted } = handler
    const plainTake = posted.take.bind(posted)
    const take: typeof plainTake = (context, source, tag) => {
      const receive = plainTake(context, source, tag)
      if (receive !== undefined) this.#matched(this.#taking, receive)
      return receive
    }
    posted.take = take
    const plainDeliver = handler.deliverTaken.bind(handler)
    const deliverTaken: typeof plainDeliver = (message, receive) => {
      const key = message.peer.rank * NUMBERS + message.number
      const flight = this.#unexpected.get(key)!
      this.#unexpected.delete(key)
      this.#matched(flight, receive)
      plainDeliver(message, receive)
      this.#fetchBytes = 0
      this.#kernel.release(flight)
    }
    handler.deliverTaken = deliverTaken
  }

  override peer(rank: number): VirtualPeer {
    if (this.#recent?.rank === rank) return this.#recent
    const known = this.#ranks.get(rank)
    if (known !== undefined) {
      this.#recent = known
      return known
    }
    const peer = new VirtualPeer(rank, NO_QUEUE_PAIR, this.doorbell, this.creditBytes)
    this.#ranks.set(rank, peer)
    return peer
  }

  protected override get registrar(): Registrar {
    return NO_HCA
  }

  override *peers(): Iterable<Peer> {
    yield* this.#ranks.values()
  }

  override reserve(_peer: Peer, payloadBytes: number): number {
    this.#slotBytes = MESSAGE_HEADER_BYTES + payloadBytes
    this.#slot = this.#slots.take(this.#slotBytes)
    return this.#slot
  }

  override post(
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
    const slot = this.#slot
    const { i32 } = this.#memory
    const word = slot >>> 2
    i32[word + HEAD] = head
    i32[word + CONTEXT] = context
    i32[word + TAG] = tag
    i32[word + BYTES] = bytes
    i32[word + SOURCE] = this.rank
    i32[word + REQUEST] = request
    i32[word + ADDRESS] = address
    i32[word + KEY] = key
    const unmoved = !this.#movesData && isUnmoved(headKind(head), bytes, this.sendsContent)
    if (payload !== 0 && payloadBytes > 0 && !unmoved) {
      this.#memory.kernels.copy(slot + MESSAGE_HEADER_BYTES, payload, payloadBytes)
    }
    const kernel = this.#kernel
    const type = headType(head)
    this.#underWay++
    const flight =
      type === EAGER
        ? kernel.send(Flight.EAGER, this.rank, peer.rank, payloadBytes)
        : type === READY_TO_SEND
          ? kernel.send(Flight.ANNOUNCED, this.rank, peer.rank, bytes >>> 0)
          : kernel.finish(this.rank, peer.rank)
    kernel.flights.slot[flight] = slot
    if (type === EAGER || type === READY_TO_SEND) {
      const number = (peer as VirtualPeer).sentTo++
      kernel.flights.token[flight] = number
      kernel.flights.local[flight] = unmoved ? 1 : 0
      kernel.flights.operation[flight] =
        kernel.goal?.send(this.rank, peer.rank, bytes >>> 0, number) ?? 0
    } else {
      kernel.flights.operation[flight] = this.#operation
    }
  }

  admits(flight: number): boolean {
    const { from, token } = this.#kernel.flights
    return this.peer(from[flight]!).order.admits(token[flight]!, flight)
  }

  heldBehind(flight: number): number {
    return this.peer(this.#kernel.flights.from[flight]!).order.next()
  }

  /** Never: a payload takes its time, except the pieces of one that has come. */
  override readAtOnce(
    _peer: Peer,
    local: number,
    remote: number,
    _key: number,
    bytes: number,
  ): boolean {
    if (this.#fetchBytes > 0) return false
    if (!this.#skips) this.#memory.kernels.copy(local, remote, bytes)
    return true
  }

  override read(
    peer: Peer,
    local: number,
    remote: number,
    _key: number,
    bytes: number,
    token: number,
  ): void {
    const kernel = this.#kernel
    const flight = kernel.fetch(this.rank, peer.rank, this.#fetchBytes)
    this.#fetchBytes = 0
    const { flights } = kernel
    flights.local[flight] = local
    flights.remote[flight] = this.#skips ? NOWHERE : remote
    flights.slot[flight] = bytes
    flights.token[flight] = token
    flights.operation[flight] = this.#operation
    flights.receive[flight] = this.#receive
  }

  /** Whether the end of this rank waits until all has been taken in that it sent. */
  get leaves(): boolean {
    return this.#leaves
  }

  override get unsent(): boolean {
    if (this.#underWay > 0) this.#leaves = true
    return this.#underWay > 0
  }

  /** Looking into memory would cost no time, on one host either: collectives go by messages. */
  override get mapsMemory(): boolean {
    return false
  }

  override get hasWork(): boolean {
    return false
  }

  override watch(look: () => void): void {
    this.watching++
    super.watch(look)
  }

  override unwatch(look: () => void): void {
    this.watching--
    super.unwatch(look)
  }

  override look(): void {}

  take(flight: number): void {
    const { flights } = this.#kernel
    switch (flights.state[flight]) {
      case Flight.PAYLOAD:
        return this.#takePayload(flight)
      case Flight.FINISHED:
        this.#kernel.turnTo(this.rank, flight, false)
        this.#kernel.goal?.ended(this.rank, flights.operation[flight]!)
        return this.#takeHeader(flight)
      default:
        this.#taking = flight
        return this.#takeHeader(flight)
    }
  }

  landed(): void {
    if (--this.#underWay === 0 && this.#leaves) this.onSent()
  }

  #takeHeader(flight: number): void {
    const kernel = this.#kernel
    const { flights } = kernel
    const slot = flights.slot[flight]!
    const bytes = MESSAGE_HEADER_BYTES + payloadOf(flights, flight)
    const peer = this.peer(flights.from[flight]!)
    this.#handler!.arrived(slot, peer)
    this.#fetchBytes = 0
    this.#slots.give(slot, bytes)
    kernel.landed(flight)
    if (this.#taking === flight) this.#keep(flight, peer)
    else kernel.release(flight)
    this.#taking = -1
  }

  #keep(flight: number, peer: Peer): void {
    this.#unexpected.set(peer.rank * NUMBERS + peer.received, flight)
    if (this.#unexpected.size > this.unexpectedMax) this.unexpectedMax = this.#unexpected.size
  }

  #takePayload(flight: number): void {
    const kernel = this.#kernel
    const { local, remote, slot, token } = kernel.flights
    const from = remote[flight]!
    if (from !== NOWHERE) this.#memory.kernels.copy(local[flight]!, from, slot[flight]!)
    kernel.turnTo(this.rank, flight, !kernel.near(this.rank, kernel.flights.from[flight]!))
    const number = token[flight]!
    this.#operation = kernel.flights.operation[flight]!
    kernel.goal?.ended(this.rank, kernel.flights.receive[flight]!)
    kernel.release(flight)
    // What is left of it is read at once.
    this.#skips = from === NOWHERE
    this.#handler!.readCompleted(number, 0)
    this.#skips = false
  }

  #matched(flight: number, receive: ReceiveRequest<unknown>): void {
    const { flights } = this.#kernel
    if (!this.#movesData) {
      this.#skips = flights.local[flight] === 1
      if (this.#skips) receiveUnmoved(receive, flights.bytes[flight]!)
    }
    this.#kernel.turnTo(this.rank, flight, true)
    this.#fetchBytes = flights.state[flight] === Flight.ANNOUNCED ? flights.bytes[flight]! : 0
    if (this.#taking === flight) this.#taking = -1
    this.#operation = flights.operation[flight]!
    const { from, bytes, token } = flights
    const number = token[flight]!
    const eager = flights.state[flight] === Flight.EAGER || bytes[flight] === 0
    this.#receive =
      this.#kernel.goal?.receive(this.rank, from[flight]!, bytes[flight]!, number, eager) ?? 0
  }
}

function payloadOf({ state, bytes }: Flight.Flights, flight: number): number {
  return state[flight] === Flight.EAGER ? bytes[flight]! : 0
}
