/**
 * What each tool measures, with perftest's defaults (linux-rdma/perftest, perftest_parameters.h).
 * Latencies of SEND and WRITE are half a round trip, those of READ and atomics a whole one.
 */
export const TESTS = {
  send_lat: {
    title: 'Send Latency Test',
    kind: 'latency',
    bytes: 2,
    iterations: 1000,
    inline: 236,
  },
  write_lat: {
    ...{ title: 'RDMA_Write Latency Test', kind: 'latency', bytes: 2, iterations: 1000 },
    ...{ inline: 220, oneSided: true },
  },
  read_lat: {
    ...{ title: 'RDMA_Read Latency Test', kind: 'latency', bytes: 2, iterations: 1000 },
    ...{ inline: 0, oneSided: true, roundTrip: true },
  },
  atomic_lat: {
    ...{ title: 'Atomic FETCH_AND_ADD Latency Test', kind: 'latency', bytes: 8, iterations: 1000 },
    ...{ inline: 0, oneSided: true, roundTrip: true, onlyBytes: 8 },
  },
  send_bw: { title: 'Send BW Test', kind: 'bandwidth', bytes: 65536, iterations: 1000, inline: 0 },
  write_bw: {
    ...{ title: 'RDMA_Write BW Test', kind: 'bandwidth', bytes: 65536, iterations: 5000 },
    ...{ inline: 0, oneSided: true },
  },
  read_bw: {
    ...{ title: 'RDMA_Read BW Test', kind: 'bandwidth', bytes: 65536, iterations: 1000 },
    ...{ inline: 0, oneSided: true },
  },
}

/** Sizes of `-a`: 2 to 2^23 bytes. */
export const ALL_SIZES = Array.from({ length: 23 }, (_, power) => 2 ** (power + 1))
