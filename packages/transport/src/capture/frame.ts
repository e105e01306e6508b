import { invariantCrc, variantCrc } from './crc.js'
import type { Packet, Path } from './packet.js'

/** Longest headers: LRH, GRH, BTH, AtomicETH and a word of immediate data; and the two CRCs. */
const OVERHEAD_BYTES_MAX = 8 + 40 + 12 + 28 + 4 + 6
const GRH_BYTES = 40
const INVARIANT_CRC_BYTES = 4
const VARIANT_CRC_BYTES = 2
const LNH_LOCAL = 2
const LNH_GLOBAL = 3
const MIGRATED = 0x40
const SOLICITED = 0x80
const ACKNOWLEDGE_REQUEST = 0x80

/** Bytes that `writeFrame` may need for a packet. */
export function frameBytesMax(packet: Packet): number {
  return OVERHEAD_BYTES_MAX + (packet.payload?.length ?? 0) + 3
}

/**
 * Writes a packet as it is on the wire, from the local route header to the variant CRC
 * (IBA vol. 1, 5.2: formats; 7.7: LRH, 8.3: GRH, 9.2 to 9.3: transport headers).
 *
 * @returns its length
 */
export function writeFrame(view: DataView, at: number, path: Path, packet: Packet): number {
  const { globalRoute } = path
  const payload = packet.payload ?? new Uint8Array(0)
  const padding = -payload.length & 3
  const transport = at + 8 + (globalRoute === undefined ? 0 : GRH_BYTES)
  writeTransportHeader(view, transport, path, packet, padding)
  let here = writeExtendedHeaders(view, transport + 12, packet)
  bytesAt(view, here, payload.length).set(payload)
  here += payload.length
  bytesAt(view, here, padding).fill(0)
  here += padding
  writeRouteHeader(view, at, path, here + INVARIANT_CRC_BYTES - at)
  if (globalRoute !== undefined) {
    bytesAt(view, at + 8, GRH_BYTES).set(globalRoute)
    view.setUint16(at + 12, here + INVARIANT_CRC_BYTES - transport)
  }
  const invariant = invariantCrc(bytesAt(view, at, here - at), globalRoute !== undefined)
  view.setUint32(here, packet.corrupted ? ~invariant : invariant, true)
  here += INVARIANT_CRC_BYTES
  view.setUint16(here, variantCrc(bytesAt(view, at, here - at)), true)
  return here + VARIANT_CRC_BYTES - at
}

function bytesAt(view: DataView, at: number, bytes: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + at, bytes)
}

/** LRH: virtual lane 0, the next header, LIDs, and the length in words of four bytes. */
function writeRouteHeader(view: DataView, at: number, path: Path, bytes: number): void {
  view.setUint8(at, 0)
  const next = path.globalRoute === undefined ? LNH_LOCAL : LNH_GLOBAL
  view.setUint8(at + 1, (path.serviceLevel << 4) | next)
  view.setUint16(at + 2, path.destinationIdentifier)
  view.setUint16(at + 4, (bytes / 4) & 0x7ff)
  view.setUint16(at + 6, path.sourceIdentifier)
}

/** BTH. */
function writeTransportHeader(
  view: DataView,
  at: number,
  path: Path,
  packet: Packet,
  padding: number,
): void {
  view.setUint8(at, packet.opcode)
  view.setUint8(
    at + 1,
    (packet.solicited ? SOLICITED : 0) | (path.armed ? 0 : MIGRATED) | (padding << 4),
  )
  view.setUint16(at + 2, path.partitionKey)
  view.setUint32(at + 4, path.destinationNumber)
  view.setUint32(at + 8, packet.sequence)
  if (packet.acknowledgeRequest) view.setUint8(at + 8, ACKNOWLEDGE_REQUEST)
}

/** The others, in the order in which a packet has them; where the payload begins. */
function writeExtendedHeaders(view: DataView, at: number, packet: Packet): number {
  const { datagram, remote, atomic, acknowledgement, original } = packet
  if (datagram !== undefined) {
    view.setUint32(at, datagram.queueKey)
    view.setUint32(at + 4, datagram.sourceNumber)
    at += 8
  }
  if (packet.flush !== undefined) {
    view.setUint32(at, packet.flush)
    at += 4
  }
  if (remote !== undefined) {
    view.setBigUint64(at, BigInt(remote.address))
    view.setUint32(at + 8, remote.key)
    view.setUint32(at + 12, remote.bytes)
    at += 16
  }
  if (atomic !== undefined) {
    view.setBigUint64(at, BigInt(atomic.address))
    view.setUint32(at + 8, atomic.key)
    view.setBigInt64(at + 12, atomic.operand)
    view.setBigInt64(at + 20, atomic.compare)
    at += 28
  }
  if (acknowledgement !== undefined) {
    view.setUint32(at, acknowledgement.messages)
    view.setUint8(at, acknowledgement.syndrome)
    at += 4
  }
  if (original !== undefined) {
    view.setBigInt64(at, original)
    at += 8
  }
  for (const word of [packet.immediate, packet.invalidateKey]) {
    if (word === undefined) continue
    view.setUint32(at, word)
    at += 4
  }
  return at
}
