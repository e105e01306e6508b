import type { PacketNetwork } from '../../fabric/packets/network.js'
import type { Packet } from '../../fabric/packets/packet.js'
import {
  operationOf,
  SEND_ONLY,
  SEND_ONLY_IMMEDIATE,
  UD_PACKET,
} from '../../fabric/packets/packet.js'
import { AH_BYTES, AH_LID } from '../../wire/address-handle.js'
import { SUCCESS } from '../../wire/completion-status.js'
import { MULTICAST_NUMBER } from '../../wire/multicast-attachment.js'
import { SEND, SEND_WITH_IMMEDIATE } from '../../wire/opcode.js'
import { QP_HCA } from '../../wire/queue-pair.js'
import { HCA_INDEX } from '../../wire/hca-block.js'
import {
  INLINE,
  SOLICITED,
  WQE_CONTROL,
  WQE_DESTINATION,
  WQE_IMMEDIATE,
} from '../../wire/work-queue-entry.js'
import {
  WQE_MESSAGE_BYTES,
  WQE_REMOTE_ADDRESS,
  WQE_REMOTE_KEY,
  WQE_SEGMENTS,
} from '../../wire/work-queue-entry.js'
import { deliverDatagram, queueKeyOf } from '../datagram/datagram-delivery.js'
import { checkDatagram } from '../datagram/datagram.js'
import type { Hca } from '../hca.js'
import { hcaCount } from '../hca-table.js'
import { groupMembers } from '../datagram/multicast.js'
import { findQueuePairByNumber } from '../queue-pair/queue-pair-list.js'
import { gatherBytes, headerOf, messageBytes } from './message-packets.js'

/** Longest datagram. */
const DATAGRAM_BYTES_MAX = 4096

/** Sends a datagram as packets, one for each destination; the sender's completion status. */
export function sendDatagramPackets(
  hca: Hca,
  queuePair: number,
  entry: number,
  network: PacketNetwork,
  psn: number,
): number {
  const failed = checkDatagram(hca, queuePair, entry)
  if (failed !== SUCCESS) return failed
  const { i32, u32 } = hca
  const handle = u32[(entry + WQE_REMOTE_ADDRESS) >>> 2]!
  const control = u32[(entry + WQE_CONTROL) >>> 2]!
  const withImmediate = (control & 0xff) === SEND_WITH_IMMEDIATE
  const number = i32[(entry + WQE_DESTINATION) >>> 2]!
  const packet: Packet = {
    ...headerOf(hca, queuePair),
    opcode: UD_PACKET | (withImmediate ? SEND_ONLY_IMMEDIATE : SEND_ONLY),
    destination: i32[(handle + AH_LID) >>> 2]! - 1,
    destinationNumber: number,
    psn,
    solicited: (control & (SOLICITED << 8)) !== 0,
    payload: gatherBytes(hca, entry, 0, messageBytes(hca, entry)),
    ...(withImmediate ? { immediate: u32[(entry + WQE_IMMEDIATE) >>> 2]! } : {}),
    datagram: {
      queueKey: queueKeyOf(i32, queuePair, i32[(entry + WQE_REMOTE_KEY) >>> 2]!),
      handle: new Uint8Array(i32.buffer, handle, AH_BYTES).slice(),
    },
  }
  if (number !== MULTICAST_NUMBER) network.send(packet)
  else for (const destination of groupPorts(hca, handle)) network.send({ ...packet, destination })
  return SUCCESS
}

/** HCAs with a queue pair in the group. */
function groupPorts(hca: Hca, handle: number): Set<number> {
  const { i32, u32 } = hca
  return new Set(
    groupMembers(i32, handle).map(({ member }) => {
      return i32[(u32[(member + QP_HCA) >>> 2]! + HCA_INDEX) >>> 2]!
    }),
  )
}

/**
 * Delivers datagrams that arrive in packets, by way of an entry and a handle made up for each from what
 * the packet says: the sender may have used its own again.
 */
export class DatagramReceiver {
  readonly #hca: Hca
  #entry = 0
  #handle = 0

  constructor(hca: Hca) {
    this.#hca = hca
  }

  receive(packet: Packet): void {
    const operation = operationOf(packet)
    if (operation !== SEND_ONLY && operation !== SEND_ONLY_IMMEDIATE) return
    const { i32, index } = this.#hca
    const source = findQueuePairByNumber(i32, packet.source, packet.sourceNumber)
    if (source === 0 || packet.source >= hcaCount(i32)) return
    this.#makeUp(packet)
    if (packet.destinationNumber !== MULTICAST_NUMBER) {
      const member = findQueuePairByNumber(i32, index, packet.destinationNumber)
      if (member !== 0) this.#deliver(source, member, packet)
      return
    }
    for (const { member, number } of groupMembers(i32, this.#handle)) {
      if (this.#hca.u32[(member + QP_HCA) >>> 2] !== this.#hca.block) continue
      this.#deliver(source, member, { ...packet, destinationNumber: number })
    }
  }

  #deliver(source: number, member: number, packet: Packet): void {
    const { source: origin, destinationNumber } = packet
    deliverDatagram(this.#hca, source, this.#entry, this.#handle, member, destinationNumber, origin)
  }

  #makeUp(packet: Packet): void {
    const { i32, heap } = this.#hca
    if (this.#entry === 0) {
      this.#entry = heap.allocate(WQE_SEGMENTS + DATAGRAM_BYTES_MAX)
      this.#handle = heap.allocate(AH_BYTES)
    }
    const entry = this.#entry
    const opcode = packet.immediate === undefined ? SEND : SEND_WITH_IMMEDIATE
    const flags = INLINE | (packet.solicited ? SOLICITED : 0)
    i32[(entry + WQE_CONTROL) >>> 2] = opcode | (flags << 8)
    i32[(entry + WQE_IMMEDIATE) >>> 2] = packet.immediate ?? 0
    i32[(entry + WQE_MESSAGE_BYTES) >>> 2] = packet.payload.length
    i32[(entry + WQE_REMOTE_KEY) >>> 2] = packet.datagram!.queueKey
    const memory = new Uint8Array(i32.buffer)
    memory.set(packet.payload, entry + WQE_SEGMENTS)
    memory.set(packet.datagram!.handle, this.#handle)
  }
}
