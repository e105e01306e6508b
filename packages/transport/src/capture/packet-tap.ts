import type { PacketFate, PacketTap } from '../fabric/packets/network.js'
import type { Packet as FabricPacket } from '../fabric/packets/packet.js'
import { lidOf } from '../hca/queue-pair/path-migration.js'
import { AH_GLOBAL, AH_LID, AH_PATH } from '../wire/address-handle.js'
import { MULTICAST_NUMBER } from '../wire/multicast-attachment.js'
import { globalRoute } from './global-route.js'
import type { Packet, Path } from './packet.js'
import type { RecordBuffer } from './pcap.js'

/**
 * Records the packets of a fabric that carries packets, as their senders' ports send them: what is
 * lost on the way is there, and comes again with its number when it is sent again. A packet to a
 * group is recorded once.
 *
 * @param startNs wall clock at virtual time 0
 */
export function packetTap(
  records: RecordBuffer,
  options: { write: (records: Uint8Array) => void; startNs: bigint },
): PacketTap {
  let before: FabricPacket | undefined
  return (packet, fate, timeNs) => {
    if (before !== undefined && isCopy(before, packet)) return
    before = packet
    const time = options.startNs + BigInt(Math.round(timeNs))
    records.add(time, pathOf(packet), contentOf(packet, fate))
    options.write(records.take())
  }
}

/** Whether it is the same message to another member of a group. */
function isCopy(before: FabricPacket, packet: FabricPacket): boolean {
  return (
    packet.destinationNumber === MULTICAST_NUMBER &&
    before.destinationNumber === MULTICAST_NUMBER &&
    before.payload === packet.payload
  )
}

function pathOf({ source, destination, datagram, ...packet }: FabricPacket): Path {
  const { partitionKey, destinationNumber, plane = 0, armed } = packet
  const path = {
    sourceIdentifier: lidOf(source, plane),
    destinationIdentifier: lidOf(destination, plane),
    armed,
    serviceLevel: 0,
    partitionKey,
    destinationNumber,
  }
  if (datagram === undefined) return path
  const { handle } = datagram
  const words = new DataView(handle.buffer, handle.byteOffset)
  const way = words.getUint32(AH_PATH, true)
  const global = words.getUint32(AH_GLOBAL, true) === 1
  return {
    ...path,
    sourceIdentifier: path.sourceIdentifier | ((way >>> 8) & 0xff),
    destinationIdentifier: words.getUint32(AH_LID, true) & 0xffff,
    serviceLevel: way & 0xf,
    globalRoute: global ? globalRoute(handle, source) : undefined,
  }
}

function contentOf(packet: FabricPacket, fate: PacketFate): Packet {
  const { remote, atomic, acknowledge, datagram, sourceNumber } = packet
  return {
    opcode: packet.opcode,
    sequence: packet.psn,
    solicited: packet.solicited,
    acknowledgeRequest: packet.acknowledgeRequest,
    datagram: datagram && { queueKey: datagram.queueKey, sourceNumber },
    flush: packet.flush,
    remote: atomic === undefined ? remote : undefined,
    atomic: atomic && remote && { ...atomic, address: remote.address, key: remote.key },
    acknowledgement: acknowledge && {
      syndrome: acknowledge.syndrome,
      messages: acknowledge.messageNumber,
    },
    original: packet.original,
    immediate: packet.immediate,
    invalidateKey: packet.invalidateKey,
    payload: packet.payload,
    corrupted: fate === 'corrupted',
  }
}
