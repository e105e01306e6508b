import type { ManagementMessage } from '../fabric/fabric.js'
import {
  globallyUniqueIdentifier,
  writeGlobalIdentifier,
} from '../hca/datagram/global-identifier.js'
import {
  CONNECT_REJECT,
  CONNECT_REPLY,
  CONNECT_REQUEST,
  DISCONNECT_REPLY,
  DISCONNECT_REQUEST,
  READY_TO_USE,
  SERVICE_REPLY,
  SERVICE_REQUEST,
} from '../wire/management-message.js'

const MAD_BYTES = 256
/** Where the attribute begins, behind the header that all management datagrams have. */
const DATA = 24
const BASE_VERSION = 1
const COMMUNICATION_MANAGEMENT = 7
const CLASS_VERSION = 2
const METHOD_SEND = 3
const FULL_MEMBER_KEY = 0xffff
/** Services of TCP port space: the port stands in the low 16 bits (IBA annex A11). */
const TCP_SERVICES = 0x0000_0000_0106_0000n
/** Where an IP address, here a GID, and the port say who asks (IBA annex A11). */
const IP_HEADER_BYTES = 36

/** Those that answer are known by who asked, in their transaction id. */
const ANSWERS: ReadonlySet<number> = new Set([
  CONNECT_REPLY,
  CONNECT_REJECT,
  DISCONNECT_REPLY,
  SERVICE_REPLY,
])

type Fields = (name: string) => number

/**
 * A management message as the datagram (MAD) that it stands for (IBA vol. 1, 13.4.2: the header; 12.6:
 * messages of communication management).
 */
export function managementDatagram(
  { attribute, fields, privateData }: ManagementMessage,
  source: number,
  destination: number,
): Uint8Array {
  const mad = new Uint8Array(MAD_BYTES)
  const view = new DataView(mad.buffer)
  const field: Fields = (name) => fields[name] ?? 0
  mad.set([BASE_VERSION, COMMUNICATION_MANAGEMENT, CLASS_VERSION, METHOD_SEND])
  const answer = ANSWERS.has(attribute)
  view.setUint32(8, (answer ? destination : source) + 1)
  view.setUint32(12, field(answer ? 'remoteId' : 'localId'))
  view.setUint16(16, attribute)
  const data = new DataView(mad.buffer, DATA)
  data.setUint32(0, field('localId'))
  if (attribute !== CONNECT_REQUEST) data.setUint32(4, field('remoteId'))
  const behind = writers[attribute]?.(data, field, source, destination) ?? 8
  mad.set(privateData.subarray(0, MAD_BYTES - DATA - behind), DATA + behind)
  return mad
}

/** Write what follows the two ids; give where private data begin. */
const writers: Readonly<
  Record<number, (data: DataView, field: Fields, source: number, destination: number) => number>
> = {
  [CONNECT_REQUEST]: writeRequest,
  [CONNECT_REPLY](data, field, source) {
    data.setUint32(8, field('queueKey'))
    data.setUint32(12, field('queuePairNumber') << 8)
    data.setUint32(20, field('packetSequenceNumber') << 8)
    data.setUint8(24, field('responderReads'))
    data.setUint8(25, field('initiatorReads'))
    data.setUint8(27, field('receiverNotReadyRetryCount') << 5)
    data.setBigUint64(28, globallyUniqueIdentifier(source))
    return 36
  },
  [READY_TO_USE]: () => 8,
  [CONNECT_REJECT](data, field) {
    data.setUint16(10, field('reason'))
    return 84
  },
  [DISCONNECT_REQUEST](data, field) {
    data.setUint32(8, field('queuePairNumber') << 8)
    return 12
  },
  [DISCONNECT_REPLY]: () => 8,
  [SERVICE_REQUEST](data, field) {
    data.setUint32(4, FULL_MEMBER_KEY << 16)
    data.setBigUint64(8, TCP_SERVICES | BigInt(field('port')))
    return 16
  },
  [SERVICE_REPLY](data, field) {
    data.setUint32(0, field('remoteId'))
    data.setUint32(4, field('reason') << 24)
    data.setUint32(8, field('queuePairNumber') << 8)
    data.setUint32(20, field('queueKey'))
    return 96
  },
}

function writeRequest(data: DataView, field: Fields, source: number, destination: number): number {
  const CODE_OF_4096 = 5
  data.setBigUint64(8, TCP_SERVICES | BigInt(field('port')))
  data.setBigUint64(16, globallyUniqueIdentifier(source))
  data.setUint32(28, field('queueKey'))
  data.setUint32(32, (field('queuePairNumber') << 8) | field('responderReads'))
  data.setUint32(36, field('initiatorReads'))
  data.setUint32(44, (field('packetSequenceNumber') << 8) | field('retryCount'))
  data.setUint16(48, FULL_MEMBER_KEY)
  const mtu = field('pathMtuBytes')
  const code = mtu === 0 ? CODE_OF_4096 : Math.log2(mtu) - 7
  data.setUint8(50, (code << 4) | field('receiverNotReadyRetryCount'))
  data.setUint16(52, source + 1)
  data.setUint16(54, destination + 1)
  const gids = new Uint8Array(data.buffer, data.byteOffset)
  writeGlobalIdentifier(gids.subarray(56, 72), source)
  writeGlobalIdentifier(gids.subarray(72, 88), destination)
  const header = 140
  const IP_VERSION_6 = 0x60
  data.setUint8(header + 1, IP_VERSION_6)
  writeGlobalIdentifier(gids.subarray(header + 4, header + 20), source)
  writeGlobalIdentifier(gids.subarray(header + 20, header + 36), destination)
  return header + IP_HEADER_BYTES
}
