import type { Knot } from './size-table.js'

/** A number, and where it is from. */
export interface Sourced {
  readonly value: number
  readonly source: string
  /** Not measured and not published: a judgement. */
  readonly estimate?: true
}

/**
 * What a message costs at its ends, by LogGOPS (Alexandrov et al. 1995; Hoefler et al. 2010) with a
 * table of sizes: the time of a lone message of n bytes is that of the table, of which the overheads are
 * time of the processors, the rest time of the wire. The steep first kilobytes are stages that
 * follow each other; only `nsPerByte` keeps an interface busy.
 */
export interface EndpointProfile {
  readonly name: string
  readonly title: string
  /** Half round trips of a ping-pong with receives posted before. */
  readonly knots: readonly Knot[]
  readonly knotsSource: string
  readonly knotsEstimate?: true
  /** o: time of the processor for each message. */
  readonly sendOverheadNs: Sourced
  readonly receiveOverheadNs: Sourced
  /** g: from the start of a message to that of the next at one interface, beside its bytes. */
  readonly gapNs: Sourced
  /** G: an interface is busy this long for each byte. */
  readonly nsPerByte: Sourced
  /** S: longer messages wait until the receive is known. `Infinity` for none. */
  readonly eagerLimitBytes: Sourced
}

/** A network: its ends, and what lies between them. */
export interface NetworkProfile extends EndpointProfile {
  /** Data rate of a link. */
  readonly gigabits: Sourced
  /** A switch, and the cable to it. */
  readonly hopNs: Sourced
  /** Switches between the two hosts that the table was measured with. */
  readonly hopsMeasured: Sourced
  /** Switches that reduce on the way, if they can. */
  readonly inNetwork?: InNetworkProfile
}

/** Reduction in switches, in the manner of SHARP. */
export interface InNetworkProfile {
  /** Time of one switch to combine what came from its ports. */
  readonly combineNs: Sourced
  /** Operands of one operation; longer vectors are several, one begun `intervalNs` after the other. */
  readonly operationBytes: Sourced
  readonly intervalNs: Sourced
  /** Share of the rate of a link that streaming aggregation reaches; absent where there is none. */
  readonly streamingShare?: Sourced
}

/** What a host computes with. */
export interface HostProfile {
  /** Copying within memory. */
  readonly copyNsPerByte: Sourced
  /** Folding one vector into another, for each byte of one. */
  readonly reduceNsPerByte: Sourced
  /** From writing a flag until another processor of the node sees it. */
  readonly flagNs: Sourced
}

/** An endpoint by the four numbers of LogGOPS alone: T(n) = 2 o + L + (n - 1) G. */
export interface LogGops {
  readonly latencyNs: number
  readonly overheadNs: number
  readonly gapNs: number
  readonly nsPerByte: number
  readonly eagerLimitBytes?: number
}

/**
 * The profile with exactly these parameters on any topology: hops cost nothing.
 *
 * @example
 * // what LogGOPSim takes when nothing is said
 * logGopsProfile({ latencyNs: 2500, overheadNs: 1500, gapNs: 1000, nsPerByte: 6, eagerLimitBytes: 65535 })
 */
export function logGopsProfile(parameters: LogGops): NetworkProfile {
  const { latencyNs, overheadNs, gapNs, nsPerByte, eagerLimitBytes = Infinity } = parameters
  const given = (value: number): Sourced => ({ value, source: 'given' })
  const start = 2 * overheadNs + latencyNs
  return {
    name: 'loggops',
    title: `LogGOPS L=${latencyNs} o=${overheadNs} g=${gapNs} G=${nsPerByte}`,
    knots: [
      { bytes: 1, ns: start },
      { bytes: 2 ** 20 + 1, ns: start + 2 ** 20 * nsPerByte },
    ],
    knotsSource: 'given',
    sendOverheadNs: given(overheadNs),
    receiveOverheadNs: given(overheadNs),
    gapNs: given(gapNs),
    nsPerByte: given(nsPerByte),
    eagerLimitBytes: given(eagerLimitBytes),
    gigabits: given(nsPerByte === 0 ? Infinity : 8 / nsPerByte),
    hopNs: given(0),
    hopsMeasured: given(1),
  }
}
