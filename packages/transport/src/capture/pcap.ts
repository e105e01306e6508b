import { frameBytesMax, writeFrame } from './frame.js'
import type { Packet, Path } from './packet.js'

/**
 * Link type of records in Endace's format, in which Wireshark has known InfiniBand from the start
 * (tcpdump.org/linktypes.html: LINKTYPE_ERF); the raw one, 247, even version 4.0 does not read.
 */
export const LINKTYPE_ERF = 197
/** Of a file whose times are in nanoseconds. */
export const PCAP_MAGIC = 0xa1b23c4d
export const PCAP_HEADER_BYTES = 24
/** A record's header, and that of the ERF record which is all of its content. */
export const RECORD_HEADER_BYTES = 32
const PCAP_RECORD_HEADER_BYTES = 16
const ERF_HEADER_BYTES = 16
const ERF_TYPE_INFINIBAND = 21
/** Flag: the record is as long as it is. */
const ERF_VARYING_LENGTH = 4
const SNAPSHOT_BYTES_MAX = 65_535
const NS_PER_S = 1_000_000_000n

/** The header of a file (tcpdump.org: pcap-savefile), lowest byte first. */
export function pcapHeader(): Uint8Array {
  const view = new DataView(new ArrayBuffer(PCAP_HEADER_BYTES))
  view.setUint32(0, PCAP_MAGIC, true)
  view.setUint16(4, 2, true) // version 2.4
  view.setUint16(6, 4, true)
  view.setUint32(16, SNAPSHOT_BYTES_MAX, true)
  view.setUint32(20, LINKTYPE_ERF, true)
  return new Uint8Array(view.buffer)
}

/** Writes the two headers in front of a frame of `bytes` bytes (Endace: ERF types reference guide). */
function writeRecordHeader(view: DataView, at: number, ns: bigint, bytes: number): void {
  view.setUint32(at + 8, ERF_HEADER_BYTES + bytes, true)
  view.setUint32(at + 12, ERF_HEADER_BYTES + bytes, true)
  const erf = at + PCAP_RECORD_HEADER_BYTES
  view.setUint8(erf + 8, ERF_TYPE_INFINIBAND)
  view.setUint8(erf + 9, ERF_VARYING_LENGTH)
  view.setUint16(erf + 10, ERF_HEADER_BYTES + bytes)
  view.setUint16(erf + 12, 0) // none lost before it
  view.setUint16(erf + 14, bytes)
  writeTime(view, at, ns)
}

/** Writes the time of a record, in seconds and nanoseconds and as a fraction of 2^32. */
export function writeTime(view: DataView, at: number, ns: bigint): void {
  const seconds = ns / NS_PER_S
  const rest = ns % NS_PER_S
  view.setUint32(at, Number(seconds), true)
  view.setUint32(at + 4, Number(rest), true)
  const erf = at + PCAP_RECORD_HEADER_BYTES
  view.setBigUint64(erf, (seconds << 32n) | ((rest << 32n) / NS_PER_S), true)
}

/** Time of a record. */
export function readTime(view: DataView, at: number): bigint {
  return BigInt(view.getUint32(at, true)) * NS_PER_S + BigInt(view.getUint32(at + 4, true))
}

/** Bytes of a whole record. */
export function recordBytes(view: DataView, at: number): number {
  return PCAP_RECORD_HEADER_BYTES + view.getUint32(at + 8, true)
}

/** Records of packets, gathered until they are written. */
export class RecordBuffer {
  #bytes = new Uint8Array(64 * 1024)
  #view = new DataView(this.#bytes.buffer)
  #length = 0
  #count = 0
  #packets = 0
  #last = 0n

  /** Packets written so far. */
  get packets(): number {
    return this.#packets
  }

  /** Adds a packet, seen at `ns` or right behind the one before it. */
  add(ns: bigint, path: Path, packet: Packet): void {
    this.#makeRoom(RECORD_HEADER_BYTES + frameBytesMax(packet))
    const time = ns > this.#last ? ns : this.#last + 1n
    this.#last = time
    const at = this.#length
    const bytes = writeFrame(this.#view, at + RECORD_HEADER_BYTES, path, packet)
    writeRecordHeader(this.#view, at, time, bytes)
    this.#length = at + RECORD_HEADER_BYTES + bytes
    this.#count++
  }

  /** Forgets what was added since the last `take`: it did not cross the fabric. */
  discard(): void {
    this.#length = 0
    this.#count = 0
  }

  /** The records added since the last time; good until the next `add`. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#packets += this.#count
    this.discard()
    return taken
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = new Uint8Array(2 * (this.#length + bytes))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}
