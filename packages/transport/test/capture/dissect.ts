/** A packet as the test reads it out of a file, by the tables of IBA vol. 1, 9.2 and 9.3. */
export interface Dissected {
  timeNs: bigint
  from: number
  to: number
  global: boolean
  opcode: number
  solicited: boolean
  migrated: boolean
  partitionKey: number
  destination: number
  acknowledgeRequest: boolean
  sequence: number
  remote?: { address: bigint; key: number; bytes: number }
  atomic?: { address: bigint; key: number; swap: bigint; compare: bigint }
  datagram?: { queueKey: number; source: number }
  acknowledge?: { syndrome: number; messages: number }
  original?: bigint
  flush?: number
  immediate?: number
  invalidate?: number
  payload: Uint8Array
  invariantCrc: number
  variantCrc: number
  bytes: Uint8Array
}

/** Headers behind the base transport header, by opcode: R RETH, A AETH, T AtomicETH, O AtomicAckETH, I, K, D, F FETH. */
const headers: Record<number, string> = {
  ...{ 0x03: 'I', 0x05: 'I', 0x06: 'R', 0x09: 'I', 0x0a: 'R', 0x0b: 'RI', 0x0c: 'R' },
  ...{ 0x0d: 'A', 0x0f: 'A', 0x10: 'A', 0x11: 'A', 0x12: 'AO', 0x13: 'T', 0x14: 'T' },
  ...{
    0x1c: 'FR',
    0x1d: 'R',
    0x16: 'K',
    0x17: 'K',
    0x23: 'I',
    0x25: 'I',
    0x26: 'R',
    0x29: 'I',
    0x2a: 'R',
    0x2b: 'RI',
  },
  ...{ 0x64: 'D', 0x65: 'DI' },
}

/** Reads a file of ERF records (link type 197) with times in nanoseconds. */
export function dissectFile(file: Uint8Array): Dissected[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const facts = [view.getUint32(0, true), view.getUint16(4, true), view.getUint32(20, true)]
  if (facts.join() !== [0xa1b23c4d, 2, 197].join()) throw new Error(`not such a file: ${facts}`)
  const packets: Dissected[] = []
  for (let at = 24; at < file.length;) {
    const bytes = view.getUint32(at + 8, true)
    if (view.getUint32(at + 12, true) !== bytes) throw new Error('cut short')
    const timeNs =
      BigInt(view.getUint32(at, true)) * 1_000_000_000n + BigInt(view.getUint32(at + 4, true))
    packets.push(dissect(frameOf(file.subarray(at + 16, at + 16 + bytes)), timeNs))
    at += 16 + bytes
  }
  return packets
}

/** What an ERF record of type 21 holds. */
function frameOf(record: Uint8Array): Uint8Array {
  const view = new DataView(record.buffer, record.byteOffset)
  const facts = [record[8], view.getUint16(10), view.getUint16(14) + 16]
  if (facts.join() !== [21, record.length, record.length].join()) throw new Error('no such record')
  return record.subarray(16)
}

export function dissect(bytes: Uint8Array, timeNs = 0n): Dissected {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const global = (bytes[1]! & 3) === 3
  if (view.getUint16(4) * 4 + 2 !== bytes.length) throw new Error('wrong length in the LRH')
  let at = global ? 48 : 8
  if (global && view.getUint16(12) !== bytes.length - 50) throw new Error('wrong length in the GRH')
  const opcode = bytes[at]!
  const padding = (bytes[at + 1]! >> 4) & 3
  const packet: Dissected = {
    timeNs,
    from: view.getUint16(6),
    to: view.getUint16(2),
    global,
    opcode,
    solicited: (bytes[at + 1]! & 0x80) !== 0,
    migrated: (bytes[at + 1]! & 0x40) !== 0,
    partitionKey: view.getUint16(at + 2),
    destination: view.getUint32(at + 4) & 0xffffff,
    acknowledgeRequest: (bytes[at + 8]! & 0x80) !== 0,
    sequence: view.getUint32(at + 8) & 0xffffff,
    payload: bytes,
    invariantCrc: view.getUint32(bytes.length - 6, true),
    variantCrc: view.getUint16(bytes.length - 2, true),
    bytes,
  }
  at += 12
  for (const header of headers[opcode] ?? '') at += readHeader(packet, view, at, header)
  packet.payload = bytes.subarray(at, bytes.length - 6 - padding)
  return packet
}

function readHeader(packet: Dissected, view: DataView, at: number, header: string): number {
  const word = (offset: number): number => view.getUint32(at + offset)
  switch (header) {
    case 'R':
      packet.remote = { address: view.getBigUint64(at), key: word(8), bytes: word(12) }
      return 16
    case 'T':
      packet.atomic = {
        ...{ address: view.getBigUint64(at), key: word(8) },
        ...{ swap: view.getBigInt64(at + 12), compare: view.getBigInt64(at + 20) },
      }
      return 28
    case 'D':
      packet.datagram = { queueKey: word(0), source: word(4) }
      return 8
    case 'A':
      packet.acknowledge = { syndrome: word(0) >>> 24, messages: word(0) & 0xffffff }
      return 4
    case 'O':
      packet.original = view.getBigInt64(at)
      return 8
    case 'F':
      packet.flush = word(0)
      return 4
    case 'I':
      packet.immediate = word(0)
      return 4
    default:
      packet.invalidate = word(0)
      return 4
  }
}
