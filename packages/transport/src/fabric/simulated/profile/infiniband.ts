import type { InNetworkProfile, NetworkProfile, Sourced } from './profile.js'
import type { Knot } from './size-table.js'

// Half round trips in microseconds at 0, 256, 4 Ki, 16 Ki, 64 Ki, 256 Ki and 4 Mi bytes.
const SIZES = [0, 256, 4096, 16384, 65536, 262144, 4194304]

const QLOGIC =
  'QLogic InfiniPath host manuals IB6054601-00, OSU 2.0; generation inferred from the rate'
const GENERATIONS = 'InfiniBand Architecture Specification; vendor switch manuals'

function table(...microseconds: number[]): Knot[] {
  return microseconds.map((us, i) => ({ bytes: SIZES[i]!, ns: us * 1000 }))
}

/**
 * Adds what a curve must be between two given sizes where its protocol changes: until the change it goes on
 * as before, or after it as it ends; beyond these the line through the given sizes would be neither.
 */
function withSwitch(knots: readonly Knot[], ...switches: readonly Knot[]): Knot[] {
  return [...knots, ...switches].sort((a, b) => a.bytes - b.bytes)
}

function estimate(value: number, source: string): Sourced {
  return { value, source, estimate: true }
}

function stated(value: number, source: string): Sourced {
  return { value, source }
}

/** Steep first kilobytes of HDR, beyond its own rate: what later generations are estimated with. */
function likeHdr(startNs: number, nsPerByte: number): Knot[] {
  const hdr = table(1.61, 2.35, 3.55, 5.38, 9.46, 17.62, 179.11)
  return hdr.map(({ bytes, ns }) => ({
    bytes,
    ns: startNs + bytes * nsPerByte + Math.max(0, ns - hdr[0]!.ns - bytes * HDR_NS_PER_BYTE),
  }))
}

const HDR_NS_PER_BYTE = 0.04107

const SWITCH_HOP = estimate(
  100,
  'a switch of 90 ns (QM8700, IT4Innovations) and 2 m of cable at 5 ns/m',
)
const ONE_SWITCH = estimate(1, 'published ping-pongs seldom say how many switches they crossed')
const OVERHEAD = 'a fifth of the half round trip; the host interface and PCIe take the rest'
// The rate of one pair is bounded by its processor; an interface serves many of them.
const MESSAGE_RATE = 'tens of millions of messages a second from all ranks of a host'
const EAGER = 'usual limit of MPI over InfiniBand'

/** Graham et al., COMHPC 2016: 128 hosts, 8 B in 2.83 us and 4096 B in 14.48 us on Switch-IB 2. */
const SHARP_1: InNetworkProfile = {
  combineNs: estimate(680, 'derived from 8 B in 2.83 us, Graham et al. 2016'),
  operationBytes: stated(256, 'Graham et al. 2016'),
  intervalNs: estimate(777, 'derived from 4096 B in 14.48 us, Graham et al. 2016'),
}

/** Graham et al., ISC 2020: streaming aggregation at 95 to 96 % of the line rate. */
const SHARP_2: InNetworkProfile = {
  ...SHARP_1,
  streamingShare: stated(0.955, 'Graham et al., ISC 2020'),
}

export const sdr: NetworkProfile = {
  name: 'sdr',
  title: 'InfiniBand SDR 4x, MPI',
  knots: withSwitch(table(1.26, 1.88, 7.34, 20.25, 78.69, 287.49, 4424.59), {
    bytes: 64_000,
    ns: 20_250 + (64_000 - 16_384) * 1.0521,
  }),
  knotsSource: `${QLOGIC}; until the rendezvous of the InfiniPath library at 64 000 B its own rate`,
  sendOverheadNs: estimate(250, OVERHEAD),
  receiveOverheadNs: estimate(250, OVERHEAD),
  gapNs: estimate(100, MESSAGE_RATE),
  nsPerByte: stated(1.0521, 'slope from 256 KiB to 4 MiB'),
  eagerLimitBytes: estimate(64_000, 'the InfiniPath library'),
  gigabits: stated(8, GENERATIONS),
  hopNs: estimate(200, 'switches before QDR'),
  hopsMeasured: ONE_SWITCH,
}

export const ddr: NetworkProfile = {
  ...sdr,
  name: 'ddr',
  title: 'InfiniBand DDR 4x, MPI',
  knots: withSwitch(table(1.06, 1.51, 4.99, 11.75, 58.28, 164.68, 2178.66), {
    bytes: 64_000,
    ns: 11_750 + (64_000 - 16_384) * 0.5122,
  }),
  sendOverheadNs: estimate(210, OVERHEAD),
  receiveOverheadNs: estimate(210, OVERHEAD),
  gapNs: estimate(80, MESSAGE_RATE),
  nsPerByte: stated(0.5122, 'slope from 256 KiB to 4 MiB'),
  gigabits: stated(16, GENERATIONS),
}

