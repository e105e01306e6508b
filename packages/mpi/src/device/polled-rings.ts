import {
  Access,
  type Device,
  messageRingBytes,
  MessageRingReceiver,
  MessageRingSender,
  type ProtectionDomain,
  type WorldMemory,
} from '@commworld/transport'
import {
  ADDRESS,
  BYTES,
  EAGER,
  HEAD,
  headType,
  KEY,
  makeHead,
  RING_OFFER,
  RING_SWITCH,
} from './message.js'
import { headerOnly, type Outgoing, type Peer } from './peer.js'

/** A ring holds so many messages of the eager limit, and at least so many lines. */
const RING_MESSAGES = 8
const RING_LINES_MIN = 512
const LINE_BYTES = 64

/** Takes in one message whose header lies at `address`. */
type Take = (type: number, address: number, peer: Peer) => void

/**
 * The polled rings of a rank: the fast path of hot peers. The receiver offers a ring in its memory;
 * the sender answers with a last message the old way, so that the order of its messages is kept,
 * and from then on writes into the ring through a checked mapping.
 */
export class PolledRings {
  readonly #memory: WorldMemory
  readonly #device: Device
  readonly #domain: ProtectionDomain
  readonly #lines: number
  readonly #bytes: number
  readonly #ringsMax: number
  readonly #send: (peer: Peer, message: Outgoing) => void
  readonly #take: Take
  /** The rings that are polled, and whose they are. */
  readonly #rings: MessageRingReceiver[] = []
  readonly #peers: Peer[] = []
  #offered = 0

  constructor(
    memory: WorldMemory,
    device: Device,
    domain: ProtectionDomain,
    options: {
      messageBytes: number
      ringsMax: number
      send: (peer: Peer, message: Outgoing) => void
      take: Take
    },
  ) {
    this.#memory = memory
    this.#device = device
    this.#domain = domain
    this.#lines = ringLinesFor(options.messageBytes)
    this.#bytes = messageRingBytes(this.#lines)
    this.#ringsMax = options.ringsMax
    this.#send = options.send
    this.#take = options.take
  }

  /** Whether there is any ring to poll. */
  get some(): boolean {
    return this.#rings.length > 0
  }

  /** Takes in what has come by all rings. */
  poll(): void {
    const rings = this.#rings
    for (let index = 0; index < rings.length; index++) {
      const ring = rings[index]!
      const address = ring.poll()
      if (address !== 0) this.#drain(ring, address, this.#peers[index]!)
    }
  }

  /** A peer is hot: offers it a ring, while there are some to offer. */
  offer(peer: Peer): void {
    if (this.#offered >= this.#ringsMax || !this.#device.mapsMemory) return
    this.#offered++
    const address = this.#memory.heap.allocate(this.#bytes)
    const rights = Access.localWrite | Access.remoteWrite
    const { remoteKey } = this.#domain.register(address, this.#bytes, rights)
    peer.offeredRing = new MessageRingReceiver(this.#memory, address, this.#lines, peer.doorbell)
    this.#send(peer, headerOnly(makeHead(RING_OFFER, 0), { address, key: remoteKey }))
  }

  /** A peer offers a ring, in the message at this address: one last message, and then that. */
  accept(peer: Peer, message: number): void {
    const word = message >>> 2
    const address = this.#memory.i32[word + ADDRESS]! >>> 0
    const key = this.#memory.i32[word + KEY]!
    const { queuePair, doorbell } = peer
    const mapping = this.#device.map(queuePair, address, this.#bytes, key, Access.remoteWrite)
    if (mapping === undefined) return
    const sender = new MessageRingSender(this.#memory, address, this.#lines, doorbell)
    const onPosted = (): void => {
      peer.ringOut = { mapping, sender }
    }
    this.#send(peer, headerOnly(makeHead(RING_SWITCH, 0), { onPosted }))
  }

  /**
   * The peer's next messages come by ring, and some may be there already: looked at now, for this
   * may be the last look before this rank sleeps, and its peer rang no sleeper.
   */
  start(peer: Peer): void {
    const ring = peer.offeredRing!
    this.#rings.push(ring)
    this.#peers.push(peer)
    const address = ring.poll()
    if (address !== 0) this.#drain(ring, address, peer)
  }

  #drain(ring: MessageRingReceiver, first: number, peer: Peer): void {
    const { i32 } = this.#memory
    for (let address = first; address !== 0; address = ring.poll()) {
      const word = address >>> 2
      const type = headType(i32[word + HEAD]!)
      const payloadBytes = type === EAGER ? i32[word + BYTES]! : 0
      this.#take(type, address, peer)
      ring.release(payloadBytes)
    }
  }
}

/** The smallest power of two that holds the messages a ring is meant for. */
function ringLinesFor(messageBytes: number): number {
  let lines = RING_LINES_MIN
  while (lines < (RING_MESSAGES * messageBytes) / LINE_BYTES) lines *= 2
  return lines
}
