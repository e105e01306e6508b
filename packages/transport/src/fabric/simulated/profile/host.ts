import type { EndpointProfile, HostProfile, Sourced } from './profile.js'

const estimate = (value: number, source: string): Sourced => ({ value, source, estimate: true })

/** Between ranks of one node: no interface, no gap, no rendezvous to wait for. */
export const sharedMemory: EndpointProfile = {
  name: 'shared-memory',
  title: 'shared memory of a node, MPI',
  knots: [
    { bytes: 0, ns: 400 },
    { bytes: 32_768, ns: 5000 },
    { bytes: 2_097_152, ns: 180_000 },
  ],
  knotsSource: 'Open MPI and MPICH on servers: 0.2 to 0.5 us, 32 KiB in 4 to 9 us, 8 to 15 GB/s',
  knotsEstimate: true,
  sendOverheadNs: estimate(100, 'a quarter of a short message'),
  receiveOverheadNs: estimate(100, 'a quarter of a short message'),
  gapNs: { value: 0, source: 'no interface' },
  nsPerByte: { value: 0, source: 'no interface: the table says what copying takes' },
  eagerLimitBytes: estimate(Infinity, 'copies are as fast either way'),
}

/** A server core of today. */
export const host: HostProfile = {
  copyNsPerByte: estimate(0.05, 'memcpy in cache and memory: 10 to 40 GB/s'),
  reduceNsPerByte: estimate(0.1, 'a sum of doubles by one core: 10 to 25 GB/s'),
  flagNs: estimate(90, 'a line of cache from core to core'),
}