export const qdr: NetworkProfile = {
  name: 'qdr',
  title: 'InfiniBand QDR 4x, RDMA write',
  knots: table(0.98, 1.84, 3.74, 7.08, 19.97, 71, 1093),
  knotsSource: 'ConnectX-3, MTU 2048, ib_write_lat: log in a public repository',
  sendOverheadNs: stated(
    183,
    'the same log: 5.4 to 5.5 million messages a second from one process',
  ),
  receiveOverheadNs: estimate(183, 'as much as sending'),
  gapNs: estimate(30, MESSAGE_RATE),
  nsPerByte: stated(0.2599, 'slope from 256 KiB to 4 MiB'),
  eagerLimitBytes: estimate(16384, EAGER),
  gigabits: stated(32, GENERATIONS),
  hopNs: SWITCH_HOP,
  hopsMeasured: ONE_SWITCH,
}

export const fdr: NetworkProfile = {
  ...qdr,
  name: 'fdr',
  title: 'InfiniBand FDR 4x, MPI (estimated)',
  knots: likeHdr(1150, 0.155),
  knotsSource: 'between QDR and EDR, the shape of HDR',
  knotsEstimate: true,
  gapNs: estimate(25, MESSAGE_RATE),
  nsPerByte: estimate(0.155, '95 % of the data rate'),
  gigabits: stated(54.54, GENERATIONS),
}

export const edr: NetworkProfile = {
  name: 'edr',
  title: 'InfiniBand EDR 4x, MPI',
  knots: withSwitch(table(1.27, 1.95, 4.86, 9.93, 26.64, 27.79, 346.91), {
    bytes: 65_537,
    ns: 27_790 - (262_144 - 65_537) * 0.0812,
  }),
  knotsSource:
    'SJTU HPC documentation, Arm nodes, OSU 5.6.3; from the protocol switch behind 64 KiB its own rate',
  sendOverheadNs: stated(238, 'the same: 4.2 million messages a second from one pair'),
  receiveOverheadNs: estimate(238, 'as much as sending'),
  gapNs: estimate(20, MESSAGE_RATE),
  nsPerByte: stated(0.0812, 'slope from 256 KiB to 4 MiB'),
  eagerLimitBytes: estimate(65536, 'the protocol switches between 64 KiB and 256 KiB'),
  gigabits: stated(100, GENERATIONS),
  hopNs: SWITCH_HOP,
  hopsMeasured: ONE_SWITCH,
  inNetwork: SHARP_1,
}

export const edrVerbs: NetworkProfile = {
  ...edr,
  name: 'edr-verbs',
  title: 'InfiniBand EDR 4x, verbs send',
  knots: [
    { bytes: 0, ns: 820 },
    { bytes: 32, ns: 820 },
    { bytes: 4096, ns: 2260 },
    { bytes: 4194304, ns: 2260 + 0.0812 * (4194304 - 4096) },
  ],
  knotsSource:
    'D. Potter, master thesis, ib_send_lat at 32 B and 4 KiB; beyond that the rate of EDR',
  sendOverheadNs: estimate(160, OVERHEAD),
  receiveOverheadNs: estimate(160, OVERHEAD),
  eagerLimitBytes: estimate(Infinity, 'verbs have no rendezvous'),
}

export const hdr: NetworkProfile = {
  name: 'hdr',
  title: 'InfiniBand HDR 4x, MPI',
  knots: table(1.61, 2.35, 3.55, 5.38, 9.46, 17.62, 179.11),
  knotsSource: 'usernetes-azure experiments, virtual machines with 96 cores',
  sendOverheadNs: estimate(320, OVERHEAD),
  receiveOverheadNs: estimate(320, OVERHEAD),
  gapNs: estimate(10, MESSAGE_RATE),
  nsPerByte: stated(HDR_NS_PER_BYTE, 'slope from 256 KiB to 4 MiB'),
  eagerLimitBytes: estimate(16384, EAGER),
  gigabits: stated(200, GENERATIONS),
  hopNs: SWITCH_HOP,
  hopsMeasured: ONE_SWITCH,
  inNetwork: SHARP_2,
}

export const ndr: NetworkProfile = {
  ...hdr,
  name: 'ndr',
  title: 'InfiniBand NDR 4x, MPI (estimated)',
  knots: likeHdr(1600, 0.0204),
  knotsSource: 'no curve is published; the shape of HDR, below 2 us as Azure states for HBv4',
  knotsEstimate: true,
  gapNs: estimate(7, MESSAGE_RATE),
  nsPerByte: estimate(0.0204, '98 % of the data rate'),
  gigabits: stated(400, GENERATIONS),
}

export const xdr: NetworkProfile = {
  ...ndr,
  name: 'xdr',
  title: 'InfiniBand XDR 4x, MPI (estimated)',
  knots: likeHdr(1550, 0.0102),
  knotsSource: 'no curve is published; the shape of HDR',
  gapNs: estimate(5, MESSAGE_RATE),
  nsPerByte: estimate(0.0102, '98 % of the data rate'),
  gigabits: estimate(800, 'public tables'),
}
