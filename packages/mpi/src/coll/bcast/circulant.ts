import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { OUT } from '../plan/buffer.js'
import { broadcastRounds, circulantBroadcast } from '../pattern/circulant-broadcast.js'
import { ceilLog } from '../pattern/logarithm.js'

/** Bytes that take as long as a message does by itself. */
const LATENCY_BYTES = 8192
const BLOCKS_MAX = 256

/**
 * All ranks send and receive one block in almost every round, over skips that are the same for all: as
 * few rounds as possible for any number of ranks and of blocks.
 *
 * ```
 *   p = 5, root 0, blocks a b c     round 0    0 -a-> 2
 *                                   round 1    0 -b-> 3
 *                                   round 2    0 -c-> 1   2 -a-> 3   3 -b-> 4
 *                                   round 3    0 -c-> 2   2 -a-> 4   4 -b-> 1
 *                                   round 4    0 -c-> 3   3 -a-> 1   1 -c-> 4   4 -b-> 2
 * ```
 */
export const circulant: Algorithm = defineCollective({
  collective: 'bcast',
  name: 'circulant',
  title: 'circulant',
  source: 'Träff 2022; Träff 2024',
  use: 'long vectors on any number of ranks',
  cost: 'n - 1 + ceil(log2 p) rounds of m/n for n blocks',
  // Where n rounds cost as much by themselves as the q - 1 that come before take for m/n bytes each.
  cut({ size, bytes }) {
    const before = Math.max(ceilLog(size, 2) - 1, 0)
    const blocks = Math.round(Math.sqrt((before * bytes) / LATENCY_BYTES))
    return Math.min(Math.max(blocks, 1), BLOCKS_MAX)
  },
  rounds: ({ size, blocks }) => broadcastRounds(size, blocks),
  volume: ({ size, blocks }) => broadcastRounds(size, blocks),
  round(k, { size, rank, root, blocks }, emit) {
    const fromRoot = (rank - root + size) % size
    const { skip, given, taken } = circulantBroadcast(k, { size, rank: fromRoot, blocks })
    if (taken >= 0) emit.receive((rank + size - skip) % size, OUT, taken)
    if (given >= 0) emit.send((rank + skip) % size, OUT, given)
  },
})
