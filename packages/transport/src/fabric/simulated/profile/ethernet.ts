import { hdr } from './infiniband.js'
import type { NetworkProfile, Sourced } from './profile.js'

const estimate = (value: number, source: string): Sourced => ({ value, source, estimate: true })

/** 1.67 us and 12 254 MB/s are published; the sizes between have the shape of HDR. */
export const roce100: NetworkProfile = {
  ...hdr,
  name: 'roce-100',
  title: 'RoCE v2, 100 Gb/s, MPI',
  knots: hdr.knots.map(({ bytes, ns }) => ({
    bytes,
    ns: 1670 + bytes * 0.0816 + Math.max(0, ns - 1610 - bytes * hdr.nsPerByte.value),
  })),
  knotsSource: 'Oracle Cloud tutorials (1.67 us, 12 254 MB/s); between them the shape of HDR',
  knotsEstimate: true,
  nsPerByte: { value: 0.0816, source: 'Oracle Cloud tutorials: 12 254 MB/s' },
  gigabits: { value: 100, source: 'IEEE 802.3' },
  hopNs: { value: 240, source: 'Mellanox 2011: Ethernet switches of 230 to 250 ns' },
}

/** The kernel's TCP: processors copy, so overheads are most of the time. */
export const tcp10: NetworkProfile = {
  name: 'tcp-10',
  title: 'TCP over 10 Gb/s Ethernet, MPI',
  knots: [
    { bytes: 0, ns: 19_200 },
    { bytes: 1460, ns: 21_000 },
    { bytes: 65_536, ns: 96_000 },
    { bytes: 4_194_304, ns: 96_000 + 0.8428 * (4_194_304 - 65_536) },
  ],
  knotsSource: 'Open MPI mailing list: 19.2 us; beyond that 1460 of 1538 bytes of the line rate',
  knotsEstimate: true,
  sendOverheadNs: estimate(5000, 'system call, copy and stack'),
  receiveOverheadNs: estimate(6000, 'interrupt, stack, copy and wake-up'),
  gapNs: estimate(1000, 'about a million packets a second for each core'),
  nsPerByte: { value: 0.8428, source: 'MTU 1500: 1460 of 1538 bytes at 1.25 GB/s' },
  eagerLimitBytes: { value: 65_536, source: "Open MPI's eager limit over TCP" },
  gigabits: { value: 10, source: 'IEEE 802.3' },
  hopNs: { value: 500, source: 'Arista 7124SX' },
  hopsMeasured: estimate(1, 'published ping-pongs seldom say how many switches they crossed'),
}

/** Sockets between virtual machines of a cloud. */
export const tcpCloud: NetworkProfile = {
  ...tcp10,
  name: 'tcp-cloud',
  title: 'TCP between virtual machines of a cloud, 25 Gb/s',
  knots: [
    { bytes: 0, ns: 43_400 },
    { bytes: 4_194_304, ns: 43_400 + 0.48 * 4_194_304 },
  ],
  knotsSource: 'AWS virtual machines: 43.4 us, 0.33 to 0.63 ns/B',
  knotsEstimate: true,
  sendOverheadNs: estimate(8000, 'system call, copy and stack'),
  receiveOverheadNs: estimate(10_000, 'interrupt, stack, copy and wake-up'),
  nsPerByte: { value: 0.48, source: 'the same, the middle of it' },
  eagerLimitBytes: estimate(Infinity, 'a stream of bytes: its window is in the rate'),
  gigabits: estimate(25, 'usual size of such machines'),
}
