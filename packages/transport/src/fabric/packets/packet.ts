/**
 * A packet as it crosses the fabric: the fields of its headers (IBA vol. 1, chapter 9), with the
 * payload beside them.
 */
export interface Packet {
  /** Operation code of the base transport header, service included. */
  readonly opcode: number
  /** HCA index of the port it comes from, and of the one it goes to; LIDs are one more. */
  readonly source: number
  readonly destination: number
  /** Queue pair numbers; the source's is on the wire in datagrams only. */
  readonly sourceNumber: number
  readonly destinationNumber: number
  readonly partitionKey: number
  /** Plane of the subnet that it crosses, 0 or 1; left out for 0. */
  readonly plane?: number
  /** Its sender is armed, or about to be, to go over to another path: the bit MigReq is not set. */
  readonly armed?: boolean
  /** Packet sequence number, 24 bits. */
  readonly psn: number
  readonly acknowledgeRequest: boolean
  readonly solicited: boolean
  readonly payload: Uint8Array
  readonly immediate?: number
  readonly invalidateKey?: number
  /** Flush extended transport header: what for (wire/work-queue-entry.ts). */
  readonly flush?: number
  /** RDMA extended transport header. */
  readonly remote?: { readonly address: number; readonly key: number; readonly bytes: number }
  /** Atomic extended transport header. */
  readonly atomic?: { readonly operand: bigint; readonly compare: bigint }
  /** Acknowledge extended transport header. */
  readonly acknowledge?: { readonly syndrome: number; readonly messageNumber: number }
  /** Atomic acknowledge extended transport header. */
  readonly original?: bigint
  /** By a fault plan: the receiver is to say that it has no receive. */
  readonly refused?: boolean
  /** Datagram: queue key, and the address handle it was sent by. */
  readonly datagram?: { readonly queueKey: number; readonly handle: Uint8Array }
}

/** Services in the three high bits of an operation code. */
export const RC_PACKET = 0x00
export const UC_PACKET = 0x20
export const UD_PACKET = 0x60
const SERVICE_BITS = 0xe0
const OPERATION_BITS = 0x1f

/** Operations in the five low bits. */
export const SEND_FIRST = 0
export const SEND_MIDDLE = 1
export const SEND_LAST = 2
export const SEND_LAST_IMMEDIATE = 3
export const SEND_ONLY = 4
export const SEND_ONLY_IMMEDIATE = 5
export const WRITE_FIRST = 6
export const WRITE_MIDDLE = 7
export const WRITE_LAST = 8
export const WRITE_LAST_IMMEDIATE = 9
export const WRITE_ONLY = 10
export const WRITE_ONLY_IMMEDIATE = 11
export const READ_REQUEST = 12
export const READ_RESPONSE_FIRST = 13
export const READ_RESPONSE_MIDDLE = 14
export const READ_RESPONSE_LAST = 15
export const READ_RESPONSE_ONLY = 16
export const ACKNOWLEDGE = 17
export const ATOMIC_ACKNOWLEDGE = 18
export const COMPARE_SWAP_REQUEST = 19
export const FETCH_ADD_REQUEST = 20
export const SEND_LAST_INVALIDATE = 22
export const SEND_ONLY_INVALIDATE = 23
export const FLUSH_REQUEST = 28
export const ATOMIC_WRITE_REQUEST = 29

/** The operation of a packet, without its service. */
export function operationOf(packet: Packet): number {
  return packet.opcode & OPERATION_BITS
}

/** The service of a packet: `RC_PACKET`, `UC_PACKET` or `UD_PACKET`. */
export function serviceBitsOf(packet: Packet): number {
  return packet.opcode & SERVICE_BITS
}

/** Whether it goes from responder to requester. */
export function isResponse(packet: Packet): boolean {
  const operation = operationOf(packet)
  return operation >= READ_RESPONSE_FIRST && operation <= ATOMIC_ACKNOWLEDGE
}

/** Syndromes of an acknowledge header: what is added to the code or the timer. */
export const SYNDROME_ACK = 0x1f
export const SYNDROME_RNR = 0x20
/** Beyond the 32 timer codes: up to the refusals nothing has a meaning. */
export const SYNDROME_RNR_END = 0x40
export const SYNDROME_NAK = 0x60
export const NAK_SEQUENCE = 0
export const NAK_INVALID_REQUEST = 1
export const NAK_REMOTE_ACCESS = 2
export const NAK_REMOTE_OPERATION = 3

const PSN_BITS = 24
/** Packet sequence numbers are counted modulo this. */
export const PSN_COUNT = 1 << PSN_BITS

/** Adds to a packet sequence number. */
export function addPsn(psn: number, count: number): number {
  return (psn + count) & (PSN_COUNT - 1)
}

