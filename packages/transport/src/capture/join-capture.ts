import { partName, wallOffset } from './capture.js'
import { fileSystem, openForWriting } from './host-files.js'
import {
  PCAP_HEADER_BYTES,
  pcapHeader,
  readTime,
  recordBytes,
  RECORD_HEADER_BYTES,
  writeTime,
} from './pcap.js'

/** What is read of a part at a time; there may be a thousand. */
const READ_BYTES = 1 << 16
const WRITE_BYTES = 1 << 20

/**
 * Puts the parts of a capture by several threads together, in the order of time, and removes them.
 * A part that was never begun counts as empty; the last record of a thread that was stopped in the
 * middle of writing it is left out.
 *
 * @returns number of packets
 */
export function joinCapture(file: string, parts: number): number {
  const names = Array.from({ length: parts }, (_, part) => partName(file, part))
  const readers = names.map((name) => new PartReader(name)).filter(({ time }) => time >= 0n)
  const out = openForWriting(file)
  const gathered = new Uint8Array(WRITE_BYTES)
  let length = 0
  const write = (record: Uint8Array): void => {
    if (length + record.length > WRITE_BYTES) {
      out.write(gathered.subarray(0, length))
      length = 0
    }
    gathered.set(record, length)
    length += record.length
  }
  write(pcapHeader())
  const offset = wallOffset()
  let packets = 0
  while (readers.length > 0) {
    const first = readers.reduce((best, reader) => (reader.time < best.time ? reader : best))
    write(first.take(offset))
    packets++
    if (first.time < 0n) readers.splice(readers.indexOf(first), 1)
  }
  out.write(gathered.subarray(0, length))
  out.close()
  for (const name of names) fileSystem().rmSync(name, { force: true })
  return packets
}

/** Records of a part, one at a time. */
class PartReader {
  /** Time of the record that `take` gives, -1 when there is none left. */
  time = -1n
  readonly #file: number
  #bytes = new Uint8Array(READ_BYTES)
  #begin = 0
  #end = 0

  constructor(name: string) {
    const { existsSync, openSync } = fileSystem()
    this.#file = existsSync(name) ? openSync(name, 'r') : -1
    if (this.#file >= 0 && this.#has(PCAP_HEADER_BYTES)) {
      this.#begin += PCAP_HEADER_BYTES
      this.#look()
    }
  }

  /** The record, its time set to the wall's clock. */
  take(offset: bigint): Uint8Array {
    const view = this.#view
    const bytes = recordBytes(view, 0)
    writeTime(view, 0, this.time + offset)
    const record = this.#bytes.slice(this.#begin, this.#begin + bytes)
    this.#begin += bytes
    this.#look()
    return record
  }

  get #view(): DataView {
    return new DataView(this.#bytes.buffer, this.#begin)
  }

  #look(): void {
    const whole = this.#has(RECORD_HEADER_BYTES) && this.#has(recordBytes(this.#view, 0))
    this.time = whole ? readTime(this.#view, 0) : -1n
    if (!whole) fileSystem().closeSync(this.#file)
  }

  /** Whether so many bytes follow; reads on if need be. */
  #has(bytes: number): boolean {
    if (this.#end - this.#begin >= bytes) return true
    this.#bytes.copyWithin(0, this.#begin, this.#end)
    this.#end -= this.#begin
    this.#begin = 0
    const { readSync } = fileSystem()
    const room = this.#bytes.length - this.#end
    this.#end += readSync(this.#file, this.#bytes, this.#end, room, null)
    return this.#end >= bytes
  }
}
