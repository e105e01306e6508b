import type { PacketNetwork, PacketPort } from '../../fabric/packets/network.js'
import { isResponse, serviceBitsOf, UC_PACKET, UD_PACKET } from '../../fabric/packets/packet.js'
import type { Packet } from '../../fabric/packets/packet.js'
import { HCA_PORT_BAD_PARTITION_KEYS } from '../../wire/hca-block.js'
import {
  PORT_DOWN_MARK,
  QP_NUMBER,
  QP_PEER_INDEX,
  QP_PEER_NUMBER,
  QP_SERVICE,
} from '../../wire/queue-pair.js'
import { QP_STATE } from '../../wire/queue-pair.js'
import { ERROR, receives } from '../../wire/queue-pair-state.js'
import { RELIABLE_CONNECTED, UNRELIABLE_CONNECTED } from '../../wire/service-type.js'
import { partitionKeyOf, partitionKeysMatch } from '../queue-pair/find-peer.js'
import type { Hca } from '../hca.js'
import { hcaAddress } from '../hca-table.js'
import type { PacketTransport } from '../packet-transport.js'
import { isPathOpen } from '../connection/path.js'
import { noteMigration } from '../queue-pair/path-migration.js'
import { findQueuePairByNumber } from '../queue-pair/queue-pair-list.js'
import { DatagramReceiver } from './datagram-packets.js'
import { ReceiveFlow } from './receive-flow.js'
import { SendFlow } from './send-flow.js'

/** Both halves of a queue pair, each made when it is first needed: its numbers are set by then. */
interface Flows {
  readonly number: number
  send?: SendFlow
  receive?: ReceiveFlow
}

/**
 * An HCA on a fabric that carries packets: it takes requests apart into packets, and puts arriving
 * ones together. What a queue pair has under way is kept here, since one thread owns all of such a
 * fabric; everything else lies in shared memory as on any fabric.
 */
export class PacketEngine implements PacketTransport, PacketPort {
  readonly #hca: Hca
  /** The fabric's network, and the same behind the own port. */
  readonly #outer: PacketNetwork
  readonly #network: PacketNetwork
  readonly #flows = new Map<number, Flows>()
  readonly #datagrams: DatagramReceiver

  constructor(hca: Hca, network: PacketNetwork) {
    this.#hca = hca
    this.#outer = network
    this.#datagrams = new DatagramReceiver(hca)
    this.#network = {
      time: network.time,
      dataInOrder: network.dataInOrder,
      choices: network.choices,
      attach: (index, port) => network.attach(index, port),
      send: (packet) => this.#sendThroughPort(packet),
    }
    network.attach(hca.index, this)
  }

  drive(queuePair: number): void {
    this.#sender(queuePair).drive()
  }

  started(queuePair: number): number {
    return this.#sender(queuePair).started
  }

  abandon(queuePair: number): void {
    const flows = this.#flows.get(queuePair)
    if (flows === undefined) return
    flows.send?.close()
    flows.receive?.abandon(this.#hca.i32[(queuePair + QP_STATE) >>> 2] === ERROR)
    this.#flows.delete(queuePair)
  }

  receive(packet: Packet): void {
    const { i32, index } = this.#hca
    if (!isPathOpen(i32, this.#hca.block, hcaAddress(i32, packet.source))) return
    if (serviceBitsOf(packet) === UD_PACKET) return this.#datagrams.receive(packet)
    const queuePair = findQueuePairByNumber(i32, index, packet.destinationNumber)
    if (queuePair === 0 || !this.#isMeant(queuePair, packet)) return
    noteMigration(this.#hca, queuePair, !packet.armed)
    const flows = this.#flowsOf(queuePair)
    if (isResponse(packet)) return flows.send?.receive(packet)
    if (!receives(i32[(queuePair + QP_STATE) >>> 2]!)) return
    flows.receive ??= new ReceiveFlow(this.#hca, queuePair, this.#network)
    flows.receive.receive(packet)
  }

  /** Whether the packet is of the queue pair's service, from its peer's port and in its partition. */
  #isMeant(queuePair: number, packet: Packet): boolean {
    const { i32, block } = this.#hca
    const unreliable = serviceBitsOf(packet) === UC_PACKET
    const service = unreliable ? UNRELIABLE_CONNECTED : RELIABLE_CONNECTED
    if (i32[(queuePair + QP_SERVICE) >>> 2] !== service) return false
    if ((i32[(queuePair + QP_PEER_INDEX) >>> 2]! & ~PORT_DOWN_MARK) !== packet.source) return false
    if (i32[(queuePair + QP_PEER_NUMBER) >>> 2] !== packet.sourceNumber) return false
    if (partitionKeysMatch(packet.partitionKey, partitionKeyOf(i32, queuePair))) return true
    Atomics.add(i32, (block + HCA_PORT_BAD_PARTITION_KEYS) >>> 2, 1) // as every sender counts it
    return false
  }

  #sendThroughPort(packet: Packet): void {
    const { i32, block } = this.#hca
    // A port that is down sends nothing; a LID nobody has leads nowhere.
    if (isPathOpen(i32, block, block)) this.#outer.send(packet)
  }

  #sender(queuePair: number): SendFlow {
    const flows = this.#flowsOf(queuePair)
    flows.send ??= new SendFlow(this.#hca, queuePair, this.#network)
    return flows.send
  }

  #flowsOf(queuePair: number): Flows {
    const number = this.#hca.i32[(queuePair + QP_NUMBER) >>> 2]!
    const known = this.#flows.get(queuePair)
    if (known?.number === number) return known
    const flows: Flows = { number }
    this.#flows.set(queuePair, flows)
    return flows
  }
}
