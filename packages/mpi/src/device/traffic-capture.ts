import { type Capture, capture, directFabric, type Fabric, joinCapture } from '@commworld/transport'

/**
 * The fabric of a rank that has a thread of its own. Under capture the rank records its packets in a
 * part of the file, which `endCapture` puts together with those of the others.
 */
export function fabricOfThread(pcap: string | undefined, rank: number): Fabric {
  return pcap === undefined ? directFabric : capture(pcap, { part: rank }).fabric
}

/** The capture of ranks that share a thread: one records for all. */
export function captureOfAll(pcap: string | undefined): Capture | undefined {
  return pcap === undefined ? undefined : capture(pcap)
}

/** Puts together what the threads of a world recorded. When they have ended, however they did. */
export function endCapture(pcap: string, ranks: number): void {
  joinCapture(pcap, ranks)
}