/** How far `left` is ahead of `right`, from -2^23 to 2^23 - 1. */
export function psnDistance(left: number, right: number): number {
  return ((left - right) << (32 - PSN_BITS)) >> (32 - PSN_BITS)
}

/** LID that a packet goes to: 0x4000 more in the second plane. */
export function packetLid({ destination, plane = 0 }: Packet): number {
  return destination + 1 + plane * 0x4000
}

/** Bytes of a packet on the wire: local route, base and extended headers, payload, checksums. */
export function packetBytes(packet: Packet): number {
  let bytes = 8 + 12 + packet.payload.length + 4 + 2
  if (packet.datagram !== undefined) bytes += 8
  if (packet.flush !== undefined) bytes += 4
  if (packet.remote !== undefined) bytes += packet.atomic === undefined ? 16 : 28
  if (packet.acknowledge !== undefined) bytes += 4
  if (packet.original !== undefined) bytes += 8
  if (packet.immediate !== undefined || packet.invalidateKey !== undefined) bytes += 4
  return bytes
}

/** A reserved operation, and a syndrome that nobody has given a meaning. */
const RESERVED_OPERATION = 27
const RESERVED_SYNDROME = 0x7f

/** A packet as a broken HCA would send it: a request of a reserved operation, an answer without sense. */
export function malformed(packet: Packet): Packet {
  if (!isResponse(packet)) return { ...packet, opcode: serviceBitsOf(packet) | RESERVED_OPERATION }
  if (operationOf(packet) !== ACKNOWLEDGE) {
    return { ...packet, payload: new Uint8Array(packet.payload.length + 1) }
  }
  return { ...packet, acknowledge: { ...packet.acknowledge!, syndrome: RESERVED_SYNDROME } }
}

const operationNames: Readonly<Record<number, string>> = {
  [SEND_FIRST]: 'SEND_FIRST',
  [SEND_MIDDLE]: 'SEND_MIDDLE',
  [SEND_LAST]: 'SEND_LAST',
  [SEND_LAST_IMMEDIATE]: 'SEND_LAST_WITH_IMMEDIATE',
  [SEND_ONLY]: 'SEND_ONLY',
  [SEND_ONLY_IMMEDIATE]: 'SEND_ONLY_WITH_IMMEDIATE',
  [WRITE_FIRST]: 'RDMA_WRITE_FIRST',
  [WRITE_MIDDLE]: 'RDMA_WRITE_MIDDLE',
  [WRITE_LAST]: 'RDMA_WRITE_LAST',
  [WRITE_LAST_IMMEDIATE]: 'RDMA_WRITE_LAST_WITH_IMMEDIATE',
  [WRITE_ONLY]: 'RDMA_WRITE_ONLY',
  [WRITE_ONLY_IMMEDIATE]: 'RDMA_WRITE_ONLY_WITH_IMMEDIATE',
  [READ_REQUEST]: 'RDMA_READ_REQUEST',
  [READ_RESPONSE_FIRST]: 'RDMA_READ_RESPONSE_FIRST',
  [READ_RESPONSE_MIDDLE]: 'RDMA_READ_RESPONSE_MIDDLE',
  [READ_RESPONSE_LAST]: 'RDMA_READ_RESPONSE_LAST',
  [READ_RESPONSE_ONLY]: 'RDMA_READ_RESPONSE_ONLY',
  [ACKNOWLEDGE]: 'ACKNOWLEDGE',
  [ATOMIC_ACKNOWLEDGE]: 'ATOMIC_ACKNOWLEDGE',
  [COMPARE_SWAP_REQUEST]: 'COMPARE_SWAP',
  [FETCH_ADD_REQUEST]: 'FETCH_ADD',
  [SEND_LAST_INVALIDATE]: 'SEND_LAST_WITH_INVALIDATE',
  [SEND_ONLY_INVALIDATE]: 'SEND_ONLY_WITH_INVALIDATE',
  [FLUSH_REQUEST]: 'FLUSH',
  [ATOMIC_WRITE_REQUEST]: 'ATOMIC_WRITE',
}

/** A line for traces: `RDMA_WRITE_ONLY 0->1 qp 0x11 psn 7 64 B`. */
export function describePacket(packet: Packet): string {
  const name = operationNames[operationOf(packet)] ?? `opcode ${packet.opcode}`
  const number = packet.destinationNumber.toString(16)
  const syndrome = packet.acknowledge && ` syndrome 0x${packet.acknowledge.syndrome.toString(16)}`
  const { source, destination, psn, payload } = packet
  return `${name} ${source}->${destination} qp 0x${number} psn ${psn} ${payload.length} B${syndrome ?? ''}`
}
