import { defineCollective, type Algorithm } from '../plan/algorithm.js'
import { HIGHER, IN, LOWER, OUT, TMP } from '../plan/buffer.js'
import { segmentsOf } from '../pattern/segments.js'

/**
 * Two chains in segments, from rank 0 up to the root and from rank p - 1 down to it, so that the order
 * of ranks is kept. The rank d ranks from the end of its chain sends segment s in round s + d, while
 * it receives the next one.
 *
 * ```
 *   p = 4, root 1, segments a b c     round 0    0 -a-> 1        2 <-a- 3
 *                                     round 1    0 -b-> 1 <-a- 2 <-b- 3
 *                                     round 2    0 -c-> 1 <-b- 2 <-c- 3
 *                                     round 3           1 <-c- 2
 * ```
 */
export const pipelinedChain: Algorithm = defineCollective({
  collective: 'reduce',
  name: 'pipelined-chain',
  title: 'pipelined chain',
  source: 'Pješivac-Grbović et al. 2007, here a chain from either end',
  use: 'very long vectors on few ranks',
  cost: 'n + p - 2 rounds of m/n for n segments, fewer when the root is not at an end',
  cut: ({ bytes }) => segmentsOf(bytes),
  scratch({ size, rank, root, blocks }) {
    const passesOn = rank !== root && rank > 0 && rank < size - 1
    return passesOn ? Array.from({ length: blocks }, (_, segment) => segment) : []
  },
  rounds: ({ size, root, blocks }) => blocks - 1 + Math.max(root, size - 1 - root, 1),
  volume: ({ size, blocks }) => (size === 1 ? 0 : blocks),
  round(k, { size, rank, root, blocks }, emit) {
    const exists = (segment: number): boolean => segment >= 0 && segment < blocks
    if (rank === root) {
      if (exists(k)) emit.copy(IN, k, OUT, k)
      const lower = k - root + 1
      const higher = k - (size - 1 - root) + 1
      if (root > 0 && exists(lower)) emit.receiveReduce(root - 1, OUT, lower, 1, LOWER)
      if (root < size - 1 && exists(higher)) emit.receiveReduce(root + 1, OUT, higher, 1, HIGHER)
      return
    }
    const towards = rank < root ? 1 : -1
    const distance = rank < root ? rank : size - 1 - rank
    const going = k - distance
    if (distance > 0 && exists(going + 1)) emit.receive(rank - towards, TMP, going + 1)
    if (!exists(going)) return
    if (distance > 0) emit.reduce(IN, going, TMP, going, 1, rank < root ? HIGHER : LOWER)
    emit.send(rank + towards, distance > 0 ? TMP : IN, going)
  },
})
