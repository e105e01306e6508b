import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { OUT } from '../plan/buffer.js'
import { segmentsOf } from '../pattern/segments.js'

/**
 * From the root up through all ranks, modulo p, in segments: the one d ranks after the root sends
 * segment s in round s + d, while it receives the next one.
 *
 * ```
 *   p = 3, root 1, segments a b c     round 0    1 -a-> 2
 *                                     round 1    1 -b-> 2 -a-> 0
 *                                     round 2    1 -c-> 2 -b-> 0
 *                                     round 3           2 -c-> 0
 * ```
 */
export const pipelinedChain: Algorithm = defineCollective({
  collective: 'bcast',
  name: 'pipelined-chain',
  title: 'pipelined chain',
  source: 'Pješivac-Grbović et al. 2007',
  use: 'very long vectors on few ranks',
  cost: 'n + p - 2 rounds of m/n for n segments',
  cut: ({ bytes }) => segmentsOf(bytes),
  rounds: ({ size, blocks }) => (size === 1 ? 0 : blocks + size - 2),
  volume: ({ size, blocks }) => (size === 1 ? 0 : blocks),
  round(k, { size, rank, root, blocks }, emit) {
    const distance = (rank - root + size) % size
    const coming = k - distance + 1
    const going = k - distance
    if (distance > 0 && coming >= 0 && coming < blocks) {
      emit.receive((rank + size - 1) % size, OUT, coming)
    }
    if (distance < size - 1 && going >= 0 && going < blocks) {
      emit.send((rank + 1) % size, OUT, going)
    }
  },
})
