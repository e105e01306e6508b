import { directFabric } from '../fabric/direct.js'
import type { Fabric } from '../fabric/fabric.js'
import { PacketFabric } from '../fabric/packets/packet-fabric.js'
import { CaptureFabric } from './capture-fabric.js'
import { hostTime, openForWriting } from './host-files.js'
import { ManagementRecorder } from './management-recorder.js'
import { packetTap } from './packet-tap.js'
import { pcapHeader, RecordBuffer } from './pcap.js'

/** A capture under way. */
export interface Capture {
  /** What devices are opened on for their packets to be recorded: `Device.open(memory, 0, fabric)`. */
  readonly fabric: Fabric
  /** Packets recorded so far. */
  readonly packets: number
  /** Ends it. What was recorded is in the file before that, packet by packet. */
  close(): void
}

export interface CaptureOptions {
  /**
   * What lies between the devices; the direct fabric when left out. A fabric of packets is recorded
   * packet by packet, in its virtual time.
   */
  fabric?: Fabric
  /**
   * Number of this part of a capture by several threads, each of which has its devices: it is written
   * to a file of its own until `joinCapture` puts the parts together.
   */
  part?: number
}

/**
 * Records what crosses a fabric as real InfiniBand packets, in a file for Wireshark or tshark: pcap with
 * local and global route headers, the transport's headers, acknowledgements,
 * packet sequence numbers, the message cut by the MTU, and both CRCs.
 *
 * Only what goes through queue pairs of devices opened on `capture.fabric` is recorded; they map no
 * memory of peers. A thread captures its own devices: of several threads each names its `part`.
 *
 * @example
 * const trace = capture('run.pcap')
 * const device = Device.open(memory, 0, trace.fabric)
 * ...
 * trace.close()                        // then: tshark -r run.pcap
 */
export function capture(file: string, options: CaptureOptions = {}): Capture {
  const { fabric = directFabric, part } = options
  const out = openForWriting(part === undefined ? file : partName(file, part))
  out.write(pcapHeader())
  const records = new RecordBuffer()
  // Parts keep the machine's monotonic clock, which all threads share; the wall's comes at the end.
  const wall = part === undefined ? wallOffset() : 0n
  const now = (): bigint => hostTime() + wall
  const write = (bytes: Uint8Array): void => out.write(bytes)
  if (fabric instanceof PacketFabric) tapPackets(fabric, records, { write, startNs: now() })
  return {
    fabric:
      fabric instanceof PacketFabric ? fabric : new CaptureFabric(fabric, records, { write, now }),
    get packets() {
      return records.packets
    },
    close: () => out.close(),
  }
}

function tapPackets(
  fabric: PacketFabric,
  records: RecordBuffer,
  options: { write: (records: Uint8Array) => void; startNs: bigint },
): void {
  fabric.tap(packetTap(records, options))
  const management = new ManagementRecorder(records)
  fabric.tapManagement((source, destination, message, timeNs) => {
    management.record(options.startNs + BigInt(Math.round(timeNs)), source, destination, message)
    options.write(records.take())
  })
}

/** Where a thread of a capture by several writes its part. */
export function partName(file: string, part: number): string {
  return `${file}.part${part}`
}

/** Wall clock less monotonic clock, in nanoseconds. */
export function wallOffset(): bigint {
  return BigInt(Date.now()) * 1_000_000n - hostTime()
}
